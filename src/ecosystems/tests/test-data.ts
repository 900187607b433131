/** Finds the changed files that only tests use, such as expected values outside of the folders of tests. */
import { lockFile } from '../../guard/paths.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { isTestPath, pathClasses } from './path-classes.ts';
import { definesTests, getStateText, isTestHelper, type TestRole } from './test-role.ts';

interface BaseProject {
  /** The paths of all files of the base. */
  readonly paths: () => Promise<readonly string[]>;
  /** Text of a file of the base; undefined if it does not exist. */
  readonly readBase: (path: string) => Promise<string | undefined>;
}

/** A project with more files that could use one is not looked through. */
const maxReaders = 3_000;
const documents = /\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:LICENSE|CHANGELOG|README)[^/]*$/i;
const script = /\.(?:[cm]?[jt]sx?|py)$/;
const code =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rb|rs|java|kts?|php|swift|c[cs]?|cpp|h|hpp|exs?|dart|scala|sh)$/;
const configuration = /\.(?:json|ya?ml|toml|cfg|ini|html)$|(?:^|\/)(?:Makefile|Rakefile)$/;

interface TestData {
  readonly roles: ReadonlyMap<string, TestRole>;
  /** Data that no text of the project names, so that a run must show who depends on it. */
  readonly unnamed: readonly string[];
}

const nobody: TestData = { roles: new Map(), unnamed: [] };
const tooling = [...pathClasses['@manifests'], ...pathClasses['@check-config']];

/**
 * The roles of those changes of data, and of code without functions, that a test of the base names or imports and no other
 * file does. A file that anything else might read, by its folder, too, is none of them.
 */
export async function findTestData(
  changes: readonly FileChange[],
  { paths, readBase }: BaseProject,
): Promise<TestData> {
  const open = new Set(changes.filter(isData).map(c => c.path));
  if (open.size === 0) return nobody;
  const used = new Set<string>();
  const readers = (await paths()).filter(
    path => (code.test(path) || configuration.test(path)) && !lockFile.test(path),
  );
  if (readers.length > maxReaders) return nobody;
  const mentions = new Map([...open].map(path => [path, makeMention(path)]));
  for (const reader of readers) {
    if (open.size === 0) break;
    const text = (await readBase(reader)) ?? '';
    const found = [...open].filter(path => path !== reader && mentions.get(path)?.test(text));
    if (found.length === 0) continue;
    const isTest = isTestPath(reader) || isTestHelper(reader) || definesTests(text);
    for (const path of found) if (isTest) used.add(path);
    for (const path of found) if (!isTest) open.delete(path);
  }
  const only = [...used].filter(path => open.has(path));
  return {
    roles: new Map(only.map(path => [path, makeRole(path)])),
    unnamed: [...open].filter(path => !used.has(path) && !tooling.some(t => t.test(path))),
  };
}

/** Values in code may be those of a small program, so a person decides about them. */
function makeRole(path: string): TestRole {
  const reason = 'only tests use it';
  return script.test(path)
    ? { kind: 'means', reason, decides: false }
    : { kind: 'tests', reason, decides: true };
}

/** True for data, and for code that held values and still defines nothing that runs. */
function isData({ path, before, after }: FileChange): boolean {
  if (before === undefined || documents.test(path) || lockFile.test(path)) return false;
  if (!code.test(path)) return true;
  const held = getStateText(before);
  return (
    script.test(path) &&
    /[=:]\s*[[{('"`\d-]/.test(held) &&
    !/\bfunction\b|=>|\b(?:class|def|lambda)\b/.test(`${held}\n${getStateText(after)}`)
  );
}

/** How a text names a file: as a text or a module, or the whole folder of data. */
function makeMention(path: string): RegExp {
  const [name = '', folder] = path
    .split('/')
    .reverse()
    .map(part => RegExp.escape(part));
  const stem = name.replace(/(?!^)\\\.\w+$/, '');
  const quotes = '[\'"`]';
  const whole =
    script.test(path) || folder === undefined
      ? ''
      : `|(?:${quotes}|/)${folder}(?:/?${quotes}|/[$%{*])`;
  return new RegExp(
    `(?:${quotes}|/|\\.)${stem}(?:\\.\\w+)*${quotes}|\\b(?:from|import)\\b[^\\n]*\\b${stem}\\b${whole}`,
  );
}
