/** `photon codes`: explains the stable codes. */
import { codes as all, PhotonError } from '../codes.ts';
import type { CommandHandler } from './terminal.ts';

export const codesCommand: CommandHandler = async (args, terminal) => {
  const wanted = args[0]?.toUpperCase();
  const found = Object.entries(all).filter(([code]) => wanted === undefined || code === wanted);
  if (found.length === 0) throw new PhotonError('USAGE', `There is no code ${args[0]}.`);
  terminal.print(
    found.map(([code, c]) => `${code}\n  ${c.meaning}\n  What to do: ${c.hint}\n`).join(''),
  );
  return 0;
};
