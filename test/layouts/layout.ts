/** The form of a layout: a project as a small tree, with the commands that its tools' documentation gives. */
import type { ProjectFiles } from '../../src/ecosystems/shared/project-files.ts';

/** A project, and what detection has to find in it. */
export interface Layout {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The row of the table that decides; undefined if nothing does. */
  readonly tool: string | undefined;
  readonly test: string;
  readonly setup: string;
  readonly because: string;
}

/** The tool, what shows it, the test command, and the set-up. */
export type Expected = readonly [
  tool: string | undefined,
  because: string,
  test: string,
  setup: string,
];

export const layout = (name: string, files: Layout['files'], expected: Expected): Layout => {
  const [tool, because, test, setup] = expected;
  return { name, files, tool, because, test, setup };
};

/** Nothing is found. */
export const none: Expected = [undefined, '', '', ''];

/** The test script of `package.json` is found. */
export const script = (test: string, setup: string): Expected => [
  'package script',
  'package.json',
  test,
  setup,
];

/** A `package.json` with a test script. */
export const pack = (test: string | undefined, more: object = {}): string =>
  JSON.stringify({ ...(test === undefined ? {} : { scripts: { test } }), ...more });

/** Packages for development, for a `package.json`. */
export const uses = (...names: readonly string[]) => ({
  devDependencies: Object.fromEntries(names.map(name => [name, '1'])),
});

/** The files of a tree, as detection reads them. */
export const filesOf = (files: Layout['files']): ProjectFiles => ({
  has: path => Object.hasOwn(files, path),
  read: async path => files[path],
  paths: Object.keys(files),
});
