/** Failing tests, and the text that runners print of them. */

import { collectFailingTests, type TaskText } from '../../src/repair/match-task.ts';
import type { CaseResult } from '../../src/repair/runners/test-runner.ts';
import { sampleFiles } from '../doubles/sample.ts';

export const failing: CaseResult = {
  id: 'test/price.test.js > a discount is taken off in percent',
  file: 'test/price.test.js',
  status: 'failed',
  message: 'Expected values to be strictly equal:\n\n1980 !== 1800\n',
};

const text = sampleFiles['src/price.js'] ?? '';

export const known = collectFailingTests([failing], new Map([['src/price.js', text]]));

export const task = (prompt: string, more: Partial<TaskText> = {}): TaskText => ({
  prompt,
  isFix: false,
  context: [],
  ...more,
});
