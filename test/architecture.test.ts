import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type Program, parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { collectFigures, readFigureRows, readListsOfSiblings } from '../.ci/figures.ts';
import { ruleCodes } from '../src/guard/policy/constitution.ts';
import { root } from './harness.ts';
import {
  countConditionalSpreads,
  identifiersOf,
  importsOf,
  parseSource,
  stateOf,
  usesOf,
} from './syntax.ts';

/** The page that states layers and owners; this test holds the code to it. */
const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

/** Lines of a fenced block of layers, from the top down; the names on one line do not import each other. */
function layersOf(folder = ''): readonly (readonly string[])[] {
  const [, after = ''] = page.split(`\`\`\`layers${folder && ` ${folder}`}\n`);
  const lines = after.split('\n```')[0]?.split('\n') ?? [];
  return lines.map(line => line.split(' ').map(name => name.replace(/\/$/, '')));
}

/** The layer of each name: the lower, the further down. */
function ranksOf(layers: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(layers.flatMap((names, i) => names.map(name => [name, layers.length - i])));
}

const ranks = ranksOf(layersOf());
const subfolders = new Map(
  ['hosts', 'hosts/github', 'agent', 'repair', 'verify', 'workspace'].map(folder => [
    folder,
    ranksOf([['.'], ...layersOf(folder)]),
  ]),
);

const effects = page.slice(
  page.indexOf('## Owners of effects'),
  page.indexOf('## State that outlives a call'),
);
const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The packages and modules of each effect, and the places that own them. */
const owners = [...effects.matchAll(/^\| (`[^|]+) \| (`[^|]+) \|$/gm)].map(
  ([, effect = '', places = '']) => ({ names: codeIn(effect), places: codeIn(places) }),
);

/** The globals and functions of Node that only some places may use; the other owners are of imports. */
const globals = owners.filter(({ names }) => names.some(name => /[A-Z.]/.test(name)));

/** The files and names of the table of state that outlives a call. */
const statePart = page.slice(
  page.indexOf('## State that outlives a call'),
  page.indexOf('## Foreign data'),
);
const namedState = [...statePart.matchAll(/^\| (`[^|]+) \| `([^`]+)` \|/gm)].flatMap(
  ([, names = '', file = '']) => codeIn(names).map(name => `${file} ${name}`),
);

/** Words that no identifier holds, each with the word to use. */
const retired: Readonly<Record<string, string>> = {
  walk: 'run',
  hall: 'RunContext',
  pursue: 'execute',
  house: 'architecture',
  corridor: 'pipeline',
  door: 'entry point',
  law: 'policy',
  ground: 'RunEnvironment, initial evidence',
  room: 'ToolContext, WorkflowExecution',
  workshop: 'RunServices',
  workbench: 'RepairContext',
  bench: 'verifier',
  bed: 'test runner adapter',
  shelf: 'versioned store',
  shelve: 'versioned store',
  dialect: 'language adapter',
  atom: 'predicate',
  mind: 'engine',
  dress: 'apply metadata',
  dressed: 'with metadata',
  gravity: 'severity',
  gravest: 'worst',
  standing: 'repository role',
  heard: 'allowed',
  hearing: 'command scope',
  stray: 'unexpected',
  tether: 'lifeline',
  fewest: 'min…',
  sayings: 'text, message',
};

/** Words that may be a part of a name (`askedBy`) and are no name, nor the end of one. */
const retiredEndings = new Set(['told', 'said', 'asked']);

/** Names that no type has: each says nothing of what it holds. */
const retiredTypes = new Set(['Answer', 'Place', 'Step', 'Words']);

/** Keys of files that users keep, and codes: they do not change. */
const keptNames: Readonly<Record<string, string>> = {
  XML_STRAY_TEXT: 'a stable code',
};

const isCode = (name: string) => /^[A-Z_]+$/.test(name);

/** The words of a name, in lower case and without an ending of the plural. */
const wordsIn = (name: string) =>
  name
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[-_.#]/)
    .map(word => word.toLowerCase());

function isRetired(name: string): boolean {
  const words = wordsIn(name);
  return (
    retiredTypes.has(name) ||
    retiredEndings.has(words.at(-1) ?? '') ||
    (words[0] === 'most' && words.length > 1) ||
    words.some(
      word => Object.hasOwn(retired, word) || Object.hasOwn(retired, word.replace(/s$/, '')),
    )
  );
}

const matches = (pattern: string, name: string) =>
  pattern.endsWith('*')
    ? name.startsWith(pattern.slice(0, -1))
    : name === pattern || name.startsWith(`${pattern}/`);

const source = join(root, 'src');

function sources(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(f => /\.ts$/.test(f) && !f.endsWith('.d.ts'))
    .sort();
}

const top = (file: string) => file.split('/')[0] ?? '';

/** The folder that a file lies in, as its parent's order names it: `.` for a file of the folder itself. */
function below(folder: string, file: string): string {
  const [name = '', ...deeper] = file.slice(folder.length + 1).split('/');
  return deeper.length === 0 ? '.' : name;
}

const files = sources();
const all = files.flatMap(from => importsOf(join(source, from)).map(({ to }) => ({ from, to })));
const local = all
  .filter(i => i.to.startsWith('.'))
  .map(({ from, to }) => ({ from, to: relative(source, resolve(source, dirname(from), to)) }));
const programs = new Map(files.map(f => [f, parseSource(join(source, f))]));
const importsFrom = Map.groupBy(local, i => i.from);

/** True when the first file may import the second. */
function mayImport(from: string, to: string): boolean {
  if (top(from) !== top(to)) return (ranks.get(top(from)) ?? 0) > (ranks.get(top(to)) ?? 99);
  return [...subfolders]
    .filter(([folder]) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`))
    .every(([folder, order]) => {
      const [above, under] = [below(folder, from), below(folder, to)];
      return above === under || (order.get(above) ?? 0) > (order.get(under) ?? 99);
    });
}

/** Every file that a file imports, directly or through others. */
function reachedFrom(file: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [file];
  for (const from of open)
    for (const { to } of importsFrom.get(from) ?? [])
      if (!reached.has(to)) {
        reached.add(to);
        open.push(to);
      }
  return reached;
}

describe('the architecture', () => {
  it('has a layer for every folder, and a folder for every layer', () => {
    expect([...new Set(files.map(top))].sort()).toEqual([...ranks.keys()].sort());
    expect(files.length).toBeGreaterThan(300);
    for (const [folder, order] of subfolders) {
      const inside = files.filter(f => f.startsWith(`${folder}/`));
      const found = new Set(inside.map(f => below(folder, f)));
      const named = [...order.keys()].filter(name => name !== '.');
      expect([...found].filter(name => name !== '.').sort(), folder).toEqual(named.sort());
    }
  });

  it('imports downwards only, types included', () => {
    expect(local.length).toBeGreaterThan(1000);
    expect(local.filter(({ from, to }) => !mayImport(from, to))).toEqual([]);
  });

  it('knows a product by the files that the page names', () => {
    const part = page.slice(page.indexOf('### Products'), page.indexOf('### Order inside folders'));
    const products = [...part.matchAll(/^\| `([^`]+)` \| (`.+`) \|$/gm)];
    expect(products.length).toBeGreaterThan(1);
    for (const [, folder = '', known = ''] of products) {
      const users = local.filter(i => i.to.startsWith(folder) && !i.from.startsWith(folder));
      expect([...new Set(users.map(({ to }) => to))].sort(), folder).toEqual(codeIn(known).sort());
    }
  });

  it('runs at a terminal without a file of GitHub', () => {
    const reached = [...reachedFrom('cli/commands/run.ts')];
    expect(reached.filter(f => f.startsWith('hosts/github/'))).toEqual([]);
    expect(reached).toContain('hosts/local/local-host.ts');
  });

  it('keeps memory out of sight of the guard: nothing that it reaches knows of records', () => {
    const guard = files.filter(f => top(f) === 'guard');
    const reached = new Set(guard.flatMap(f => [f, ...reachedFrom(f)]));
    expect([...reached].filter(f => top(f) === 'memory')).toEqual([]);
    expect(reached.size).toBeGreaterThan(30);
  });

  it('has one owner for each effect', () => {
    const foreign = all.filter(i => !i.to.startsWith('.'));
    const breaches = foreign.filter(({ from, to }) => {
      const name = builtinModules.includes(to) ? `node:${to}` : to;
      const owner = owners.find(({ names }) => names.some(pattern => matches(pattern, name)));
      return owner !== undefined && !owner.places.some(p => from === p || from.startsWith(p));
    });
    expect(breaches).toEqual([]);
  });

  it('reads the environment, the clock, timers and chance only where the page says', () => {
    const isOwned = (file: string, places: readonly string[]) =>
      places.some(place => file === place || (place.endsWith('/') && file.startsWith(place)));
    const uses = new Map(files.map(f => [f, usesOf(programs.get(f) as Program)]));
    for (const { names, places } of globals) {
      const users = files.filter(f => names.some(name => uses.get(f)?.has(name)));
      expect(
        users.filter(f => !isOwned(f, places)),
        names[0],
      ).toEqual([]);
      // a place that has no use of it any more leaves the page
      expect(
        places.filter(place => !users.some(f => isOwned(f, [place]))),
        names[0],
      ).toEqual([]);
    }
    expect(globals).toHaveLength(4);
  });

  it('keeps from one call to the next only what the page names, with its owner', () => {
    const found = files.flatMap(f =>
      stateOf(programs.get(f) as Program).map(name => `${f} ${name}`),
    );
    expect(namedState.sort()).toEqual(found.sort());
    expect(found.length).toBeGreaterThan(5);
  });

  it.each([
    ['const known = new WeakMap();', 'known'],
    ['export const known = new Map<string, number>();', 'known'],
    ['const known: Set<string> = new Set();', 'known'],
    ["const known = new Set(['a']); export const f = (b: string) => known.add(b);", 'known'],
    ['let count = 0;', 'count'],
    ['export let count = 0;', 'count'],
    ['const state = { count: 0 }; export function f() { state.count += 1; }', 'state'],
    ['const state = { count: 0 }; export const f = () => state.count++;', 'state'],
    ['const list: string[] = []; export const f = () => list.push("a");', 'list'],
    ['const parts = { a: { b: [1] } }; export const f = () => parts.a.b.splice(0);', 'parts'],
    ["import { shared } from './a.ts'; export const f = () => shared.set(1, 2);", 'shared'],
    ['const place = once(() => findPlace());', 'place'],
    ['const place = await openPlace();', 'place'],
    ['export class Known { static count = 0; }', 'count'],
  ])('finds state of a module: %s', (text, name) => {
    expect(stateOf(parseSync('a.ts', text).program)).toEqual([name]);
  });

  it.each([
    'const known: ReadonlySet<string> = new Set(["a", "b"]);',
    'const rowSchema = once(() => { const id = z.string(); return z.object({ id }); });',
    'const row = once(() => z.object({ id: z.string() }).strict());',
    'export function f() { const known = new Map(); known.set(1, 2); let count = 0; count += 1; return count; }',
    'const next = /a/y; export const f = (at: number) => { next.lastIndex = at; };',
    "import { readdirSync } from 'node:fs'; export const f = () => readdirSync('.').sort();",
  ])('takes no constant and no variable of a function for state: %s', text => {
    expect(stateOf(parseSync('a.ts', text).program)).toEqual([]);
  });

  it('lets no figure get worse than the page says it is', () => {
    const figures = collectFigures();
    const rows = readFigureRows();
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(figures));
    for (const { name, now } of rows) {
      const { value = 0, atLeast = false, found = [] } = figures[name] ?? {};
      const list = `${name} is ${value}\n${found.slice(0, 40).join('\n')}`;
      expect(atLeast ? now - value : value - now, list).toBeLessThanOrEqual(0);
    }
  });

  it('lets a folder hold many files only while it does', () => {
    const lists = readListsOfSiblings();
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter(f => readdirSync(join(root, f)).length <= 15)).toEqual([]);
  });

  it.each([
    'const a = { ...(b ? { c } : {}) };',
    'const a = { ...(b && { c }) };',
    'const a = [...(b === undefined ? [] : [b])];',
  ])('finds a conditional spread: %s', text => {
    expect(countConditionalSpreads(parseSync('a.ts', text).program)).toBe(1);
  });

  it('uses no retired word as an identifier, or as the name of a file or folder', () => {
    const named = files.flatMap(file => {
      const identifiers = identifiersOf(programs.get(file) as Program)
        .filter(({ name, isKey }) => !(Object.hasOwn(keptNames, name) && (isKey || isCode(name))))
        .map(({ name }) => name);
      const path = file.replace(/\.ts$/, '').split('/');
      return [...new Set([...identifiers, ...path])].map(name => ({ name, file }));
    });
    const found = named.filter(({ name }) => isRetired(name));
    expect(found.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
    expect(named.length).toBeGreaterThan(10_000);
  });

  it('draws every choice of a test from the one seed', () => {
    const drawing = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter(f => /\.ts$/.test(f) && f !== 'architecture.test.ts' && !f.includes('node_modules'))
      .filter(f =>
        /Math\.random|randomBytes|randomUUID|\bseed: \d/.test(
          readFileSync(join(root, 'test', f), 'utf8'),
        ),
      );
    expect(drawing).toEqual([]);
  });

  it('keeps the run readable from one short file', () => {
    expect(readFileSync(join(source, 'run/run.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(
      198,
    );
  });

  it('begins every file with a sentence that says what it is', () => {
    expect(files.filter(f => !readFileSync(join(source, f), 'utf8').startsWith('/** '))).toEqual(
      [],
    );
  });

  it('names a rule file by its code', () => {
    const rules = files.filter(f => f.startsWith('guard/rules/') && !f.endsWith('index.ts'));
    for (const file of rules) {
      const code = (file.split('/').at(-1) ?? '')
        .replace('.ts', '')
        .replaceAll('-', '_')
        .toUpperCase();
      expect(readFileSync(join(source, file), 'utf8')).toContain(`code: '${code}'`);
    }
    expect(rules).toHaveLength(ruleCodes.length);
  });
});
