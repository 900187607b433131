/** Leaves out the tests that rest today (`test/resting.ts`). */
import { relative } from 'node:path';
import { type RunnerTask, TestRunner } from 'vitest';
import { rests } from './resting.ts';
import { root } from './root.ts';

export default class RestingRunner extends TestRunner {
  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (rests(relative(root, test.file.filepath), nameOf(test))) {
      test.mode = 'skip';
      test.result = { state: 'skip' };
    }
    await super.onBeforeRunTask(test);
  }
}

/** The name of a test with its groups, as reporters have it. */
function nameOf({ name, suite }: RunnerTask): string {
  return suite === undefined || suite.type === undefined || suite.file === suite
    ? name
    : `${nameOf(suite)} > ${name}`;
}
