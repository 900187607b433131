/** What Python tests load from outside of the project is loaded once for all candidates, unless that could change a result. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunnerAdapter } from '../../../../src/repair/runners/test-runner.ts';
import { withAdapter } from '../../../doubles/runner-context.ts';
import { makeFolder } from '../../../harness.ts';
import { has, needs } from '../../../programs.ts';

const package_ = 'venv/site-packages/helper.py';
const testCommand = 'PYTHONPATH=venv/site-packages python3 -m unittest';
const wrong = 'def total(values):\n    return sum(values) + 1\n';
const right = 'def total(values):\n    return sum(values)\n';
const tests = (more: readonly string[]) =>
  [
    'import sys, unittest',
    ...more,
    'from total import total',
    'class TotalTest(unittest.TestCase):',
    '    def test_two(self):',
    '        self.assertEqual(total([1, 2]), 3)',
    '    def test_helper(self):',
    '        import helper',
    '        self.assertEqual(helper.twice(2), 4)',
    '',
  ].join('\n');

interface Checkout {
  /** Lines of the module outside of the project. */
  readonly helper?: readonly string[];
  /** Lines at the top of the test file. */
  readonly top?: readonly string[];
}

/** The results of some candidates, and how often the module outside of the project was loaded for them. */
async function loadsOf(
  { helper = [], top = [] }: Checkout,
  work: (run: (text: string) => Promise<string>, adapter: RunnerAdapter) => Promise<void>,
): Promise<number> {
  const log = join(makeFolder(), 'loads');
  const files = {
    'total.py': wrong,
    'test_total.py': tests(top),
    [package_]: [
      `with open(${JSON.stringify(log)}, 'a') as log: log.write('x')`,
      ...helper,
      'def twice(n):',
      '    return 2 * n',
      '',
    ].join('\n'),
  };
  const loads = () => readFileSync(log, 'utf8').length;
  let before = 0;
  await withAdapter({ files, testCommand }, async adapter => {
    const runner = await adapter.open();
    const run = async (text: string) => {
      const { cases } = await runner.run({
        files: { 'total.py': text },
        stages: [{ tests: ['test_total.py'], only: null }],
        bail: false,
        coverage: false,
      });
      return cases.map(c => c.status).join(' ');
    };
    // the first candidate shows what to load
    await run(wrong);
    before = loads();
    await work(run, adapter);
    runner.close();
  });
  return loads() - before;
}

async function repeated(run: (text: string) => Promise<string>): Promise<void> {
  for (const text of [right, wrong, right])
    expect(await run(text)).toBe(text === right ? 'passed passed' : 'passed failed');
}

describe.runIf(has('python3'))(`modules outside of the project ${needs('python3')}`, () => {
  it('are loaded once', async () => {
    expect(await loadsOf({}, repeated)).toBe(0);
  }, 60_000);

  it('are loaded for each candidate if they load the project', async () => {
    expect(await loadsOf({ helper: ['import total'] }, repeated)).toBe(3);
  }, 60_000);

  it('are loaded for each candidate if they start a thread', async () => {
    const thread = [
      'import threading',
      'threading.Thread(target=threading.Event().wait, daemon=True).start()',
    ];
    expect(await loadsOf({ helper: thread }, repeated)).toBe(3);
  }, 60_000);

  it('are loaded for each candidate if a test notices them', async () => {
    const notices = ["if 'helper' in sys.modules: raise RuntimeError('loaded too early')"];
    const loads = await loadsOf({ top: notices }, async (run, adapter) => {
      expect(adapter.name).toBe('unittest, warm');
      await repeated(run);
    });
    expect(loads).toBe(3);
  }, 60_000);
});
