/** Edits that pass all tests and switch code off, can only throw or put a value of another kind in place are no repairs. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import type { Candidate } from '../../../src/repair/candidates/candidates.ts';
import { templates } from '../../../src/repair/candidates/templates/index.ts';
import { findFault } from '../../../src/repair/choose/judge-survivors.ts';
import { openNonsense } from '../../../src/repair/choose/nonsense.ts';
import type {
  Coverage,
  RunnerAdapter,
  TestRunner,
} from '../../../src/repair/runners/test-runner.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { makeFolder, root } from '../../harness.ts';
import { has, needs } from '../../programs.ts';

const shipped = openShipped(root);
const context = {
  runner: shipped.runner,
  withTree: openSymbols(shipped).withTree,
  isTest: (path: string) => path.startsWith('test'),
};
const templateOf = (id: string) => templates.find(t => t.id === id) ?? expect.fail(`no ${id}`);

interface Tried {
  readonly path: string;
  readonly text: string;
  /** What the edit replaces, and by what. */
  readonly edit: readonly [from: string, to: string];
  readonly template?: string;
  /** The calls of the cases: the first one failed before the edit. */
  readonly calls: readonly string[];
  /** The lines that all cases run together, of a text. */
  readonly lines?: (text: string) => readonly number[];
  /** The lines that the failing case ran before the edit. */
  readonly ranBefore?: readonly number[];
}

/** What is found of an edit. */
async function findAll({
  path,
  text,
  edit: [from, to],
  template = 'variable',
  calls,
  lines = () => [],
  ranBefore,
}: Tried) {
  const folder = makeFolder();
  let count = 0;
  const ids = calls.map((_, i) => `t > ${i}`);
  const messageOf = (program: string, call: string): string => {
    count += 1;
    const python = path.endsWith('.py');
    const name = `v${count}${python ? '.py' : '.mjs'}`;
    writeFileSync(join(folder, name), program);
    const argv = python
      ? ['-c', `from v${count} import *\n${call}`]
      : [
          '--input-type=module',
          '-e',
          `const m = await import('${pathToFileURL(join(folder, name)).href}');\nm.${call}`,
        ];
    try {
      execFileSync(python ? 'python3' : process.execPath, argv, {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      });
      return '';
    } catch (error) {
      return String((error as { stderr?: string }).stderr);
    }
  };
  const coverageOf = (program: string): readonly Coverage[] =>
    lines(program).length === 0
      ? []
      : [{ id: ids.at(-1), file: 't', files: { [path]: lines(program) } }];
  const runner: TestRunner = {
    run: async job => {
      const program = job.files[path] ?? text;
      const cases = calls.map((call, i) => {
        const message = job.coverage ? '' : messageOf(program, call);
        return {
          id: ids[i] ?? '',
          file: 't',
          status: message === '' ? 'passed' : 'failed',
          message,
        } as const;
      });
      return { cases, ended: 'done', coverage: job.coverage ? coverageOf(program) : [], cpuMs: 1 };
    },
    close: () => {},
  };
  const adapter: RunnerAdapter = {
    name: 'calls',
    base: ids.map((id, i) => ({ id, file: 't', status: i === 0 ? 'failed' : 'passed' })),
    coverage: [
      ...coverageOf(text),
      { id: ids[0] ?? '', file: 't', files: ranBefore === undefined ? {} : { [path]: ranBefore } },
    ],
    maxCandidates: 1,
    further: 400,
    open: async () => runner,
    close: () => {},
  };
  const start = text.indexOf(from);
  const candidate: Candidate = {
    path,
    line: 1,
    edits: [{ start, end: start + from.length, text: to }],
    template: templateOf(template),
    score: 1,
    suspicion: 1,
    risk: '',
  };
  const findNonsense = openNonsense({ context, adapter, textOf: new Map([[path, text]]) });
  return findNonsense(runner, candidate);
}

/** Why an edit makes no sense; undefined for nothing. */
const findIn = async (tried: Tried) => (await findAll(tried)).why;

describe('an edit that passes all tests', () => {
  const loop =
    'export function f(map) {\n  const list = [];\n  for (const key of map.all)\n    list.push(key);\n  return list;\n}\n';
  const switchedOff = {
    path: 'a.js',
    text: loop,
    edit: ['map.all', 'map.none ?? []'],
    calls: ['f({ all: [1] })', 'f({ all: [2] })'],
  } as const;

  it('may leave a line that passing cases ran without any case', async () => {
    const lines = (text: string) => (text.includes('none') ? [1, 2, 3, 5] : [1, 2, 3, 4, 5]);
    expect(await findIn({ ...switchedOff, lines })).toBe(
      'no test runs line 4 any more, which tests that passed ran',
    );
    expect(await findIn({ ...switchedOff, lines: () => [1, 2, 3, 4, 5] })).toBeUndefined();
    expect(await findIn({ ...switchedOff, lines, template: 'revert' })).toBeUndefined();
  });

  it('may leave a line that only the failing case ran without any case', async () => {
    const lines = () => [1, 2, 3, 5];
    const found = await findAll({ ...switchedOff, lines, ranBefore: [1, 2, 3, 4, 5] });
    expect(found).toEqual({ why: undefined, unrun: 4 });
    const others = await findAll({ ...switchedOff, lines, ranBefore: [1, 2, 3, 5] });
    expect(others).toEqual({ why: undefined, unrun: undefined });
  });

  it('is judged by its lines where another one moves them', async () => {
    const edit = ['const list = [];', 'const list = [];\n  map ??= {};'] as const;
    const lines = (text: string) => (text.includes('??=') ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5]);
    expect(await findIn({ ...switchedOff, edit, lines })).toBeUndefined();
  });

  it.each([
    {
      name: 'a value that throws whenever it runs',
      text: 'export function f(a) {\n  if (a > 2) throw new TypeError(String(a));\n  return a;\n}\n',
      edit: ['String(a)', 'a.b.c()'],
      calls: ['f(3)', 'f(1)'],
      why: '`a.b.c()` throws whenever it runs',
    },
    {
      name: 'a value of a type that no use has',
      text: 'export function f(a, b) {\n  const all = [];\n  all.push(a);\n  return all.length + b;\n}\n',
      edit: ['push(a)', 'push(all)'],
      calls: ['f(3, 1)', 'f(1, 2)'],
      why: '`all` is of the type Array, where tests that passed had number',
    },
    {
      name: 'another value of the same type',
      text: 'export function f(a, b) {\n  return a;\n}\n',
      edit: ['return a', 'return b'],
      calls: ['f(3, 1)', 'f(2, 2)'],
      why: undefined,
    },
    {
      // the wrong name held an object, and comparing it with a number is always false
      name: 'an operand of another type',
      text: 'export function f(bucket, n) {\n  return bucket.left < bucket;\n}\n',
      edit: ['< bucket', '< n'],
      calls: ['f({ left: 1 }, 2)', 'f({ left: 1 }, 1)'],
      why: undefined,
    },
    {
      name: 'a conversion',
      text: 'export function f(a) {\n  return a;\n}\n',
      edit: ['return a', 'return Number(a)'],
      template: 'wrap-call',
      calls: ["f('3')", "f('2')"],
      why: undefined,
    },
  ] as const)('may hold $name', async ({ why, name: _, ...about }) => {
    const { calls, ...more } = about;
    // the throw of the text before the edit is the failure
    const tried = why?.includes('throws') ? calls.slice(0, 1) : calls;
    expect(await findIn({ path: 'a.js', ...more, calls: tried })).toBe(why);
  });

  it.runIf(has('python3')).each([
    {
      name: 'throws',
      text: 'def f(a):\n    if a > 2:\n        raise KeyError(f"no {a}")\n    return a\n',
      edit: ['{a}', '{type(a).cache}'],
      calls: ['f(3)', 'f(1)'],
      why: '`type(a).cache` throws whenever it runs',
    },
    {
      name: 'is the object itself',
      text: 'class Q:\n    def __init__(self):\n        self.cache = {}\n    def put(self, key, docs):\n        self.cache[key] = docs\n        return docs\ndef f(n):\n    return Q().put(1, [n])\n',
      edit: ['= docs', '= self'],
      calls: ['f(3)', 'f(1)'],
      why: '`self` is of the type Q, where tests that passed had list',
    },
    {
      name: 'is another number',
      text: 'def f(a, b):\n    return a\n',
      edit: ['return a', 'return b'],
      calls: ['f(1, 2.5)', 'f(2, 2.0)'],
      why: undefined,
    },
  ] as const)(
    `may hold a value in Python that $name ${needs('python3')}`,
    async ({ why, name: _, ...about }) => {
      expect(await findIn({ path: 'a.py', ...about })).toBe(why);
    },
  );
});

describe('the call that tells an edit from another one', () => {
  const base = [
    {
      id: 'a',
      file: 'a',
      status: 'failed',
      compared: { actual: "'1000.0 kB'", expected: "'1.0 MB'" },
    },
  ] as const;
  const call = (results: string) => [
    { against: { kind: 'differ', call: `(999950) gives ${results}` } as const },
  ];

  it('shows the fault if the edit gives what the failing test got', () => {
    expect(findFault(call('"1000.0 kB" and "1.0 MB"'), base)).toContain('(999950)');
    expect(findFault(call("'1000.0 kB' and '1.0 MB'"), base)).toContain('(999950)');
  });

  it('shows none if only the other edit gives it, or if the value is an everyday one', () => {
    expect(findFault(call('"1.0 MB" and "1000.0 kB"'), base)).toBeUndefined();
    const short = [{ ...base[0], compared: { actual: 'false', expected: 'true' } }];
    expect(findFault(call('false and true'), short)).toBeUndefined();
  });
});
