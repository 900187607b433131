/** Parses the arguments of a command. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PhotonError } from '../base/codes.ts';
import { isFolder } from '../workspace/files/run-folder.ts';
import { didYouMean } from './nearest.ts';

/** Parsed arguments. */
export interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/**
 * Parses arguments. Options in `names` take a value. Those in `flags` take none; `--no-NAME` and
 * `--NAME=false` turn one off.
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
  const end = args.indexOf('--');
  const checked = end < 0 ? args : args.slice(0, end);
  for (const arg of checked.filter(a => /^--[^=]/.test(a))) requireKnown(arg, names, flags);
  try {
    const plain = args.map((a, i) => (end >= 0 && i > end ? a : plainFlag(a, flags)));
    const found = parseArgs({ args: plain, options, allowPositionals: true, allowNegative: true });
    return found as Arguments;
  } catch (error) {
    // Node adds advice on positional arguments that begin with a dash
    const message = (error as Error).message.split('. To specify')[0] ?? '';
    throw new PhotonError('USAGE', `${message.replace(/\.$/, '')}.`);
  }
}

/** `--flag=true` and `--flag=false` as parseArgs takes them. */
function plainFlag(arg: string, flags: readonly string[]): string {
  const [, name = '', value] = /^--([\w-]+)=(true|false)$/.exec(arg) ?? [];
  if (!flags.includes(name)) return arg;
  return value === 'true' ? `--${name}` : `--no-${name}`;
}

function requireKnown(arg: string, names: readonly string[], flags: readonly string[]): void {
  const name = arg.slice(2).split('=')[0] ?? '';
  const known = [...names, ...flags];
  if (known.includes(name) || flags.some(flag => name === `no-${flag}`)) return;
  throw new PhotonError('USAGE', `There is no option --${name}.${didYouMean(name, known, '--')}`);
}

/**
 * The folder that `--repo` names; the current one without it.
 * @throws PhotonError `USAGE` if there is no such folder.
 */
export function repoOf(values: Arguments['values']): string {
  const repo = resolve(String(values.repo ?? '.'));
  if (isFolder(repo)) return repo;
  throw new PhotonError('USAGE', `--repo: there is no folder ${repo}.`, {
    hint: 'Name the folder of a git repository.',
  });
}

/** @throws PhotonError `USAGE` for an argument that the command does not take. */
export function takeNone(positionals: readonly string[], hint?: string): void {
  const [first] = positionals;
  if (first === undefined) return;
  const options = hint === undefined ? {} : { hint };
  throw new PhotonError('USAGE', `Unexpected argument ${JSON.stringify(first)}.`, options);
}

/** @throws PhotonError `USAGE` for a verb that a command does not have; the usage is the hint. */
export function noSuchVerb(verb: string, verbs: readonly string[], usage: string): PhotonError {
  const known = verbs.includes(verb);
  const message =
    verb === '' || known
      ? 'The command is not complete, or has too many arguments.'
      : `There is no command ${JSON.stringify(verb)} here.${didYouMean(verb, verbs)}`;
  return new PhotonError('USAGE', message, { hint: usage });
}
