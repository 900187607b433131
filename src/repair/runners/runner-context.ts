/** The interface that test runner adapters use: texts of the session, and copies of the checkout to run tests in. */
import type { Node } from 'web-tree-sitter';
import type { CommandEnd } from '../../sandbox/sandbox.ts';

/** A copy of the checkout inside the sandbox. Changes stay in the copy. */
export interface RunnerView {
  /** Runs a shell line in the root folder of the copy, without network, and waits for its end. */
  run(line: string, timeoutMs: number): Promise<CommandEnd>;
  /** Writes files between two runs; `null` deletes a file. */
  place(files: ReadonlyMap<string, string | undefined>): Promise<void>;
  /** Text of a file that a run wrote, bounded; undefined if it does not exist. */
  read(path: string): string | undefined;
  close(): void;
}

/** How the test command ended, with at least the end of its output. */
export type BaselineEnd = Pick<CommandEnd, 'exitCode' | 'output'>;

export interface RunnerContext {
  /** The project's test command, a shell line; undefined if verification is waived. */
  readonly testCommand: string | undefined;
  /** How the test command ends on this checkout, if the run plays it anyway and it is all that `testCommand` holds. */
  readonly baseline?: (() => Promise<BaselineEnd>) | undefined;
  /** Path of the report that the command writes; empty if it writes none. */
  readonly report: string;
  /** Time limit of one run of the tests. */
  readonly testTimeoutMs: number;
  /** Maximum number of copies that work at the same time. */
  readonly copies: number;
  /** Paths of the regular files of the session, in git's order. */
  files(): Promise<readonly string[]>;
  /** Text of a file of the session; undefined if it does not exist or is not text. */
  text(path: string): Promise<string | undefined>;
  /** True for a test, a snapshot, or the configuration of a test runner. */
  isTest(path: string): boolean;
  /** Text of a program that Photon ships in `assets/runners/`. */
  runner(name: string): string;
  /** Opens a copy and sets it up for the tests. */
  open(): Promise<RunnerView>;
  log(line: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Time after which nothing starts any more, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** The session's texts of these files, by path; undefined for a file that does not exist or is not text. */
export async function readTexts(
  { text }: Pick<RunnerContext, 'text'>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  return new Map(await Promise.all(paths.map(async path => [path, await text(path)] as const)));
}

/** Finds the path of the project with which an absolute path ends; empty for other paths, such as those of a build. */
export function openOwnPaths(paths: readonly string[]): (path: string) => string {
  const known = new Set(paths);
  return path => {
    if (!path.startsWith('/')) return known.has(path) ? path : '';
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (known.has(path.slice(at + 1))) return path.slice(at + 1);
    return '';
  };
}

/** The interface between the embedded engine and a run. */
export interface RepairContext extends RunnerContext {
  /** A skill of this run that allows edits, or undefined. */
  readonly skill: string | undefined;
  /** True for a path that a repair may change: neither a test nor protected by the policy. */
  mayChange(path: string): boolean;
  /** Parses a text and calls `look` with its syntax tree, which is freed afterwards; undefined for an unknown language. */
  withTree<T>(path: string, text: string, look: (root: Node) => T): Promise<T | undefined>;
}
