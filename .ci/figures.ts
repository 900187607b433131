/**
 * Counts how large this project is, and how easy to live in. `docs/architecture.md` states what each figure is now and its
 * limit, and `test/architecture.test.ts` fails if one gets worse.
 *
 * `node .ci/figures.ts` prints every figure beside its limit, `--json` prints them as JSON, and `node .ci/figures.ts NAME`
 * lists what a figure counts.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { parse } from 'yaml';
import { countConditionalSpreads, importsOf, nodesOf, type Tree } from '../test/syntax.ts';

const root = join(import.meta.dirname, '..');

export interface Figure {
  readonly value: number;
  /** What the value is counted in, when it is not a number of files. */
  readonly unit?: string;
  /** True if more is better. */
  readonly atLeast?: boolean;
  /** What was counted, for `node .ci/figures.ts NAME`. */
  readonly found: readonly string[];
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  readonly nodes: readonly Tree[];
  readonly spreads: number;
  readonly module: ReturnType<typeof parseSync>['module'];
}

interface LocalImport {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  readonly isLazy: boolean;
}

/** What `ecosystems/` and the runner adapters of the engine alone should know, as an expression that finds a mention. */
const ecosystems: Readonly<Record<string, RegExp>> = {
  pytest: /pytest/i,
  jest: /\bjest|jest\b/i,
  vitest: /vitest/i,
  mocha: /mocha/i,
  cargo: /cargo/i,
  go: /\bgo test\b|\bgo\.mod\b/,
  rspec: /rspec/i,
  phpunit: /phpunit/i,
  maven: /\bmvn|maven/i,
  dotnet: /dotnet/i,
};

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const { program, module, comments } = parseSync(path, text);
  const code = comments.reduceRight((all, c) => all.slice(0, c.start) + all.slice(c.end), text);
  const nodes = [...nodesOf(program.body)].map(([node]) => node);
  return { path, text, code, nodes, spreads: countConditionalSpreads(program), module };
}

const countLines = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const counted = (found: readonly string[]): Figure => ({ value: found.length, found });

/** The folders that `docs/architecture.md` lets hold any number of files, since these are siblings in a list. */
export function readListsOfSiblings(): readonly string[] {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  const [, paragraph = ''] = /^Lists of siblings([\s\S]*?)\n\n/m.exec(page) ?? [];
  return [...paragraph.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder);
}

/** Folders with more than 15 files directly inside, but for lists of siblings. */
function countFolders(paths: readonly string[]): Figure {
  const lists = readListsOfSiblings();
  const folders = Object.entries(Object.groupBy(paths, path => dirname(path)));
  const large = folders.filter(([f, inside = []]) => inside.length > 15 && !lists.includes(f));
  return counted(large.map(([folder, inside = []]) => `${folder} ${inside.length}`).sort());
}

/** The places where a program has a node that a test accepts, as `path:line`. */
function findNodes(
  files: readonly SourceFile[],
  accepts: (node: Tree) => boolean,
): readonly string[] {
  return files.flatMap(({ path, text, nodes }) =>
    nodes
      .filter(accepts)
      .map(({ start }) => `${path}:${text.slice(0, Number(start)).split('\n').length}`),
  );
}

/** Functions, and variables that hold one, whose name ends in `Of`. */
function isFunctionOf(node: Tree): boolean {
  const { name } = (node.id ?? {}) as { readonly name?: string };
  return name?.endsWith('Of') === true && isFunctionNode(node);
}

function isFunctionNode(node: Tree): boolean {
  const init = node.type === 'VariableDeclarator' ? (node.init as Tree | null) : node;
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(
    init?.type ?? '',
  );
}

/** Verbs whose plain form ends like a participle. */
const plainVerbs = new Set([
  'embed',
  'exceed',
  'feed',
  'need',
  'proceed',
  'seed',
  'speed',
  'succeed',
]);
const participle =
  /^(?:[a-z]+ed|shown|known|given|taken|made|kept|held|found|left|written|seen|drawn|built|sent|said|told|bound|chosen|broken|hidden|thrown|lost|met|meant|spent|begun|done|gone|worn|torn|cut|split|put|set)$/;

/** Functions, and variables that hold one, whose whole name is one participle, such as `bounded`. */
function isFunctionOfParticiple(node: Tree): boolean {
  const { name = '' } = (node.id ?? {}) as { readonly name?: string };
  if (!participle.test(name) || plainVerbs.has(name)) return false;
  return isFunctionNode(node);
}

/** The local imports of a file, each as a path from the root. */
const findLocalImports = ({ path }: SourceFile): readonly LocalImport[] =>
  importsOf(join(root, path))
    .filter(({ to }) => to.startsWith('.'))
    .map(i => ({ ...i, from: path, to: relative(root, resolve(root, dirname(path), i.to)) }));

/** Every file that a file imports, directly or through others. */
function findReached(from: string, imports: readonly LocalImport[]): readonly string[] {
  const byFile = Map.groupBy(imports, i => i.from);
  const reached = new Set([from]);
  for (const file of reached) for (const { to } of byFile.get(file) ?? []) reached.add(to);
  return [...reached].slice(1).sort();
}

/** Files that import themselves through others. */
function findCircles(imports: readonly LocalImport[]): readonly string[] {
  const byFile = Map.groupBy(imports, i => i.from);
  // what nobody in the rest imports, or what imports nobody in the rest, is in no circle
  const rest = new Set(byFile.keys());
  for (let size = -1; size !== rest.size; ) {
    size = rest.size;
    for (const file of rest)
      if (!(byFile.get(file) ?? []).some(({ to }) => rest.has(to))) rest.delete(file);
  }
  return [...rest].filter(file =>
    findReached(
      file,
      imports.filter(i => rest.has(i.from)),
    ).includes(file),
  );
}

/** A source exports a value of its own, and holds a function or a class: a list, a table of data or types are none. */
function isTestable({ module, nodes }: SourceFile): boolean {
  const exported = module.staticExports
    .flatMap(e => e.entries)
    .some(e => !e.isType && e.moduleRequest === null);
  const acts =
    /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassDeclaration)$/;
  return exported && nodes.some(({ type }) => acts.test(type));
}

const hasTest = ({ path }: SourceFile) =>
  existsSync(join(root, path.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')));

/** Places with six equal lines in a row; imports, comments, and lines of brackets only are left out. */
function findDuplicates(files: readonly SourceFile[]): readonly string[] {
  const size = 6;
  const lines = files.map(({ path, text }) => ({
    path,
    code: text
      .replace(/^(?:import|export \{)[^;]*;$/gm, statement => statement.replace(/[^\n]/g, ''))
      .split('\n')
      .map((line, i) => ({ line: line.trim(), number: i + 1 }))
      .filter(({ line }) => /\w/.test(line) && !/^(\/?\*|\/\/)/.test(line)),
  }));
  const seen = new Map<string, readonly (readonly [file: number, line: number])[]>();
  const found: string[] = [];
  for (const [file, { path, code }] of lines.entries())
    for (let i = 0; i + size <= code.length; i++) {
      const block = code.slice(i, i + size);
      const key = block.map(({ line }) => line).join('\n');
      const before = seen.get(key) ?? [];
      for (const [otherFile, other] of before) {
        const up = lines[otherFile]?.code[other - 1]?.line;
        const continues = up !== undefined && up === code[i - 1]?.line;
        const at = lines[otherFile]?.code[other]?.number;
        if (!continues) found.push(`${lines[otherFile]?.path}:${at} ${path}:${block[0]?.number}`);
      }
      seen.set(key, [...before, [file, i]]);
    }
  return found;
}

/** How many lines or words these files have together; lists the longest first. */
function sumOver(paths: readonly string[], unit: 'lines' | 'words'): Figure {
  const counts = paths.map(path => {
    const text = readFileSync(join(root, path), 'utf8');
    const count = unit === 'lines' ? countLines(text) : text.split(/\s+/).filter(Boolean).length;
    return { path, count };
  });
  return {
    value: counts.reduce((sum, { count }) => sum + count, 0),
    unit,
    found: counts.sort((a, b) => b.count - a.count).map(({ path, count }) => `${count} ${path}`),
  };
}

/** The names of the inputs or outputs in `action.yml`. */
function readKeys(section: 'inputs' | 'outputs'): readonly string[] {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Record<string, object>;
  return Object.keys(action[section] ?? {});
}

/** A row of the table of figures in `docs/architecture.md`. */
export interface FigureRow {
  readonly name: string;
  readonly now: number;
  readonly limit: number;
}

/** The table of figures in `docs/architecture.md`. */
export function readFigureRows(): readonly FigureRow[] {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  const [, part = ''] = /^## Figures\n([\s\S]*?)^## /m.exec(page) ?? [];
  const count = (text = '') => Number(text.replaceAll(',', ''));
  return [...part.matchAll(/^\| `([\w-]+)` \|.*\| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
    ([, name = '', now, limit]) => ({ name, now: count(now), limit: count(limit) }),
  );
}

/** Every figure by its name, in the order of the table in `docs/architecture.md`. */
export function collectFigures(): Readonly<Record<string, Figure>> {
  const list = (pattern: string) =>
    globSync(pattern, { cwd: root, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath, entry.name)))
      .sort();
  const paths = [...list('src/**/*.ts'), ...list('assets/**/*.{cjs,mjs,py,ts}')];
  const files = paths.filter(p => p.startsWith('src/')).map(readSource);
  const imports = files.flatMap(findLocalImports);
  const runCommand = paths.find(p => /^src\/cli\/commands\/run\.ts$/.test(p));
  if (runCommand === undefined) throw new Error('There is no file of the command run.');
  const reached = findReached(
    runCommand,
    imports.filter(i => !i.isType),
  );
  const sources = files.filter(isTestable);
  const agentImports = imports
    .filter(i => i.from.startsWith('src/agent/'))
    .flatMap(i => /^src\/(\w+)\//.exec(i.to)?.[1] ?? [])
    .filter(folder => folder !== 'agent');
  const spreads = files.flatMap(({ path, spreads: length }) => Array.from({ length }, () => path));
  const unsafe = (node: Tree) => /^TS(AnyKeyword|NonNullExpression)$/.test(node.type);
  const outside = files.filter(({ path }) => !/^src\/(ecosystems|repair\/runners)\//.test(path));
  const untested = sources.filter(s => !hasTest(s)).map(({ path }) => path);
  return {
    files: counted(paths),
    lines: sumOver(paths, 'lines'),
    'test-lines': sumOver(list('test/**/*.ts'), 'lines'),
    'doc-words': sumOver(['README.md', ...list('docs/**/*.md')], 'words'),
    'doc-pages': { ...counted(list('docs/*.md')), unit: 'pages' },
    inputs: { ...counted(readKeys('inputs')), unit: 'inputs' },
    outputs: { ...counted(readKeys('outputs')), unit: 'outputs' },
    participles: { ...counted(findNodes(files, isFunctionOfParticiple)), unit: 'functions' },
    folders: { ...countFolders(paths), unit: 'folders' },
    ...Object.fromEntries(
      Object.entries(ecosystems).map(([name, mention]) => [
        name,
        counted(outside.filter(({ code }) => mention.test(code)).map(({ path }) => path)),
      ]),
    ),
    spreads: { ...counted(spreads), unit: 'places' },
    'functions-of': { ...counted(findNodes(files, isFunctionOf)), unit: 'functions' },
    'agent-imports': { ...counted([...new Set(agentImports)].sort()), unit: 'folders' },
    'local-run': counted(reached),
    'local-run-github': counted(reached.filter(p => /^src\/hosts\/github\//.test(p))),
    lazy: {
      ...counted(
        imports
          .filter(i => i.isLazy && !/^src\/cli\/index\.ts$/.test(i.from))
          .map(({ from, to }) => `${from} ${to}`),
      ),
      unit: 'imports',
    },
    tested: {
      value: Math.floor((100 * (sources.length - untested.length)) / sources.length),
      unit: `% of ${sources.length} sources`,
      atLeast: true,
      found: untested,
    },
    circles: counted(findCircles(imports)),
    unsafe: { ...counted(findNodes(files, unsafe)), unit: 'places' },
    duplicates: { ...counted(findDuplicates(files)), unit: 'pairs' },
  };
}

function print(chosen: string | undefined): void {
  const figures = collectFigures();
  const entries = Object.entries(figures);
  const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
  if (chosen === '--json') process.stdout.write(`${JSON.stringify(values, null, 2)}\n`);
  else if (chosen === undefined)
    for (const [name, { value, unit = 'files' }] of entries) {
      const limit = readFigureRows().find(row => row.name === name)?.limit;
      process.stdout.write(`${name.padEnd(18)}${`${value} ${unit}`.padEnd(28)}limit ${limit}\n`);
    }
  else if (Object.hasOwn(figures, chosen))
    process.stdout.write(`${figures[chosen]?.found.join('\n')}\n`);
  else {
    process.stderr.write(
      `There is no figure ${chosen}. Choose one of ${Object.keys(figures).join(', ')}.\n`,
    );
    process.exitCode = 2;
  }
}

if (import.meta.main) print(process.argv[2]);
