/** Selects the tests that are likely to fail with a patch, so that they run before the whole suite. Pure. */

import { dirname, matchesGlob } from 'node:path/posix';
import {
  type PlainCommand,
  plainCommand,
  shellLine,
} from '../ecosystems/commands/parse-command.ts';
import { findTestStage } from '../ecosystems/commands/stages.ts';
import { parseNodeTest } from '../ecosystems/javascript/node-command.ts';
import { importedBy } from '../ecosystems/tests/imports.ts';
import { thisPlatform } from '../process/this-platform.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { TestRun } from './test-run.ts';

/** The project with the patch. */
export interface EarlyProject {
  readonly command: string;
  /** The paths of all files of the base. */
  readonly paths: () => Promise<readonly string[]>;
  /** Text of a file with the patch; null if it does not exist. */
  readonly read: (path: string) => Promise<string | null>;
}

/** A suite that takes less time needs no part that runs before it. */
const minSuiteMs = 5_000;
const maxNames = 100;
const maxTestFiles = 1_000;

/** A shell line that runs these tests; null if they cannot be selected, or the whole suite takes little time. */
export async function selectEarly(
  before: TestRun,
  changes: readonly FileChange[],
  project: EarlyProject,
): Promise<string | null> {
  if (before.run.durationMs < minSuiteMs) return null;
  const manifest = await project.read('package.json');
  const stage = findTestStage(project.command, manifest);
  const plain = stage === null ? null : plainCommand(stage.command, manifest);
  if (stage === null || plain === null) return null;
  const changed = changes.filter(c => c.after !== null).map(c => c.path);
  const paths = [...new Set([...(await project.paths()), ...changed])];
  const scope = { changed, failing: failingIn(before, paths), paths, read: project.read };
  const words = await selectIn(plain, { ...scope, before });
  if (words === null) return null;
  // the programs of the project come first, as in a package script
  const line = `${thisPlatform.shell.withLocalPrograms}${shellLine({ ...plain, words })}`;
  return stage.build === '' ? line : `${stage.build} && ${line}`;
}

interface EarlyScope extends Omit<EarlyProject, 'command' | 'paths'> {
  /** Files that the patch adds or changes. */
  readonly changed: readonly string[];
  /** Test files with cases that failed before. */
  readonly failing: readonly string[];
  readonly paths: readonly string[];
  readonly before: TestRun;
}

type Selection = readonly string[] | null;

/** The words of the command that runs the selection. */
async function selectIn(plain: PlainCommand, scope: EarlyScope): Promise<Selection> {
  const [program = '', second = ''] = plain.words;
  const python = pytestWords(plain.words);
  if (python !== null) return withFiles(python, scope, /(^|\/)(test_[^/]*|[^/]*_test)\.py$/);
  const node = parseNodeTest(plain);
  if (node !== null) {
    const words = ['node', ...node.flags, '--test', ...node.testFlags];
    return withFiles({ words, files: node.files }, scope, /\.[cm]?[jt]s$/);
  }
  if (program === 'vitest' || program === 'jest') return relatedWords(plain.words, scope);
  if (program === 'go' && second === 'test') return goWords(plain.words, scope);
  if (program === 'cargo' && second === 'test') return cargoWords(plain.words, scope);
  return null;
}

/** The files of the cases that failed, as far as the results name them. */
function failingIn({ cases, failures }: TestRun, paths: readonly string[]): readonly string[] {
  const known = new Set(paths);
  const failed = (cases ?? []).filter(c => c.status === 'failed');
  const named = [
    ...failed.flatMap(c => c.file ?? []),
    // `file > suite > name` of vitest and jest, `file::name` of pytest
    ...[...failed.map(c => c.id), ...(failures ?? [])].flatMap(id => id.split(/ > |::/)[0] ?? []),
  ];
  return [...new Set(named)].filter(path => known.has(path)).slice(0, maxNames);
}

interface FileWords {
  /** The command without files. */
  readonly words: readonly string[];
  /** The files, folders and patterns that it names. */
  readonly files: readonly string[];
}

/** Test files that failed, were changed, or import a changed file. */
async function withFiles(
  { words, files }: FileWords,
  { changed, failing, paths, read }: EarlyScope,
  pattern: RegExp,
): Promise<Selection> {
  const isNamed = (path: string) =>
    files.length === 0 || files.some(f => covers(f.replace(/^\.\//, '').replace(/\/$/, ''), path));
  const tests = paths.filter(path => pattern.test(path) && isNamed(path) && isTestFile(path));
  if (tests.length > maxTestFiles) return null;
  const isChanged = new Set(changed);
  const selected: string[] = [];
  for (const test of tests) {
    const imports = importedBy(test, (await read(test)) ?? '', changed);
    if (isChanged.has(test) || failing.includes(test) || imports.length > 0) selected.push(test);
  }
  const isPart = selected.length > 0 && selected.length < tests.length;
  return isPart && selected.length <= maxNames ? [...words, ...selected] : null;
}

const covers = (given: string, path: string) =>
  given === '.' || path === given || path.startsWith(`${given}/`) || matchesGlob(path, given);

/** Narrower than what counts as a test for a patch: fixtures and helpers run no tests. */
function isTestFile(path: string): boolean {
  return /(^|\/)tests?\/[^/]+$|(^|\/)tests?\/(?!fixtures?\/|helpers?\/).*|[._-]test\.\w+$|(^|\/)test[_-][^/]*$/.test(
    path,
  );
}

/** The words of pytest, without files; null for another command. */
function pytestWords(words: readonly string[]): FileWords | null {
  const at = words.findIndex(w => /^(\S*\/)?(pytest|py\.test)$/.test(w));
  const isModule = words[at - 1] === '-m' && /(^|\/)python[\d.]*$/.test(words[at - 2] ?? '');
  if (at < 0 || (at > 0 && !isModule)) return null;
  const rest = positionals(words.slice(at + 1), /^(-k|-m|-n|-p|-c|-o|-W|--\w[\w-]*)$/);
  // a node id names a case, and not a file
  if (rest.files.some(f => f.includes('::'))) return null;
  return { words: [...words.slice(0, at + 1), ...rest.flags], files: rest.files };
}

/** Divides words into options with their values, and the others. `valued` are options that take the next word. */
function positionals(words: readonly string[], valued: RegExp) {
  const flags: string[] = [];
  const files: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) files.push(word);
    else {
      const next = words[i + 1] ?? '-';
      const takes = valued.test(word) && !next.startsWith('-');
      flags.push(word);
      if (takes) flags.push(next);
      if (takes) i += 1;
    }
  }
  return { flags, files };
}

const scriptSource = /\.(?:[cm]?[jt]sx?|vue|svelte|json|css)$/;
/** They change where the results go, or need the whole suite. */
const unusedFlags = /^--(?:coverage|reporters?|outputFile)\b/;

/** Both runners follow the imports of their tests themselves. */
function relatedWords([program = '', ...words]: readonly string[], scope: EarlyScope): Selection {
  const { flags, files } = positionals(
    words.filter(w => w !== 'run' && w !== '--run'),
    /^(-c|--config|--project|--environment|--pool|-w|--maxWorkers|--reporter|--testEnvironment)$/,
  );
  // with a filter or another root, the files would mean something else
  if (files.length > 0 || flags.some(f => /^(-r|--root|--dir|--rootDir|--watch)\b/.test(f)))
    return null;
  const named = [
    ...new Set([...scope.failing, ...scope.changed.filter(p => scriptSource.test(p))]),
  ];
  if (named.length === 0 || named.length > maxNames) return null;
  const kept = flags.filter((f, i) => !unusedFlags.test(f) && !isValueOf(flags, i));
  return program === 'vitest'
    ? ['vitest', 'related', ...named, '--run', '--passWithNoTests', ...kept]
    : ['jest', ...kept, '--passWithNoTests', '--findRelatedTests', ...named];
}

function isValueOf(flags: readonly string[], i: number): boolean {
  return !flags[i]?.startsWith('-') && unusedFlags.test(flags[i - 1] ?? '');
}

/** The packages of changed files, and those that failed. */
function goWords(words: readonly string[], { changed, paths, before }: EarlyScope): Selection {
  const { flags, files } = positionals(
    words.slice(2),
    /^-{1,2}(?:run|skip|timeout|tags|count|p|parallel|cpu|bench|shuffle|coverprofile|coverpkg|covermode|ldflags|gcflags|vet|mod)$/,
  );
  if (files.length !== 1 || files[0] !== './...') return null;
  const modules = paths.filter(p => p.endsWith('/go.mod')).map(dirname);
  const inModule = changed.filter(
    path => path.endsWith('.go') && !modules.some(m => path.startsWith(`${m}/`)),
  );
  const folders = inModule.map(path => (dirname(path) === '.' ? '.' : `./${dirname(path)}`));
  const failed = (before.failures ?? []).filter(id => !id.includes(' > ') && id.includes('/'));
  const packages = [...new Set([...folders, ...failed])];
  const isUsable = packages.length > 0 && packages.length <= maxNames;
  return isUsable ? ['go', 'test', ...flags, ...packages] : null;
}

/** The packages of changed files in a workspace. */
async function cargoWords(
  words: readonly string[],
  { changed, paths, read }: EarlyScope,
): Promise<Selection> {
  const flags = words.slice(2).filter(w => !/^--(workspace|all)$/.test(w));
  // a filter, a package or options of the tests
  if (flags.some(w => !/^--[\w-]+(=\S+)?$/.test(w) || /^--(package|manifest-path)\b/.test(w)))
    return null;
  if (!/^\[workspace\b/m.test((await read('Cargo.toml')) ?? '')) return null;
  const manifests = new Set(paths.filter(p => /(^|\/)Cargo\.toml$/.test(p)));
  const names = new Set<string>();
  for (const path of changed.filter(p => p.endsWith('.rs'))) {
    const found = manifestAbove(path, manifests);
    const section = /^\[package\]([^[]*)/m.exec((found && (await read(found))) ?? '')?.[1] ?? '';
    const name = /^[ \t]*name[ \t]*=[ \t]*"([\w-]+)"/m.exec(section)?.[1];
    if (name === undefined) return null;
    names.add(name);
  }
  if (names.size === 0 || names.size > maxNames) return null;
  return ['cargo', 'test', ...flags, ...[...names].flatMap(name => ['-p', name])];
}

function manifestAbove(path: string, manifests: ReadonlySet<string>): string | null {
  for (let at = dirname(path); ; at = dirname(at)) {
    const manifest = at === '.' ? 'Cargo.toml' : `${at}/Cargo.toml`;
    if (manifests.has(manifest)) return manifest;
    if (at === '.') return null;
  }
}

/** The cases that show in the early part that the whole suite will fail. A limit or an exit status shows nothing. */
export function earlyFailures(
  require: 'pass' | 'no-regression',
  before: TestRun,
  ran: TestRun,
): readonly string[] {
  if (ran.run.limit !== null) return [];
  const failed = failedIn(ran);
  if (failed === null) return [];
  if (require === 'pass') return failed;
  const known = failedIn(before);
  return known === null ? [] : failed.filter(id => !known.includes(id));
}

/** The failed cases; null if they are not all named. */
function failedIn({ cases, failures }: TestRun): readonly string[] | null {
  return cases?.filter(c => c.status === 'failed').map(c => c.id) ?? failures;
}
