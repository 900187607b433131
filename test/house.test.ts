import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { ruleCodes } from '../src/guard/constitution.ts';
import { root } from './harness.ts';

/** The row of rooms by line; a file imports from its own folder or from a lower line only. */
const lines: Readonly<Record<string, number>> = {
  'start.ts': 12,
  'main.ts': 11,
  'cli.ts': 11,
  'action.ts': 10,
  commands: 9,
  fleet: 8,
  workflow: 8,
  'run.ts': 7,
  github: 6,
  report: 6,
  agent: 5,
  tools: 4,
  navigation: 3,
  model: 3,
  skills: 3,
  memory: 3,
  verification: 3,
  session: 2,
  guard: 1,
  'task.ts': 0,
  'settings.ts': 0,
  // below the other data, since a task may carry a plan that was approved
  'outcome.ts': -1,
  'wall-settings.ts': -1,
  // below all data, since settings throw and outcomes carry codes
  'codes.ts': -2,
  'delivery-settings.ts': -2,
};

/** Who may touch what: packages and modules by pattern, and the places that own them. */
const owners: readonly (readonly [RegExp, RegExp])[] = [
  [/^@actions\/core$/, /^action\.ts$/],
  [/^(@actions\/github|@octokit\/.*|bottleneck.*)$/, /^github\//],
  [/^openai(\/.*)?$/, /^model\//],
  [
    /^node:(fs|fs\/promises|child_process|sqlite|net|dgram)$/,
    /^(session\/|(start|main|cli|action)\.ts$)/,
  ],
  [/^(web-tree-sitter|vscode-.*)$/, /^(navigation\/|model\/builtin\/|session\/shipped\.ts$)/],
];

const source = join(root, 'src');

interface Import {
  readonly from: string;
  readonly to: string;
}

function sources(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(f => /\.ts$/.test(f) && !f.endsWith('.d.ts'))
    .sort();
}

/** Every import, export-from, dynamic import and type import of a file, by a real parser. */
function importsOf(file: string): Import[] {
  const parsed = parseSync(file, readFileSync(join(source, file), 'utf8'));
  expect(parsed.errors, file).toEqual([]);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const text = readFileSync(join(source, file), 'utf8');
  const named = [
    ...staticImports.map(i => i.moduleRequest.value),
    ...staticExports.flatMap(e => e.entries.flatMap(entry => entry.moduleRequest?.value ?? [])),
    ...dynamicImports
      .map(d => text.slice(d.moduleRequest.start, d.moduleRequest.end))
      .filter(t => /^['"]/.test(t))
      .map(t => t.slice(1, -1)),
    ...[...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map(m => m[1] ?? ''),
  ];
  return [...new Set(named)].map(to => ({ from: file, to }));
}

const room = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : file);

const files = sources();
const all = files.flatMap(importsOf);

describe('the house', () => {
  it('has a line for every room, and a room for every line', () => {
    expect([...new Set(files.map(room))].sort()).toEqual(Object.keys(lines).sort());
    expect(files.length).toBeGreaterThan(90);
  });

  it('imports downwards only, types included', () => {
    const local = all.filter(i => i.to.startsWith('.'));
    expect(local.length).toBeGreaterThan(250);
    const breaches = local.filter(({ from, to }) => {
      const target = relative(source, resolve(source, dirname(from), to));
      if (target.startsWith('..')) return true;
      return (
        room(target) !== room(from) && (lines[room(target)] ?? 99) >= (lines[room(from)] ?? -9)
      );
    });
    expect(breaches).toEqual([]);
  });

  it('keeps memory out of sight of the guard: nothing that it reaches knows of records', () => {
    const reached = new Set(files.filter(f => room(f) === 'guard'));
    for (const from of reached)
      for (const { to } of all.filter(i => i.from === from && i.to.startsWith('.')))
        reached.add(relative(source, resolve(source, dirname(from), to)));
    expect([...reached].filter(f => room(f) === 'memory')).toEqual([]);
    expect(reached.size).toBeGreaterThan(30);
  });

  it('has one owner for each effect', () => {
    const foreign = all.filter(i => !i.to.startsWith('.'));
    const breaches = foreign.filter(({ from, to }) => {
      const name = builtinModules.includes(to) ? `node:${to}` : to;
      const owner = owners.find(([pattern]) => pattern.test(name));
      return owner !== undefined && !owner[1].test(from);
    });
    expect(breaches).toEqual([]);
  });

  it('reads the environment in the doors, and makes time and chance in few places', () => {
    const breaches = files.filter(
      f =>
        /process\.env/.test(readFileSync(join(source, f), 'utf8')) && !/^(main|cli)\.ts$/.test(f),
    );
    expect(breaches).toEqual([]);
    const clocks = files.filter(f =>
      /\bDate\.now\b|Math\.random|new Date\(\)/.test(readFileSync(join(source, f), 'utf8')),
    );
    expect(clocks).toEqual(['action.ts', 'cli.ts', 'session/time-limit.ts']);
  });

  it('draws every choice of a test from the one seed', () => {
    const drawing = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter(f => /\.ts$/.test(f) && f !== 'house.test.ts' && !f.includes('node_modules'))
      .filter(f =>
        /Math\.random|randomBytes|randomUUID|\bseed: \d/.test(
          readFileSync(join(root, 'test', f), 'utf8'),
        ),
      );
    expect(drawing).toEqual([]);
  });

  it('keeps the corridor short', () => {
    expect(readFileSync(join(source, 'run.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(
      151,
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
