/** Opens the best way to run candidates: a process that stays, if it sees what the real run shows, twice; otherwise a new process for each. */
import { agree, firstLimits, limitsFrom, wasLate, whyNotWarm } from './agree.ts';
import { openChannel } from './channel.ts';
import { type ColdLimits, type ColdRun, type ColdWay, openColdAdapter, runOnce } from './cold.ts';
import { casesToCover, withLeftOut } from './coverage.ts';
import { judgeFlaky, type Stop, stopAt, withoutCases } from './obstacles.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { CaseResult, JobLimits, RunnerAdapter, TestRunner } from './test-runner.ts';

/** A program that stays open for many candidates. */
export interface WarmWay {
  readonly name: string;
  /** The words that start it in a copy. */
  argv(view: RunnerView): Promise<readonly string[]>;
  /** The first message to it. */
  readonly open: Readonly<Record<string, unknown>>;
  /** The test files to run, from the real run; none if the program finds them itself. */
  listFiles(real: ColdRun): readonly string[];
  /** True if these cases are those of the real run, apart from what the flaky ones among them show. */
  agrees(real: ColdRun, cases: readonly CaseResult[], flaky: ReadonlySet<string>): boolean;
  readonly maxCandidates: number;
}

/** The ways to run the tests of a project. */
export interface RunnerWays {
  readonly cold: ColdWay;
  readonly warm?: WarmWay | undefined;
}

/** Number of candidates to try warm after the first that passes. */
const warmFurther = 400;
/** Limits of the real run where a warm one follows: a loop in a test has to end. */
const realSeconds = 30;
const realMs = 90_000;

/** Runs the tests cold once, and warm twice; undefined if the results of the cases are unknown. */
export async function openBestRunner(
  context: RunnerContext,
  { cold, warm }: RunnerWays,
): Promise<RunnerAdapter | Stop | undefined> {
  const { testTimeoutMs } = context;
  const limits =
    warm === undefined
      ? { timeoutMs: testTimeoutMs }
      : { timeoutMs: Math.min(realMs, testTimeoutMs), cpuSeconds: realSeconds };
  const view = await context.open();
  try {
    return await openFrom(context, { cold, warm }, { view, limits });
  } finally {
    view.close();
  }
}

/** Opens it from the run in this copy. */
async function openFrom(
  context: RunnerContext,
  { cold, warm }: RunnerWays,
  { view, limits }: { readonly view: RunnerView; readonly limits: ColdLimits },
): Promise<RunnerAdapter | Stop | undefined> {
  const real = await runOnce(cold, view, { limits, failing: [] });
  const stop = real.isLate || real.passed ? undefined : await stopAt(context, real);
  if (stop !== undefined) return stop;
  const opened = warm === undefined ? undefined : await openWarm(context, warm, real);
  if (typeof opened === 'object') return opened;
  const slow =
    opened === undefined ? undefined : `each candidate takes a process, because ${opened}`;
  if (slow !== undefined) context.log(`Repair: ${slow}.`);
  if (real.isLate)
    return {
      stop: 'The test command does not end without a change, so the embedded engine cannot compare its runs. Leave the test that never ends out of test-command.',
    };
  // a failure outside the cases could not be seen to disappear
  const isExplained = real.passed || real.cases.some(c => c.status === 'failed');
  if (real.cases.length === 0 || !isExplained) return undefined;
  const adapter = await openColdAdapter(context, cold, { real, view });
  return 'stop' in adapter ? adapter : { ...adapter, slow };
}

/** Opens the warm runner. Otherwise says why it cannot be used. */
async function openWarm(
  context: RunnerContext,
  way: WarmWay,
  real: ColdRun,
): Promise<RunnerAdapter | Stop | string> {
  const start = async (limits: JobLimits, expected?: readonly string[]): Promise<TestRunner> => {
    const view = await context.open();
    try {
      const argv = await way.argv(view);
      const runner = openChannel({ view, argv, open: { ...way.open, expected }, limits });
      const close = () => {
        runner.close();
        view.close();
      };
      return { ...runner, close };
    } catch (error) {
      view.close();
      throw error;
    }
  };
  const trial = await start(firstLimits);
  const tests = way.listFiles(real);
  const job = { files: {}, bail: false };
  const first = await trial.run({ ...job, stages: [{ tests, only: null }], coverage: false });
  const only = casesToCover(first.cases);
  const stages = [{ tests, only: only ?? null }];
  const second = await trial.run({ ...job, stages, coverage: true });
  trial.close();
  if (first.cases.length === 0) return whyNotWarm([], first);
  const judged = judgeFlaky(first.cases, second.cases);
  if ('stop' in judged) return judged;
  const { flaky } = judged;
  const cases = withoutCases(first.cases, flaky);
  const covered = cases.filter(c => only === undefined || only.includes(c.id));
  if (!agree(covered, withoutCases(second.cases, flaky))) return whyNotWarm(covered, second);
  // a real run that a loop held up cannot be compared
  const isLate = wasLate(first);
  if (isLate !== real.isLate || (!isLate && !way.agrees(real, first.cases, flaky)))
    return whyNotWarm(withoutCases(real.cases, flaky), { ...first, cases });
  if (second.why !== undefined && second.why !== '') context.log(`Repair: ${second.why}.`);
  const limits = limitsFrom(first);
  const expected = [...(first.changed ?? []), ...(second.changed ?? [])];
  return {
    name: way.name,
    base: first.cases,
    flaky,
    coverage: withLeftOut(second.coverage, first.cases, only),
    maxCandidates: way.maxCandidates,
    further: warmFurther,
    open: () => start(limits, expected),
    close: () => {},
  };
}
