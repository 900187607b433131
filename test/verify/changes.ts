/** Projects and changes of them, as the checks of a patch see them, and what every run of the tests is given. */
import type { FileChange } from '../../src/workspace/files/change.ts';

export type Files = Readonly<Record<string, string>>;

export const project = (files: Files) => ({
  paths: Object.keys(files),
  has: (path: string) => Object.hasOwn(files, path),
  read: async (path: string) => files[path],
});

export const state = (text: string | undefined) =>
  text === undefined ? undefined : { mode: '100644' as const, bytes: Buffer.from(text) };

export const changeOf = (path: string, before?: string, after?: string): FileChange => ({
  path,
  before: state(before),
  after: state(after),
});

/** No file that a command starts or names. */
export const noFiles = { started: new Set<string>(), isNamed: () => false };

/** A set-up that reads no file, and runs no script of the project. */
export const plainSetUp = { files: noFiles, installsRunScripts: false };

/** The options of a run of the tests, besides the command and its views. */
export const runOptions = {
  report: '',
  network: 'none' as const,
  timeoutMs: 1000,
  signal: new AbortController().signal,
  log: () => {},
  scrub: (text: string) => text,
};
