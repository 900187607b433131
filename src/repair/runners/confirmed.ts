/** A fast runner that leaves a check out, with a slower one that makes it for what passes. */
import type { TestRunner } from './test-runner.ts';

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
  let real: Promise<TestRunner> | null = null;
  return {
    queues: fast.queues,
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
