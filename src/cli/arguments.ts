/** Parses the arguments of a command. */
import { parseArgs } from 'node:util';
import { PhotonError } from '../codes.ts';

/** Parsed arguments. */
export interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/**
 * Parses arguments. Options in `names` take a value, those in `flags` take none.
 * @throws PhotonError `USAGE`.
 */
export function parseArguments(
  args: readonly string[],
  names: readonly string[],
  flags: readonly string[] = [],
): Arguments {
  const options = Object.fromEntries([
    ...names.map(n => [n, { type: 'string' as const }]),
    ...flags.map(n => [n, { type: 'boolean' as const }]),
  ]);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true }) as Arguments;
  } catch (error) {
    throw new PhotonError('USAGE', (error as Error).message);
  }
}
