/** Tests real language servers in the sandbox, over a session. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type LookupResult, listNewErrors } from '../../../src/navigation/navigator.ts';
import { openNavigation } from '../../../src/navigation/open-navigation.ts';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { findPrograms } from '../../../src/process/programs.ts';
import { openSandbox } from '../../../src/sandbox/open-sandbox.ts';
import type { FileState } from '../../../src/workspace/files/change.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import { openSession } from '../../../src/workspace/session/session.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { openViews } from '../../../src/workspace/views/view.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, fingerprint, makeFolder, root } from '../../harness.ts';
import { has, needs, type Program } from '../../programs.ts';
import { isAll, sample } from '../../seed.ts';

const symbols = openSymbols(openShipped(root));
const modules = join(root, 'node_modules');
const closing: (() => Promise<void> | void)[] = [];
let opened = 0;
// at once: while a server runs, its memory is measured
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Project {
  readonly files: Readonly<Record<string, string>>;
  /** Paths of untracked packages below node_modules, by name. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Programs below node_modules/.bin: a path to link to, or the text of a script. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly changes?: Readonly<Record<string, string>>;
  /** True to search for programs of the machine, too. */
  readonly searchPath?: boolean;
  /** A program that the machine must have. */
  readonly needs?: Program;
  /** False for a server that only sends errors unasked. */
  readonly tellsErrors?: false;
  readonly languageServers?: 'auto' | 'off';
  readonly limits?: {
    readonly startMs: number;
    readonly replyMs: number;
    readonly reportMs: number;
  };
}

/** Opens a checkout with a session over it and the navigation of a run. */
async function open(project: Project) {
  const folder = makeFolder();
  const checkout = join(folder, 'checkout');
  const scratch = join(folder, 'scratch');
  for (const path of [checkout, scratch]) mkdirSync(path);
  makeRepository(checkout, { files: { '.gitignore': 'node_modules\n', ...project.files } });
  const bin = join(checkout, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, from] of Object.entries(project.packages ?? {}))
    symlinkSync(from, join(checkout, 'node_modules', name));
  for (const [name, what] of Object.entries(project.programs ?? {})) {
    if (what.startsWith('/')) symlinkSync(what, join(bin, name));
    else writeFileSync(join(bin, name), what, { mode: 0o755 });
  }
  const searchPath = process.env.PATH ?? '';
  const programs = findPrograms(searchPath, [checkout]);
  const git = await openGit(checkout, { scratch, programs });
  const session = openSession(git);
  const states = Object.entries(project.changes ?? {}).map(([path, text]): [string, FileState] => [
    path,
    { mode: '100644', bytes: Buffer.from(text) },
  ]);
  if (states.length > 0) await session.apply(new Map(states));
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), modules, searchPath].join(delimiter),
  };
  const sandbox = await openSandbox({
    mode: 'required',
    hosted: false,
    workspacePath: checkout,
    scratch,
    hidePaths: [],
    readPaths: [],
    env,
    programs,
    extraEnv: [],
    memoryBytes: undefined,
    processes: undefined,
    token: `navigation${opened++}x`,
    log: () => {},
  });
  const log: string[] = [];
  const navigation = openNavigation({
    session,
    symbols,
    env: { PATH: project.searchPath === true ? searchPath : '/nowhere' },
    log: (line: string) => log.push(line),
    settings: { languageServers: project.languageServers ?? 'auto' },
    ...(project.limits === undefined ? {} : { limits: project.limits }),
    sandbox: async () => sandbox,
    openView: ({ support }, changes) => openViews({ git, scratch, programs })(support, changes),
  });
  const before = fingerprint(checkout);
  closing.push(async () => {
    await navigation.close();
    await sandbox.close();
    git.close();
    expect(fingerprint(checkout)).toBe(before);
    discard(folder);
  });
  return { ...navigation, log, session };
}

const spots = ({ places }: LookupResult) => places.map(p => `${p.path}:${p.line}`).sort();

const typescript = {
  total: 'src/total.ts',
  use: 'src/use.ts',
  fn: 1,
  method: 5,
  old: 'export const bad: string = 1;\n',
  news: 'export const worse: number = "x";\n',
  files: {
    'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext"}}',
    'package.json': '{"type":"module"}',
    'src/total.ts':
      'export function total(a: number) {\n  return a;\n}\nexport class Cart {\n  total() {\n    return total(1);\n  }\n}\n',
    'src/use.ts':
      'import { Cart, total } from "./total.ts";\n\nexport const one = total(2);\nexport const two = new Cart().total();\n',
  },
};

const python = {
  total: 'shop/total.py',
  use: 'use.py',
  fn: 6,
  method: 2,
  old: 'bad: str = 1\n',
  news: 'worse: int = "x"\n',
  files: {
    'shop/__init__.py': '',
    'shop/total.py':
      'class Cart:\n    def total(self):\n        return total(1)\n\n\ndef total(a):\n    return a\n',
    'use.py': 'from shop.total import Cart, total\n\nprint(total(2))\nprint(Cart().total())\n',
  },
};

const cpp = {
  total: 'src/total.hpp',
  use: 'src/use.cpp',
  fn: 1,
  method: 5,
  old: 'char *bad = 1;\n',
  news: 'int worse = "x";\n',
  files: {
    'compile_flags.txt': '-std=c++17\n-Wall\n',
    'src/total.hpp':
      'inline int total(int a) {\n  return a;\n}\nstruct Cart {\n  int total() {\n    return ::total(1);\n  }\n};\n',
    'src/use.cpp': '#include "total.hpp"\n\nint one = total(2);\nint two = Cart().total();\n',
  },
};

const go = {
  total: 'total.go',
  use: 'use.go',
  fn: 3,
  method: 9,
  old: 'var bad int = "x"\n',
  news: 'var worse string = 1\n',
  files: {
    'go.mod': 'module example.com/shop\n\ngo 1.19\n',
    'total.go':
      'package main\n\nfunc total(a int) int {\n\treturn a\n}\n\ntype Cart struct{}\n\nfunc (c Cart) total() int {\n\treturn total(1)\n}\n\nfunc main() {}\n',
    'use.go': 'package main\n\nvar one = total(2)\nvar two = Cart{}.total()\n',
  },
};

/** Long limits: the tests check the replies of servers, not their speed. */
const patient = { startMs: 100_000, replyMs: 100_000, reportMs: 30_000 };

const servers = [
  ['tsc', typescript, { programs: { tsc: join(modules, 'typescript/bin/tsc') } }],
  [
    'typescript-language-server',
    typescript,
    {
      packages: { typescript: join(modules, 'typescript-6') },
      programs: {
        'typescript-language-server': join(modules, 'typescript-language-server/lib/cli.mjs'),
      },
    },
  ],
  ['clangd', cpp, { searchPath: true, needs: 'clangd', tellsErrors: false }],
  [
    'pyright-langserver',
    python,
    { programs: { 'pyright-langserver': join(modules, 'pyright/langserver.index.js') } },
  ],
  // large, so only a complete run plays it
  ...(isAll ? [['gopls', go, { searchPath: true, needs: 'gopls' }] as const] : []),
] as const;

describe.runIf(has('namespaces')).each(servers)(
  `%s ${needs('namespaces')}`,
  (server, project, more: Partial<Project>) => {
    const { total, use, fn, method, old, news } = project;
    const files = project.files as Readonly<Record<string, string>>;
    const program = more.needs;
    const title = 'answers from the files as the session has them';

    it.runIf(program === undefined || has(program))(
      program === undefined ? title : `${title} ${needs(program)}`,
      async () => {
        const text = `${files[use]}${old}`;
        const { navigator, session, log } = await open({
          ...project,
          ...more,
          files: { ...files, [use]: text },
          limits: patient,
        });
        const change = (path: string, to: string) =>
          session.apply(new Map([[path, { mode: '100644', bytes: Buffer.from(to) }]]));
        expect([...(await navigator.errors([use]))]).toEqual([]); // none runs yet

        // a method and a function of the same name, which the index cannot distinguish
        const first = await navigator.definitions({ name: 'total', from: use, line: 3 });
        expect([first.source, spots(first), log.slice(1)]).toEqual([
          `lsp (${server})`,
          [`${total}:${fn}`],
          [],
        ]);
        const second = await navigator.definitions({ name: 'total', from: use, line: 4 });
        expect(spots(second)).toEqual([`${total}:${method}`]);
        expect(second.places[0]?.symbol).toMatchObject({
          name: 'total',
          container: 'Cart',
          kind: 'M',
        });
        const uses = await navigator.references({ name: 'total', from: use, line: 4 });
        // clangd omits a declaration in a header that is not open
        expect([`${use}:4`, `${total}:${method}`]).toEqual(expect.arrayContaining(spots(uses)));
        expect(spots(uses)).toContain(`${use}:4`);

        // only the errors of the change
        const before = await navigator.errors([use]);
        await change(total, `\n\n${files[total]}`);
        await change(use, `${text}${news}`);
        const errors = listNewErrors(before, await navigator.errors([use]));
        if (more.tellsErrors === false) expect(before.size).toBe(0);
        else {
          expect(before.get(use)?.length).toBeGreaterThan(0);
          expect(errors).toHaveLength(1);
          expect(errors[0]).toMatch(new RegExp(`^${use}:${text.split('\n').length}: `));
        }
        // the session's text of another file; clangd keeps its first version of a header
        const moved = await navigator.definitions({ name: 'total', from: use, line: 3 });
        expect(spots(moved)).toEqual([`${total}:${server === 'clangd' ? fn : fn + 2}`]);
      },
    );
  },
);

const serverThat = (does: string) => `#!/usr/bin/env node\n${does}\n`;
const answering = (result: string, capabilities = '{}') =>
  serverThat(`
let all = Buffer.alloc(0);
const say = m => { const b = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...m })); process.stdout.write('Content-Length: ' + b.length + '\\r\\n\\r\\n'); process.stdout.write(b); };
process.stdin.on('data', d => {
  all = Buffer.concat([all, d]);
  for (;;) {
    const m = /Content-Length: (\\d+)\\r\\n\\r\\n/.exec(all.toString('latin1'));
    if (!m || all.length < m.index + m[0].length + Number(m[1])) return;
    const body = JSON.parse(all.subarray(m.index + m[0].length, m.index + m[0].length + Number(m[1])));
    all = all.subarray(m.index + m[0].length + Number(m[1]));
    if (body.id === undefined) continue;
    if (body.method === 'initialize') say({ id: body.id, result: { capabilities: ${capabilities} } });
    else { ${result} }
  }
});`);

describe.runIf(has('namespaces'))(`a running server ${needs('namespaces')}`, () => {
  it.each([
    ['tsc', typescript, { programs: { tsc: join(modules, 'typescript/bin/tsc') } }],
    ...(has('clangd') ? [['clangd', cpp, { searchPath: true }] as const] : []),
  ] as const)('%s begins with what the session has changed before it', async (_server, ...of) => {
    const [project, more] = of;
    const { total, use, fn } = project;
    const before = (project.files as Readonly<Record<string, string>>)[total];
    const changes = { [total]: `\n\n${before}` };
    const { navigator } = await open({ ...project, ...more, changes, limits: patient });
    const found = await navigator.definitions({ name: 'total', from: use, line: 3 });
    expect(spots(found)).toEqual([`${total}:${fn + 2}`]);
  });
});

describe.runIf(has('namespaces'))(`a server that fails ${needs('namespaces')}`, () => {
  it.each(
    sample(
      'bad servers 1',
      [
        ['at its start', serverThat('setInterval(() => {}, 1000)')],
        ['at the question', answering('')],
      ] as const,
      1,
    ),
  )('hangs %s: the index answers, and it is not request again', async (_when, text) => {
    const limits = { startMs: 1000, replyMs: 300, reportMs: 100 };
    const {
      navigator,
      servers: opened,
      log,
    } = await open({ ...typescript, limits, programs: { tsc: text } });
    for (let i = 0; i < 3; i++)
      expect(
        (await navigator.definitions({ name: 'Cart', from: 'src/use.ts', line: 1 })).source,
      ).toBe('index');
    expect(log.filter(l => l === 'Language server: tsc.')).toHaveLength(1);
    expect(opened?.notes()).toHaveLength(1);
    expect(opened?.notes()[0]).toContain('did not reply within');
  });

  it.each(
    sample(
      'bad servers 2',
      [
        [
          'crashes at its start',
          serverThat('console.error("a\\nno port"); process.exitCode = 3;'),
          'has ended: no port).',
          1,
        ],
        ['crashes at the question', answering('process.exit(3)'), 'has ended', 2],
        [
          'speaks another language',
          serverThat(
            'setInterval(() => console.log("hello"), 10); setTimeout(() => process.exit(), 500)',
          ),
          '',
          1,
        ],
        [
          'answers with an error',
          answering(`say({ id: body.id, error: { code: -32603, message: 'no idea' } })`),
          'no idea',
          2,
        ],
      ] as const,
      1,
    ),
  )(
    '%s: the index answers, a note says so, and it starts again if it had started',
    async (_how, text, why, times) => {
      const {
        navigator,
        servers: opened,
        log,
      } = await open({ ...typescript, programs: { tsc: text } });
      const found = await navigator.definitions({ name: 'Cart', from: 'src/use.ts', line: 1 });
      expect([found.source, spots(found)]).toEqual(['index', ['src/total.ts:4']]);
      expect(opened?.notes().join('\n')).toContain(why);
      expect(navigator.failures()).toHaveLength(times);
      expect(log).toEqual(Array(times).fill('Language server: tsc.'));
    },
  );

  it.each(
    sample(
      'bad servers 3',
      [
        ['nothing', 'say({ id: body.id, result: null })'],
        ['a list of nonsense', 'say({ id: body.id, result: [] })'],
      ] as const,
      1,
    ),
  )('knows %s: the index answers', async (_what, result) => {
    const { navigator } = await open({ ...typescript, programs: { tsc: answering(result) } });
    expect(
      (await navigator.definitions({ name: 'Cart', from: 'src/use.ts', line: 1 })).source,
    ).toBe('index');
  });

  it.each(
    sample(
      'bad servers 4',
      [
        [
          'outside the project',
          `say({ id: body.id, result: [{ uri: 'file:///etc/passwd', range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } } }] })`,
        ],
        [
          'at no line',
          `say({ id: body.id, result: [{ uri: 'file://' + process.cwd() + '/src/use.ts', range: { start: {} } }] })`,
        ],
        [
          'with a broken address',
          `say({ id: body.id, result: [{ uri: 'file:///%E0%A4%A', range: { start: { line: 1 } } }] })`,
        ],
      ] as const,
      1,
    ),
  )('lies about a place %s: it leads nowhere', async (_where, result) => {
    const { navigator } = await open({ ...typescript, programs: { tsc: answering(result) } });
    const found = await navigator.definitions({ name: 'Cart', from: 'src/use.ts', line: 1 });
    expect([found.places, found.outside]).toEqual([[], 1]);
  });

  it('is still asked for definitions if it is slow to tell errors', async () => {
    const place = `{ uri: 'file://' + process.cwd() + '/src/total.ts', range: { start: { line: 3, character: 0 } } }`;
    const reply = `if (body.method !== 'textDocument/diagnostic') say({ id: body.id, result: [${place}] });`;
    const tsc = answering(reply, '{ diagnosticProvider: {} }');
    const limits = { startMs: 100_000, replyMs: 100_000, reportMs: 100 };
    const { navigator, servers: opened } = await open({ ...typescript, limits, programs: { tsc } });
    const find = () => navigator.definitions({ name: 'Cart', from: 'src/use.ts', line: 1 });
    expect((await find()).source).toBe('lsp (tsc)');
    for (let i = 0; i < 2; i++) expect([...(await navigator.errors(['src/use.ts']))]).toEqual([]);
    expect((await find()).source).toBe('lsp (tsc)');
    expect(opened?.notes()).toEqual([]);
  });

  it('is not used if the setting turns it off', async () => {
    const off = await open({
      ...typescript,
      languageServers: 'off',
      programs: { tsc: serverThat('process.exit(3)') },
    });
    expect(off.servers).toBeUndefined();
  });
});
