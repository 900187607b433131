/** `/photon help`: the table of commands. Pure. */
import { codes } from '../../codes.ts';
import type { Refused } from '../events/planned-task.ts';
import { nearestVerb, verbs } from '../events/verbs.ts';

/** Every command with what it does. */
export function helpAnswer(): Refused {
  const rows = Object.values(verbs).map(({ usage, does }) => [usage, does]);
  return {
    status: 'no_change',
    code: 'ANSWERED',
    message: codes.ANSWERED.meaning,
    answer: {
      heading: 'Commands of Photon',
      lines: [
        'A command stands at the start of a line of a new comment, outside code and quotes. People with write access are heard.',
      ],
      table: { head: ['command', 'what it does'], rows },
    },
  };
}

/** One line for a command that there is not: what was meant, most likely, and where all of them are. */
export function unknownAnswer(typed: string): Refused {
  const near = nearestVerb(typed);
  const meant = near === null ? '' : ` Did you mean \`${verbs[near].usage}\`?`;
  return {
    status: 'no_change',
    code: 'COMMAND_UNKNOWN',
    message: codes.COMMAND_UNKNOWN.meaning,
    answer: {
      heading: '',
      lines: [`There is no such command.${meant} \`/photon help\` shows all of them.`],
    },
  };
}
