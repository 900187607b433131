/** A candidate that ends a warm runner ends no other job. */
import { expect, it } from 'vitest';
import type { Job, JobResult } from '../../../src/repair/runners/test-runner.ts';
import { withAdapter } from '../../doubles/runner-context.ts';
import { has, needs } from '../../programs.ts';

const files = {
  'total.py': 'def total(values):\n    return sum(values) + 1\n',
  'test_total.py': [
    'import unittest',
    'from total import total',
    'class TotalTest(unittest.TestCase):',
    '    def test_two(self):',
    '        self.assertEqual(total([1, 2]), 3)',
    '',
  ].join('\n'),
};
const right = 'def total(values):\n    return sum(values)\n';
// the parent of a candidate's process is the runner itself
const killing = 'import os, signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(60)\n';

it.runIf(has('python3'))(
  `jobs behind one that kills the runner run in a new one ${needs('python3')}`,
  async () => {
    await withAdapter({ files, testCommand: 'python3 -m unittest' }, async adapter => {
      const runner = await adapter.open();
      const jobOf = (text: string): Job => ({
        files: { 'total.py': text },
        stages: [{ tests: ['test_total.py'], only: null }],
        bail: true,
        coverage: false,
      });
      const texts = [right, killing, right, files['total.py'], right];
      const ends: JobResult[] = [];
      for (const text of texts) ends.push(await runner.run(jobOf(text)));
      expect(ends.map(e => [e.ended, ...e.cases.map(c => c.status)])).toEqual([
        ['done', 'passed'],
        ['crash'],
        ['done', 'passed'],
        ['done', 'failed'],
        ['done', 'passed'],
      ]);
      runner.close();
    });
  },
  600_000,
);
