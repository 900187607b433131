/** Leaves out the tests that rest today (`test/resting.ts`). */
import { relative } from 'node:path';
import { type RunnerTestCase, TestRunner } from 'vitest';
import { rests } from './resting.ts';
import { root } from './root.ts';

export default class RestingRunner extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (rests(relative(root, test.file.filepath), test.fullTestName)) {
      test.mode = 'skip';
      test.result = { state: 'skip' };
    }
    await super.onBeforeRunTask(test);
  }
}
