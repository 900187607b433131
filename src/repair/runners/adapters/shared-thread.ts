/** What adapters need whose candidates run one after another in one thread of node-driver.cjs. */
import { programOf, type RunnerContext } from '../runner-context.ts';
import type { JobResult } from '../test-runner.ts';

/** The source of the thread. */
export const workerOf = (runner: RunnerContext['runner']): string =>
  programOf(runner, [
    'compared-values.cjs',
    'interrupt.cjs',
    'node/node-worker.cjs',
    'built-ins.cjs',
  ]);

/** The source of the program that serves jobs with the thread. */
export const driverOf = (runner: RunnerContext['runner']): string =>
  programOf(runner, ['placed-files.cjs', 'node/node-driver.cjs']);

/** What these jobs of the base left changed in their thread. */
export function leftBy(jobs: readonly (Pick<JobResult, 'changed'> | null)[]): readonly string[] {
  return [...new Set(jobs.flatMap(job => job?.changed ?? []))];
}
