/** What adapters need whose candidates run one after another in a thread that stays, and runners that leave a check out. */
import { joinProgram, type RunnerContext } from '../runner-context.ts';
import type { JobResult, TestRunner } from '../test-runner.ts';

/** The source of the thread. */
export const readWorkerSource = (runner: RunnerContext['runner']): string =>
  joinProgram(runner, [
    'compared-values.cjs',
    'interrupt.cjs',
    'node/node-worker.cjs',
    'node/node-snapshots.cjs',
    'built-ins.cjs',
  ]);

/** The source of the program that serves jobs with the thread. */
export const readDriverSource = (runner: RunnerContext['runner']): string =>
  joinProgram(runner, ['placed-files.cjs', 'node/node-driver.cjs']);

/** What these jobs of the base left changed in their thread. */
export function leftBy(
  jobs: readonly (Pick<JobResult, 'changed'> | undefined)[],
): readonly string[] {
  return [...new Set(jobs.flatMap(job => job?.changed ?? []))];
}

/** The name of a runner that leaves the check of types to the one behind it. */
export const namedWithoutTypes = (name: string) => `${name}, types checked where the tests pass`;

/**
 * Runs each job in `fast`. What passes there, and is to be proved, runs in `real`, too, which makes every check; it is opened
 * for the first such job. If the time ends there, what `fast` saw stands: the verification proves a patch once more.
 */
export function withConfirmation(
  fast: TestRunner,
  openReal: () => Promise<TestRunner>,
): TestRunner {
  let real: Promise<TestRunner> | undefined;
  return {
    run: async job => {
      const result = await fast.run(job);
      const failed = result.ended !== 'done' || result.cases.some(c => c.status === 'failed');
      if (job.confirm !== true || failed) return result;
      real ??= openReal();
      const proved = await (await real).run({ ...job, stages: job.stages.slice(-1) });
      return proved.ended === 'time' ? result : proved;
    },
    close: () => {
      fast.close();
      void real?.then(r => r.close());
    },
  };
}
