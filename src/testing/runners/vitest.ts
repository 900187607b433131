/** Warm adapter for vitest: one process runs every candidate, if it agrees with the real run. */
import { agree } from './agree.ts';
import { openChannel } from './channel.ts';
import { coldFurther } from './cold.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { CaseResult, Job, JobLimits, RunnerAdapter, TestRunner } from './test-runner.ts';

/** Each candidate takes a worker process for each test file. */
const maxCandidates = 1000;
const firstLimits: JobLimits = { loadMs: 60_000, cpuMs: 60_000, wallMs: 90_000 };

export interface WarmVitest {
  readonly env: readonly string[];
  /** Arguments of `vitest` in the project's command. */
  readonly words: readonly string[];
  /** The results of the real run. */
  readonly first: readonly CaseResult[];
}

/** Opens the runner; null if vitest does not start, or does not see the same results twice. */
export async function openWarmVitest(
  context: RunnerContext,
  { env, words, first }: WarmVitest,
): Promise<Omit<RunnerAdapter, 'coverage'> | null> {
  const argv = [
    'env',
    ...env,
    'node',
    '--input-type=module',
    '-e',
    context.runner('vitest-driver.mjs'),
  ];
  const start = (view: RunnerView, limits: JobLimits): TestRunner =>
    openChannel({ view, argv, open: { words }, limits });
  const view = await context.open();
  const trial = start(view, firstLimits);
  try {
    const whole = { files: {}, stages: [{ tests: [], only: null }], bail: false, coverage: false };
    if (!agree(first, (await trial.run(whole)).cases)) return null;
    const again = await trial.run(whole);
    if (!agree(first, again.cases)) return null;
    const cpuMs = 3_000 + Math.ceil(4 * again.cpuMs);
    const limits = { loadMs: cpuMs, cpuMs, wallMs: 20_000 + 10 * cpuMs };
    return {
      name: 'vitest, warm',
      base: again.cases,
      maxCandidates,
      // a test file takes about as long as in its own process
      further: coldFurther,
      open: async () => {
        const own = await context.open();
        const runner = start(own, limits);
        return {
          run: async job => {
            const result = await runner.run(job);
            // a crashed runner leaves the files of the candidate behind
            if (result.ended === 'crash') await own.place(await originals(context, job));
            return result;
          },
          close: () => {
            runner.close();
            own.close();
          },
        };
      },
      close: () => {},
    };
  } finally {
    trial.close();
    view.close();
  }
}

/** The session's texts of the files of a job. */
async function originals(context: RunnerContext, { files }: Job) {
  const texts = Object.keys(files).map(async path => [path, await context.text(path)] as const);
  return new Map(await Promise.all(texts));
}
