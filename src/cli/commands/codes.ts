/** `photon codes`: explains the stable codes. */
import { codes as all, PhotonError } from '../../base/codes.ts';
import { command, didYouMean } from '../command.ts';
import type { Terminal } from '../terminal.ts';

export const codesCommand = command({
  options: {},
  usage: [['[<code>]', '', ({ names: [named] }, terminal) => explain(named, terminal)]],
  examples: ['photon codes VERIFY_FAILED'],
});

function explain(named: string | undefined, terminal: Terminal): number {
  const wanted = named?.toUpperCase();
  const found = Object.entries(all).filter(([code]) => wanted === undefined || code === wanted);
  if (found.length === 0) {
    const near = didYouMean(wanted ?? '', Object.keys(all));
    throw new PhotonError('USAGE', `There is no code ${JSON.stringify(named)}.${near}`, {
      hint: 'photon codes lists all of them.',
    });
  }
  terminal.print(
    found.map(([code, c]) => `${code}\n  ${c.meaning}\n  What to do: ${c.hint}\n`).join(''),
  );
  return 0;
}
