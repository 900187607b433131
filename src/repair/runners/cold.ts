/** Runs the tests as the project does, in a new process for each candidate. */
import type { CommandEnd } from '../../sandbox/sandbox.ts';
import { withoutCases } from './obstacles.ts';
import { type RunnerContext, type RunnerView, readTexts } from './runner-context.ts';
import type { CaseResult, Job, JobResult, TestRunner } from './test-runner.ts';

interface ColdOptions {
  readonly context: RunnerContext;
  readonly view: RunnerView;
  /** The shell line for some test files of a stage; undefined for the files that the project's command names itself. */
  readonly line: (tests: readonly string[] | undefined, job: Job) => string;
  /** Cases from the end of a run, or from a report that it wrote. */
  readonly parse: (
    end: CommandEnd,
    view: RunnerView,
  ) => readonly CaseResult[] | Promise<readonly CaseResult[]>;
  /** Time limit of one run. */
  readonly timeoutMs: number;
}

/** Number of candidates to try after the first that passes, if each takes a process. */
export const coldFurther = 20;

/**
 * Limits of a candidate, from how long the tests take without a change. Processor time ends an endless
 * loop, so that a busy machine does not matter; wall-clock time ends a test that waits.
 */
export function coldLimits(milliseconds: number): { cpuSeconds: number; timeoutMs: number } {
  return {
    cpuSeconds: Math.ceil(3 + (4 * milliseconds) / 1000),
    timeoutMs: 20_000 + 10 * milliseconds,
  };
}

/** Opens a runner. Stages run one after the other; with `bail`, the first failing stage is the last. */
export function openCold(options: ColdOptions): TestRunner {
  const { view, context } = options;
  let placed: readonly string[] = [];
  const place = async (files: Job['files']) => {
    const gone = placed.filter(path => !(path in files));
    await view.place(new Map([...(await readTexts(context, gone)), ...Object.entries(files)]));
    placed = Object.keys(files);
  };
  return {
    run: async job => {
      await place(job.files);
      const cases = new Map<string, CaseResult>();
      let spent = 0;
      for (const stage of job.stages) {
        const tests = stage.tests.length === 0 ? undefined : stage.tests;
        const end = await view.run(options.line(tests, job), options.timeoutMs);
        spent += end.durationMs;
        const found = await options.parse(end, view);
        for (const c of found) cases.set(c.id, c);
        if (end.limit === 'time') return ended('time', cases, spent);
        const failed = found.filter(c => c.status === 'failed');
        // something outside the cases ended the run
        if (end.exitCode !== 0 && failed.length === 0) return ended('crash', cases, spent);
        if (job.bail && withoutCases(failed, job.flaky ?? new Set()).length > 0) break;
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
