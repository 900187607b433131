/** Failing cases of many Python candidates run in one process, which no candidate may disturb for the next. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CaseResult } from '../../../../src/repair/runners/test-runner.ts';
import { stagesFor } from '../../../../src/repair/search/search.ts';
import { withAdapter } from '../../../doubles/runner-context.ts';
import { makeFolder } from '../../../harness.ts';
import { has, needs, pytestPython } from '../../../programs.ts';
import { sample } from '../../../seed.ts';

const wrong = 'return sum(values) + 1';
const right = 'return sum(values)';
const unittest = 'python3 -m unittest';
const python = pytestPython();
const pytest = `${python} -m pytest`;

interface Checkout {
  readonly testCommand?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Lines of the module under test that every candidate has. */
  readonly top?: readonly string[];
}

interface Tried {
  /** The message of the first failure; `passed` if nothing failed. */
  readonly results: readonly string[];
  /** How the candidates ended. */
  readonly ended: readonly string[];
  /** The number of processes that ran the failing case of these candidates. */
  readonly processes: number;
}

/** Tries candidates for the body of `total`; lines in front of the body stand in front of the function. */
async function tried(
  { testCommand = unittest, files = {}, top = [] }: Checkout,
  candidates: readonly (readonly string[])[],
): Promise<Tried> {
  const log = join(makeFolder(), 'processes');
  const textOf = (lines: readonly string[]) =>
    [
      'import math, os, random, sys, warnings',
      'def note():',
      `    with open(${JSON.stringify(log)}, 'a') as log: log.write(f'{os.getpid()}\\n')`,
      ...top,
      ...lines.slice(0, -1),
      'def total(values):',
      '    note()',
      `    ${lines.at(-1)}`,
      '',
    ].join('\n');
  const checkout = {
    'pack/total.py': textOf([wrong]),
    'test_total.py': [
      'import unittest',
      'from pack import total',
      'class TotalTest(unittest.TestCase):',
      '    def test_two(self):',
      '        self.assertEqual(total.total([1, 2]), 3)',
      '    def test_name(self):',
      "        self.assertEqual(total.__name__, 'pack.total')",
      '',
    ].join('\n'),
    ...files,
  };
  const results: string[] = [];
  const ended: string[] = [];
  let ids: string[] = [];
  const seen = () => readFileSync(log, 'utf8').trim().split('\n');
  await withAdapter({ files: checkout, testCommand }, async adapter => {
    expect(adapter.name).toMatch(/, warm$/);
    const runner = await adapter.open();
    const run = async (lines: readonly string[]): Promise<CaseResult | undefined> => {
      const result = await runner.run({
        files: { 'pack/total.py': textOf(lines) },
        stages: stagesFor(adapter.base),
        bail: true,
        coverage: false,
      });
      ended.push(result.ended);
      return result.cases.find(c => c.status === 'failed');
    };
    // the first one also finds out whether a process may be shared
    expect((await run([wrong]))?.message).toContain('4 != 3');
    const before = seen().length;
    for (const lines of candidates) results.push((await run(lines))?.message ?? 'passed');
    ids = seen().slice(before);
    runner.close();
  });
  return { results, ended: ended.slice(1), processes: new Set(ids).size };
}

/** Candidates that fail with another value each. */
const failing = [2, 3, 4, 5, 6].map(n => [`return sum(values) + ${n}`]);
const itsValue = failing.map((_, i) => expect.stringContaining(`${i + 5} != 3`));

function itShares(testCommand: string): void {
  it('runs one failing candidate after another', async () => {
    const { results, processes } = await tried({ testCommand }, failing);
    expect(results).toEqual(itsValue);
    expect(processes).toBe(1);
  }, 60_000);

  it('proves what passes in processes of their own', async () => {
    const { results, processes } = await tried({ testCommand }, [[right], ...failing]);
    expect(results).toEqual(['passed', ...itsValue]);
    // every case and then the failing one, beside the shared process
    expect(processes).toBe(3);
  }, 60_000);

  // with the number of processes: this one, the next one, and two that prove the last candidate
  it.each(
    sample(
      'ends of a shared process',
      [
        ['never ends', ['while True: pass'], 'done', 4],
        ['ends the process', ['os._exit(3)'], 'crash', 5],
        [
          'leaves a program',
          ['import subprocess', "subprocess.Popen(['sleep', '60'])", wrong],
          'done',
          4,
        ],
        [
          'leaves a server',
          ['import socket', 'sys.total_server = socket.create_server(("127.0.0.1", 0))', wrong],
          'done',
          4,
        ],
        [
          'leaves a thread',
          [
            'import threading',
            'threading.Thread(target=threading.Event().wait, daemon=True).start()',
            wrong,
          ],
          'done',
          4,
        ],
      ],
      2,
    ),
  )(
    'is replaced behind a candidate that %s',
    async (_, lines, end, count) => {
      const all = [lines, ...failing, [right]];
      const { results, ended, processes } = await tried({ testCommand }, all);
      expect([ended[0], processes]).toEqual([end, count]);
      expect(results.slice(1)).toEqual([...itsValue, 'passed']);
    },
    60_000,
  );

  it('is not used for code that can be loaded once in a process', async () => {
    const top = [
      'if hasattr(sys, "total_loaded"): raise RuntimeError("loaded twice")',
      'sys.total_loaded = 1',
    ];
    const once = ['import multiprocessing', "multiprocessing.set_start_method('fork')"];
    for (const lines of [top, once]) {
      const { results, processes } = await tried({ testCommand, top: lines }, failing);
      expect(results).toEqual(itsValue);
      expect(processes).toBe(lines === top ? 1 : failing.length);
    }
  }, 60_000);
}

describe.runIf(has('python3'))(
  `a process that candidates of unittest share ${needs('python3')}`,
  () => itShares(unittest),
);

describe.runIf(has('python3'))(`a process that candidates share ${needs('python3')}`, () => {
  it.each(
    sample(
      'what a candidate changes',
      [
        ['a function of a module', 'math.floor = sum = None'],
        ['a built-in function', "__builtins__['sum'] = max"],
        ['a new name', 'math.total = 3'],
        ['the folder', "os.chdir('/')"],
        ['the environment', "os.environ['TOTAL'] = '3'"],
        ['the search path', 'sys.path.clear()'],
        ['the output', 'sys.stdout = sys.stderr = None'],
        ['random numbers', 'random.seed(1)'],
        ['warnings', "warnings.simplefilter('error')"],
        ['the depth of calls', 'sys.setrecursionlimit(100)'],
        ['a module', "sys.modules['math'] = None"],
        ['a package', "import pack; pack.total = 'old'"],
      ],
      4,
    ),
  )(
    'gives the next candidate %s as it was',
    async (_, line) => {
      const looks = [
        'found = (math.floor(1.5), sum([1, 2]), hasattr(math, "total"), os.getcwd() != "/", "TOTAL" in os.environ,',
        '    sys.stdout is None, sys.getrecursionlimit() > 100, len(sys.path) > 1)',
        'warnings.warn("something")',
        'drawn = random.random()',
      ];
      const shown = [...looks, 'raise ValueError(f"{found} {drawn}")'];
      const { results } = await tried({}, [shown, [line, wrong], shown, [right]]);
      expect(results[0]).toContain('(1, 3, False, True, False, False, True, True) 0.');
      expect([results[2], results[3]]).toEqual([results[0], 'passed']);
    },
    60_000,
  );
});

describe.runIf(python !== undefined)(
  `a process that candidates of pytest share ${needs('pytest')}`,
  () => {
    itShares(pytest);

    it('is not used if pytest loads a conftest.py with the tests, which would keep an old module', async () => {
      const checkout = {
        testCommand: `${pytest} sub`,
        files: {
          'sub/deep/conftest.py':
            'import pytest\n@pytest.fixture\ndef two():\n    from pack import total\n    return total\n',
          'sub/deep/test_deep.py':
            'def test_deep(two):\n    found = two.total([1, 2])\n    assert found == 3, str(found) + " != 3"\n',
        },
      };
      const { results, processes } = await tried(checkout, failing);
      expect(results).toEqual(itsValue);
      expect(processes).toBe(failing.length);
    }, 60_000);
  },
);
