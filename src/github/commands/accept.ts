/** `/photon accept`: takes over records that wait for a review (SPEC §8). */
import { type Refused, refused } from '../planned.ts';
import type { Serving } from './serve-command.ts';

/**
 * The one place where accepted records are written: whoever keeps records (memory on its own ref)
 * takes the command's words as names and writes by compare-and-swap. No record waits for a review
 * before there are records, and so the answer is that there is nothing to accept.
 */
export async function acceptRecords(_serving: Serving): Promise<Refused> {
  return refused('abstained', 'ACCEPT_NOTHING');
}
