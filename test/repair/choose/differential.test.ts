/** Two versions of a function are compared on the calls of the tests, and on calls near them, by running them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { makeCompare } from '../../../src/repair/choose/differential.ts';
import type { RepairContext } from '../../../src/repair/runners/runner-context.ts';
import type { CaseResult, RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { makeFolder, root } from '../../harness.ts';
import { has, needs } from '../../programs.ts';

const shipped = openShipped(root);
const symbols = openSymbols(shipped);
const base: CaseResult = { id: 't > works', file: 't', status: 'failed' };
const tests = "call(3);\nsay('other');\n";

/** An adapter with one case, which calls the function of the file. */
function adapterFor(path: string, call: string): RunnerAdapter {
  const folder = makeFolder();
  let count = 0;
  const run = (text: string): string => {
    count += 1;
    const name = path.endsWith('.py') ? `v${count}.py` : `v${count}.mjs`;
    writeFileSync(join(folder, name), text);
    const url = pathToFileURL(join(folder, name)).href;
    const program = path.endsWith('.py')
      ? ['python3', '-c', `from v${count} import *\n${call}`]
      : [
          process.execPath,
          '--input-type=module',
          '-e',
          `const m = await import('${url}');\ntry { m.${call} } catch (e) { console.error(e.message); process.exit(1); }`,
        ];
    try {
      execFileSync(program[0] ?? '', program.slice(1), {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      });
      return '';
    } catch (error) {
      return String((error as { stderr?: string }).stderr);
    }
  };
  return {
    name: 'one call',
    base: [base],
    coverage: [],
    maxCandidates: 1,
    further: 400,
    open: async () => ({
      run: async job => {
        const message = run(job.files[path] ?? '');
        const end = { ...base, status: message === '' ? 'passed' : 'failed', message } as const;
        return { cases: [end], ended: 'done', coverage: [], cpuMs: 1 };
      },
      close: () => {},
    }),
    close: () => {},
  };
}

const context = {
  text: async () => tests,
  runner: shipped.runner,
  withTree: symbols.withTree,
} as unknown as RepairContext;

interface Versions {
  readonly path: string;
  readonly first: string;
  readonly second: string;
  readonly call: string;
}

/** What a comparison of two versions finds on the calls of the tests and near them. */
async function compared({ path, first, second, call }: Versions): Promise<string> {
  const adapter = adapterFor(path, call);
  const compare = makeCompare(context, adapter);
  const found = await compare(await adapter.open(), { path, first, second, calls: 'near' });
  return found.kind === 'differ' ? found.call : found.kind;
}

const swap = (text: string, from: string, to: string) => ({
  first: text,
  second: text.replace(from, to),
});
const js = 'export function f(n) {\n  return n > 10 ? f(n - 10) : n;\n}\n';
const py = 'def f(n):\n    return n if n <= 10 else f(n - 10)\n';

describe('two versions', () => {
  it.each([
    ['function', 'a.js', swap(js, '> 10', '>= 10'), 'f(11)', '(10) gives 10 and 0'],
    ['equal ones', 'a.js', swap(js, 'n > 10', '10 < n'), 'f(4)', 'same'],
    ['arrow', 'a.ts', swap('export const f = n => n * 2;\n', 'n * 2', 'n + n'), 'f(2)', 'same'],
    [
      'method',
      'a.js',
      swap(
        'class A {\n  g(n) {\n    return n + 2;\n  }\n}\nexport const f = n => new A().g(n);\n',
        'n + 2',
        'n * 2',
      ),
      'f(2)',
      '(3) gives 5 and 6',
    ],
    [
      'literal',
      'a.js',
      swap("export const f = s => s !== 'other';\n", "s !== 'other'", 'true'),
      "f('one')",
      '("other") gives false and true',
    ],
    [
      'changed argument',
      'a.js',
      swap('export function f(list) {\n  list.sort();\n}\n', 'list.sort()', 'list'),
      'f([2, 1])',
      '([2,1]) gives other side effects',
    ],
    [
      'date',
      'a.js',
      swap(
        'export const f = (now, until) => now <= new Date(until);\n',
        'now <= new Date(until)',
        'Number(now) < Number(new Date(until))',
      ),
      "f(new Date('2026-01-02'), '2026-01-03')",
      'gives true and false',
    ],
    [
      'generator',
      'a.js',
      swap(
        'export function* f(n) {\n  let total = 0;\n  for (let i = 1; i < n; i += 1) {\n    total += i;\n    yield i;\n  }\n}\n',
        'yield i;',
        'yield total;',
      ),
      'f(3)',
      'gives [1,2] and [1,3]',
    ],
    [
      'generator that gives the same',
      'a.js',
      swap('export function* f(n) {\n  yield n + n;\n}\n', 'n + n', 'n * 2'),
      'f(3)',
      'same',
    ],
    [
      'iterator',
      'a.js',
      swap('export const f = list => list.values();\n', 'values()', 'keys()'),
      'f([0, 1, 5])',
      'gives [0,1,5] and [0,1,2]',
    ],
    [
      'error',
      'a.js',
      swap("export const f = n => new Error('a' + n);\n", "'a'", "'b'"),
      'f(2)',
      'gives Error: a2 and Error: b2',
    ],
    [
      'thrown error',
      'a.js',
      swap("export function f(n) {\n  throw new Error('one');\n}\n", "'one'", "'two'"),
      'f(2)',
      'gives throws Error: one and throws Error: two',
    ],
    [
      'set',
      'a.js',
      swap('export const f = s => s.size > 1;\n', '> 1', '> 0'),
      'f(new Set([1, 2]))',
      'gives false and true',
    ],
    ...(
      [
        ['promise', 'Promise.resolve(n)', 'Promise.resolve(n + 1)', 'f(2)'],
        ['function', '() => n', '() => n', 'f(2)'],
        ['address', "new URL('http://a/' + n)", "new URL(n, 'http://a/')", 'f(2)'],
        [
          'argument that cannot be changed',
          'n instanceof WeakMap',
          'n.constructor === WeakMap',
          'f(new WeakMap())',
        ],
      ] as const
    ).map(
      ([name, from, to, call]) =>
        [
          name,
          'a.js',
          swap(`export const f = n => (${from});\n`, from, to === from ? `(${to})` : to),
          call,
          'unknown',
        ] as const,
    ),
    [
      'later value',
      'a.js',
      swap('export async function f(n) {\n  return n + 2;\n}\n', 'n + 2', 'n'),
      'f(2)',
      'unknown',
    ],
    [
      'method of private state',
      'a.js',
      swap(
        'class A {\n  #n = 1;\n  g(n) {\n    return this.#n + n;\n  }\n}\nexport const f = n => new A().g(n);\n',
        'this.#n + n',
        'n + this.#n',
      ),
      'f(2)',
      'unknown',
    ],
  ] as const)('of a %s in %s', async (_, path, texts, call, expected) => {
    expect(await compared({ path, ...texts, call })).toContain(expected);
  });
});

describe.runIf(has('python3'))(`two versions in Python ${needs('python3')}`, () => {
  it.each([
    ['function', 'a.py', swap(py, '<= 10', '< 10'), 'f(11)', '(10) gives 10 and 0'],
    ['equal ones', 'a.py', swap(py, 'n <= 10', '10 >= n'), 'f(4)', 'same'],
    [
      'method',
      'a.py',
      swap('class A:\n    def g(self, n):\n        return n + 2\n', 'n + 2', 'n * 2'),
      'A().g(2)',
      'gives 5 and 6',
    ],
    [
      'generator',
      'a.py',
      swap(
        'def f(n):\n    total = 0\n    for i in range(1, n):\n        total += i\n        yield i\n',
        'yield i',
        'yield total',
      ),
      'f(3)',
      'gives [1, 2] and [1, 3]',
    ],
    [
      'generator that gives the same',
      'a.py',
      swap('def f(n):\n    yield n + n\n', 'n + n', 'n * 2'),
      'f(3)',
      'same',
    ],
    [
      'iterator',
      'a.py',
      swap('def f(n):\n    return map(str, n)\n', 'map(str, n)', 'iter(n)'),
      'f([1])',
      "gives ['1'] and [1]",
    ],
    [
      'error',
      'a.py',
      swap('def f(n):\n    return ValueError(n)\n', 'n)\n', 'n + 1)\n'),
      'f(2)',
      'gives ValueError',
    ],
    [
      'raised error',
      'a.py',
      swap("def f(n):\n    if n < 9:\n        raise ValueError('a')\n    return n\n", "'a'", "'b'"),
      'f(9)',
      'same',
    ],
    [
      'function',
      'a.py',
      swap('def f(n):\n    return lambda: n\n', 'lambda: n', 'lambda: n + 1'),
      'f(2)',
      'unknown',
    ],
    [
      'date',
      'a.py',
      swap('import datetime\ndef f(now, until):\n    return now <= until\n', '<= until', '< until'),
      'f(datetime.date(2026, 1, 1), datetime.date(2026, 1, 2))',
      'gives True and False',
    ],
    [
      'coroutine',
      'a.py',
      swap('def f(n):\n    return g(n)\nasync def g(n):\n    return n\n', 'g(n)\n', 'g(n + 1)\n'),
      'f(2).close()',
      'unknown',
    ],
  ] as const)('of a %s in %s', async (_, path, texts, call, expected) => {
    expect(await compared({ path, ...texts, call })).toContain(expected);
  });
});
