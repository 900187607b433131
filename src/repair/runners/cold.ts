/** Runs the tests as the project does, in a new process for each candidate. */
import { shell } from '../../process/shell.ts';
import type { CommandEnd } from '../../sandbox/sandbox.ts';
import { selectWords } from '../../verify/early-tests.ts';
import { wasLate } from './agree.ts';
import { judgeFlaky, type Stop, withoutCases } from './obstacles.ts';
import { countPassed } from './read-cases.ts';
import { recordLines, type TestLine } from './record-lines.ts';
import { type RunnerContext, type RunnerView, readTexts } from './runner-context.ts';
import type { CaseResult, Job, JobResult, RunnerAdapter, TestRunner } from './test-runner.ts';

/** How the project runs its tests. */
export interface ColdWay extends TestLine {
  readonly name: string;
  /** Cases from the end of a run, or from a report that it wrote. `failing` are the ids that failed without a change. */
  read(
    end: CommandEnd,
    view: RunnerView,
    failing: readonly string[],
  ): Promise<readonly CaseResult[]>;
}

/** One run of the whole command without a change. */
export interface ColdRun {
  readonly cases: readonly CaseResult[];
  readonly output: string;
  readonly passed: boolean;
  /** True if a limit ended it, or one of its test files. */
  readonly isLate: boolean;
  readonly milliseconds: number;
}

export interface ColdLimits {
  readonly timeoutMs: number;
  /** Processor time of each process; without it, no limit. */
  readonly cpuSeconds?: number;
}

/** Number of candidates to try after the first that passes. */
export const coldFurther = 20;
const maxCandidates = 150;
/** Where the failing tests run first. */
const maxNarrow = 400;

/** What the shell adds to the number of a signal, and the signals behind a limit of processor time: SIGKILL, SIGXCPU. */
const killedCodes = [128 + 9, 128 + 24];

const limitCpu = (line: string, { cpuSeconds }: ColdLimits) =>
  cpuSeconds === undefined ? line : `${shell.limited(cpuSeconds)}${line}`;

/** Runs the whole command. `failing` are the ids that failed in an earlier run. */
export async function runOnce(
  way: ColdWay,
  view: RunnerView,
  { limits, failing }: { readonly limits: ColdLimits; readonly failing: readonly string[] },
): Promise<ColdRun> {
  const end = await view.run(limitCpu(way.line, limits), limits.timeoutMs);
  const cases = await way.read(end, view, failing);
  const isKilled = end.limit !== undefined || killedCodes.includes(end.exitCode ?? 0);
  return {
    cases,
    output: end.output,
    passed: end.exitCode === 0,
    isLate: isKilled || wasLate({ ended: 'done', cases }),
    milliseconds: end.durationMs,
  };
}

/** The adapter whose candidates each take a process, after a run of the command in this copy; `stop` if it fails by chance alone. */
export async function openColdAdapter(
  context: RunnerContext,
  way: ColdWay,
  { real, view }: { readonly real: ColdRun; readonly view: RunnerView },
): Promise<RunnerAdapter | Stop> {
  const base = real.cases;
  const failing = base.filter(c => c.status === 'failed').map(c => c.id);
  const narrow = await findNarrow(context, way, base);
  // a second run of what fails tells chance from fault
  const limits = { timeoutMs: context.testTimeoutMs };
  const judged =
    narrow !== undefined || failing.length === 0
      ? { flaky: new Set<string>() }
      : judgeFlaky(base, (await runOnce(way, view, { limits, failing })).cases);
  if ('stop' in judged) return judged;
  const part =
    narrow === undefined ? 'the whole command' : 'the failing tests, and then the whole command,';
  return {
    name: `${way.name}, cold: ${part} for each candidate`,
    base,
    flaky: judged.flaky,
    coverage: [],
    maxCandidates: narrow === undefined ? maxCandidates : maxNarrow,
    further: coldFurther,
    open: () => openCandidates(context, way, { failing, narrow, milliseconds: real.milliseconds }),
    close: () => {},
  };
}

/**
 * The line that runs the failing tests, as the ecosystem of the command selects them. Undefined if it does not show the same
 * failing cases, or leaves no other out.
 */
async function findNarrow(
  context: RunnerContext,
  way: ColdWay,
  base: readonly CaseResult[],
): Promise<string | undefined> {
  const failed = base.filter(c => c.status === 'failed');
  const files = [...new Set(failed.map(c => c.file))].filter(file => file !== '');
  if (way.words === undefined || files.length === 0) return undefined;
  const words = await selectWords(way.words, {
    changed: [],
    failing: files,
    failures: failed.map(c => c.id),
    paths: await context.files(),
    read: context.text,
  });
  if (words === undefined) return undefined;
  // a bound on the coverage of the whole suite ends it with an error, whatever its cases say; all of it runs for what passes them
  const narrow = `${way.lineOf(words)} || exit 0`;
  // as a candidate finds it: the whole command may have left in its view what this one lacks
  const view = await context.open();
  try {
    const end = await view.run(narrow, context.testTimeoutMs);
    const cases = await way.read(end, view, []);
    const now = new Set(cases.filter(c => c.status === 'failed').map(c => c.id));
    const isSame = now.size === failed.length && failed.every(c => now.has(c.id));
    return isSame && countPassed(cases) < countPassed(base) ? narrow : undefined;
  } finally {
    view.close();
  }
}

/**
 * Limits of a candidate, from how long the tests take without a change. Processor time ends an endless
 * loop, so that a busy machine does not matter; wall-clock time ends a test that waits.
 */
function coldLimits(milliseconds: number): Required<ColdLimits> {
  return {
    cpuSeconds: Math.ceil(3 + (4 * milliseconds) / 1000),
    timeoutMs: 20_000 + 10 * milliseconds,
  };
}

interface BaseRun {
  readonly failing: readonly string[];
  readonly narrow: string | undefined;
  readonly milliseconds: number;
}

/** Opens a runner. The first of several stages runs the failing tests; with `bail`, the first failing stage is the last. */
async function openCandidates(
  context: RunnerContext,
  way: ColdWay,
  { failing, narrow, milliseconds }: BaseRun,
): Promise<TestRunner> {
  const view = await context.open();
  const limits = coldLimits(milliseconds);
  const timeoutMs = Math.min(limits.timeoutMs, context.testTimeoutMs);
  let placed: readonly string[] = [];
  const place = async (files: Job['files']) => {
    const gone = placed.filter(path => !(path in files));
    await view.place(new Map([...(await readTexts(context, gone)), ...Object.entries(files)]));
    placed = Object.keys(files);
  };
  return {
    run: async ({ files, stages, bail, coverage, flaky = new Set() }) => {
      await place(files);
      const cases = new Map<string, CaseResult>();
      let spent = 0;
      const result = (ended: JobResult['ended']): JobResult => ({
        cases: [...cases.values()],
        ended,
        coverage: [],
        cpuMs: spent,
      });
      const lines = stages.length > 1 && narrow !== undefined ? [narrow, way.line] : [way.line];
      for (const line of lines) {
        const end = await view.run(limitCpu(line, limits), timeoutMs);
        spent += end.durationMs;
        const found = await way.read(end, view, failing);
        for (const c of found) cases.set(c.id, c);
        if (end.limit === 'time') return result('time');
        const failed = found.filter(c => c.status === 'failed');
        // something outside the cases ended the run
        if (end.exitCode !== 0 && failed.length === 0) return result('crash');
        if (bail && withoutCases(failed, flaky).length > 0) break;
      }
      if (!coverage) return result('done');
      const recorded = { view, changed: Object.keys(files), timeoutMs: context.testTimeoutMs };
      return { ...result('done'), coverage: await recordLines(context, way, recorded) };
    },
    close: () => view.close(),
  };
}
