/** Decides which result of a set-up can stand for another: by the key of what it was made from. Pure. */
import { createHash } from 'node:crypto';
import { installPart, repeatedSetUp, type SetUpFiles } from '../../ecosystems/commands/set-up.ts';
import type { FileChange } from '../../workspace/files/change.ts';

/** What the result of a set-up depends on besides the files. */
export interface SetUpMachine {
  /** The variables of commands, and facts of the machine such as its system. */
  readonly facts: Readonly<Record<string, string | undefined>>;
  /** Identifies a program of the PATH. */
  readonly program: (name: string) => string;
}

/** The part of a set-up whose result is kept. */
export interface KeptPart {
  /** A shell line. */
  readonly command: string;
  /** A shell line that runs after it in every run; empty for none. */
  readonly rest: string;
  /** sha256 of all that the result depends on. */
  readonly key: string;
  /** Files of the base that the result depends on. */
  readonly files: ReadonlySet<string>;
}

interface Base {
  readonly setUp: SetUpFiles;
  readonly entries: ReadonlyMap<string, { readonly mode: string; readonly oid: string }>;
}

/**
 * The leading installations of a command, keyed by the files that make them run again when a patch changes them.
 * A command that begins with anything else is kept as a whole, keyed by every file of the base.
 */
export function findKeptPart(
  command: string,
  { setUp, entries }: Base,
  machine: SetUpMachine,
): KeptPart {
  const split = installPart(command) ?? { install: command, rest: '' };
  const repeats = (path: string) =>
    repeatedSetUp(split.install, setUp, [makeChange(path)]) === split.install;
  const read = [...entries].filter(([path]) => repeats(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const words = [...new Set(['node', ...(split.install.match(/[\w.+-]+/g) ?? [])])];
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify([
      'photon-setup-cache:1',
      split.install,
      Object.entries(machine.facts).sort(([a], [b]) => (a < b ? -1 : 1)),
      words.map(name => [name, machine.program(name)]),
      read.map(([path, { mode, oid }]) => [path, mode, oid]),
    ]),
  );
  return {
    command: split.install,
    rest: split.rest,
    key: hash.digest('hex'),
    files: new Set(read.map(([path]) => path)),
  };
}

function makeChange(path: string): FileChange {
  return { path, before: undefined, after: undefined };
}
