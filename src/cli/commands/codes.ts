/** `photon codes`: explains the stable codes. */
import { codes as all, PhotonError } from '../../base/codes.ts';
import { parseArguments, takeNone } from '../arguments.ts';
import { didYouMean } from '../nearest.ts';
import type { CommandHandler } from '../terminal.ts';

export const codesCommand: CommandHandler = async (args, terminal) => {
  const { positionals } = parseArguments(args, []);
  const [named, ...more] = positionals;
  takeNone(more, 'Name one code: photon codes CODE.');
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
};
