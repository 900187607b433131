/** `/photon help`: the table of commands. Pure. */

import { codes } from '../../../codes.ts';
import type { Refused } from '../../host.ts';
import { nearestVerb, verbs } from '../parse/verbs.ts';

/** All commands with their descriptions. */
export function helpAnswer(): Refused {
  const rows = Object.values(verbs).map(({ usage, does }) => [usage, does]);
  return {
    status: 'no_change',
    code: 'ANSWERED',
    message: codes.ANSWERED.meaning,
    commandAnswer: {
      heading: 'Photon commands',
      lines: [
        'Write a command at the start of a line of a new comment, outside of code and quotes. Commands from people without write access are ignored.',
      ],
      table: { head: ['command', 'what it does'], rows },
    },
  };
}

/** The reply to an unknown command: the command that was probably meant, and where to find all of them. */
export function unknownAnswer(typed: string): Refused {
  const near = nearestVerb(typed);
  const meant = near === null ? '' : ` Did you mean \`${verbs[near].usage}\`?`;
  return {
    status: 'no_change',
    code: 'COMMAND_UNKNOWN',
    message: codes.COMMAND_UNKNOWN.meaning,
    commandAnswer: {
      heading: '',
      lines: [`Unknown command.${meant} \`/photon help\` lists all commands.`],
    },
  };
}
