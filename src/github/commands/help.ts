/** `/photon help`: the table of commands. Pure. */
import { codes } from '../../codes.ts';
import type { Refused } from '../planned.ts';
import { verbs } from './verbs.ts';

/** Every command with what it does. */
export function helpAnswer(): Refused {
  const rows = Object.values(verbs).map(({ usage, does }) => [usage, does]);
  return {
    ...{ status: 'no_change', code: 'ANSWERED', message: codes.ANSWERED.meaning },
    answer: {
      heading: 'Commands of Photon',
      lines: [
        'A command stands at the start of a line of a new comment, outside code and quotes. People with write access are heard.',
      ],
      table: { head: ['command', 'what it does'], rows },
    },
  };
}
