/** Tests run as the project runs them: a process for each candidate. */

import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { CaseResult, Job, JobResult, TestRunner } from './test-runner.ts';

export interface ColdOptions {
  readonly context: RunnerContext;
  readonly view: RunnerView;
  /** The shell line for some test files; null stands for what the project's command names itself. */
  readonly line: (tests: readonly string[] | null, job: Job) => string;
  /** Cases from the output, or from a report that the run wrote. */
  readonly parse: (
    output: string,
    view: RunnerView,
  ) => readonly CaseResult[] | Promise<readonly CaseResult[]>;
  /** Most milliseconds of one run; default the project's own. */
  readonly timeoutMs?: number;
}

/** How many more candidates are tried once one has passed, where each takes a process. */
export const coldFurther = 20;

/**
 * Limits of a candidate, from how long the tests as they stand take. Processor time ends a loop without
 * end, so that a busy machine does not decide; the clock ends what waits.
 */
export function coldLimits(milliseconds: number): { cpuSeconds: number; timeoutMs: number } {
  return {
    cpuSeconds: Math.ceil(3 + (4 * milliseconds) / 1000),
    timeoutMs: 20_000 + 10 * milliseconds,
  };
}

/** Stages are run one after the other; the first that does not pass is the last. */
export function openCold(options: ColdOptions): TestRunner {
  const { view, context } = options;
  let placed: readonly string[] = [];
  const place = async (files: Job['files']) => {
    const gone = placed.filter(path => !(path in files));
    const back = await Promise.all(gone.map(async p => [p, await context.text(p)] as const));
    await view.place(new Map([...back, ...Object.entries(files)]));
    placed = Object.keys(files);
  };
  return {
    run: async job => {
      await place(job.files);
      const cases = new Map<string, CaseResult>();
      let spent = 0;
      for (const stage of job.stages) {
        const tests = stage.tests.length === 0 ? null : stage.tests;
        const end = await view.run(
          options.line(tests, job),
          options.timeoutMs ?? context.testTimeoutMs,
        );
        spent += end.durationMs;
        const found = await options.parse(end.output, view);
        for (const c of found) cases.set(c.id, c);
        if (end.limit === 'time') return ended('time', cases, spent);
        const failed = found.some(c => c.status === 'failed');
        // what no case tells of ended the run
        if (end.exitCode !== 0 && !failed) return ended('crash', cases, spent);
        if (failed && job.bail) break;
      }
      return ended('done', cases, spent);
    },
    close: () => view.close(),
  };
}

function ended(
  how: JobResult['ended'],
  cases: ReadonlyMap<string, CaseResult>,
  cpuMs: number,
): JobResult {
  return { cases: [...cases.values()], ended: how, coverage: [], cpuMs };
}
