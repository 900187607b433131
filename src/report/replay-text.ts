/** What a replay found ► lines for the terminal. Pure. */

import type { RunRecord } from '../agent/run/record.ts';
import type { RunDifference } from '../audit/compare-runs.ts';

export function renderReplay({ run, turns }: RunRecord, difference: RunDifference | null): string {
  const about = `run ${run}, ${turns.length} replies: `;
  if (difference === null) return `${about}the same decisions, the same patch, the same ending\n`;
  const { call, what, recorded, replayed } = difference;
  const where = call === 0 ? 'what it starts from' : `call ${call}`;
  return `${about}differs in ${where}: ${what} was ${recorded || 'empty'}, is ${replayed || 'empty'}\n`;
}
