/** Selects the tests of a command that are likely to fail with a patch. Pure. */
import { matchesGlob } from 'node:path/posix';
import { collectWords } from '../../base/plural.ts';

/** What a selection is made from. */
export interface EarlyScope {
  /** Files that the patch adds or changes. */
  readonly changed: readonly string[];
  /** Test files with cases that failed before. */
  readonly failing: readonly string[];
  /** Names of the failures before, if all are known; otherwise empty. */
  readonly failures: readonly string[];
  readonly paths: readonly string[];
  /** Text of a file with the patch; undefined if it does not exist. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** The words of the command that runs the selection; undefined if nothing can be selected. */
export type Selection = readonly string[] | undefined;

/** Most files or packages that one command names. */
export const maxNames = 100;
const maxTestFiles = 1_000;

/** Finds options by these names, with one dash or two. */
export function matchOptions(list: string): Pick<RegExp, 'test'> {
  const names = collectWords(list);
  return { test: option => names.has(option.replace(/^--?/, '')) };
}

/** Divides words into options with their values, and the others. `valued` are options that take the next word. */
export function positionals(words: readonly string[], valued: Pick<RegExp, 'test'>) {
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

export interface FileWords {
  /** The command without files. */
  readonly words: readonly string[];
  /** The files, folders and patterns that it names. */
  readonly files: readonly string[];
}

/** Test files that failed, were changed, or import a changed file. */
export async function selectFiles(
  { words, files }: FileWords,
  { changed, failing, paths, read }: EarlyScope,
  isTestFile: (path: string) => boolean,
): Promise<Selection> {
  const isNamed = (path: string) =>
    files.length === 0 || files.some(f => covers(f.replace(/^\.\//, '').replace(/\/$/, ''), path));
  const tests = paths.filter(path => isTestFile(path) && isNamed(path));
  if (tests.length > maxTestFiles) return undefined;
  const isChanged = new Set(changed);
  const selected: string[] = [];
  for (const test of tests) {
    const imports = importedBy(test, (await read(test)) ?? '', changed);
    if (isChanged.has(test) || failing.includes(test) || imports.length > 0) selected.push(test);
  }
  const isPart = selected.length > 0 && selected.length < tests.length;
  return isPart && selected.length <= maxNames ? [...words, ...selected] : undefined;
}

const covers = (named: string, path: string) =>
  named === '.' || path === named || path.startsWith(`${named}/`) || matchesGlob(path, named);

/** Narrower than what counts as a test for a patch: fixtures and helpers run no tests. */
export function runsTests(path: string): boolean {
  return /(^|\/)tests?\/(?!fixtures?\/|helpers?\/)|[._-]test\.\w+$|(^|\/)test[_-][^/]*$/.test(path);
}

const specifiers = [
  /\bfrom\s+['"](\.[^'"]*)['"]/g,
  /\b(?:require|import)\(\s*['"](\.[^'"]*)['"]\s*\)/g,
  /^[ \t]*import\s+['"](\.[^'"]*)['"]/gm,
];

/** The paths of the project that a test imports. */
export function importedBy(
  test: string,
  text: string,
  paths: readonly string[],
): readonly string[] {
  const known = new Set(paths);
  const folder = test.split('/').slice(0, -1);
  const named = specifiers.flatMap(s => [...text.matchAll(s)].map(m => join(folder, m[1] ?? '')));
  const modules = [
    ...text.matchAll(/^[ \t]*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))/gm),
  ].flatMap(m => ['', 'src/'].map(root => root + (m[1] ?? m[2] ?? '').replaceAll('.', '/')));
  const endings = [
    '',
    '.js',
    '.ts',
    '.tsx',
    '.jsx',
    '.mjs',
    '.cjs',
    '.py',
    '/index.js',
    '/index.ts',
    '/__init__.py',
  ];
  const found = [...named, ...modules].flatMap(p => [
    // the root folder has no name
    ...endings.map(e => (p + e).replace(/^\//, '')),
    p.replace(/\.js$/, '.ts'),
  ]);
  return [...new Set(found)].filter(p => known.has(p));
}

function join(folder: readonly string[], path: string): string {
  const parts = [...folder];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
