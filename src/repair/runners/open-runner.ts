/** Opens the runner of a project's tests: runs them without a change, and candidates each in a new process. */
import { shell } from '../../process/shell.ts';
import type { CommandEnd } from '../../sandbox/sandbox.ts';
import { selectWords } from '../../verify/early-tests.ts';
import { findObstacle, judgeFlaky, type Stop, withoutCases } from './obstacles.ts';
import { comparedIn, countPassed, outOfTime } from './read-cases.ts';
import { recordLines } from './record-lines.ts';
import { type RunnerContext, readTexts } from './runner-context.ts';
import { listFunctions, selectFailing, selectOthers } from './select-cases.ts';
import type {
  CaseResult,
  Lines,
  RanLines,
  RunnerAdapter,
  RunResult,
  TestRunner,
} from './test-runner.ts';
import { adviceFor, findTestWay, type TestWay } from './test-way.ts';

interface RunLimits {
  readonly timeoutMs: number;
  /** Processor time of each process. */
  readonly cpuSeconds: number;
}

/** Limits of the tests without a change, one of which may never end. */
const firstLimits = ({ testTimeoutMs }: RunnerContext): RunLimits => ({
  timeoutMs: Math.min(300_000, testTimeoutMs),
  cpuSeconds: 60,
});

/**
 * Limits of a candidate, from how long the tests take without a change. Processor time ends an endless loop, so that a
 * busy machine does not matter; wall-clock time ends a test that waits.
 */
const limitsFrom = (milliseconds: number): RunLimits => ({
  cpuSeconds: Math.ceil(1 + (4 * milliseconds) / 1000),
  timeoutMs: 20_000 + 10 * milliseconds,
});

/** What the shell adds to the number of a signal, and the signals behind a limit of processor time: SIGKILL, SIGXCPU. */
const killedCodes = [128 + 9, 128 + 24];

/** True if a limit ended the run, or a test file that the runner started. */
function isLate({ limit, exitCode }: CommandEnd, cases: readonly CaseResult[]): boolean {
  // a signal that no shell turned into a number leaves no exit status
  if (limit !== undefined || exitCode === undefined || killedCodes.includes(exitCode)) return true;
  return cases.some(c => c.message === outOfTime);
}

/** Opens the adapter, or says why there is nothing to search. */
export async function openRunner(context: RunnerContext): Promise<RunnerAdapter | Stop> {
  const way = await findTestWay(context);
  const view = await context.open();
  let whole: { readonly end: CommandEnd; readonly cases: readonly CaseResult[] };
  try {
    const { timeoutMs, cpuSeconds } = firstLimits(context);
    const end = await view.run(`${shell.limited(cpuSeconds)}${way.line}`, timeoutMs);
    whole = { end, cases: await way.read(end, view, []) };
  } finally {
    view.close();
  }
  const { end, cases } = whole;
  const isPassed = end.exitCode === 0;
  if (isLate(end, cases)) return { stop: endless };
  const paths = await context.files();
  const obstacle = isPassed ? undefined : findObstacle({ cases, output: end.output }, paths);
  if (obstacle !== undefined) return { stop: obstacle };
  // a failure outside the cases could not be seen to disappear
  if (cases.length === 0 || (!isPassed && !cases.some(c => c.status === 'failed')))
    return { stop: adviceFor(context.testCommand ?? '') };
  return openAdapter(context, way, whole);
}

/**
 * Opens the adapter of tests that pass, with the one run that records their lines. Of a candidate, the tests that use the
 * changed files run before all of them, if they pass alone.
 */
export async function openPassing(
  context: RunnerContext,
  known: { readonly changed: readonly string[]; readonly flaky: readonly string[] },
): Promise<RunnerAdapter | Stop> {
  const way = await findTestWay(context);
  const { words } = way;
  const view = await context.open();
  try {
    const { timeoutMs } = firstLimits(context);
    const recorded = { view, words, leftOut: [], timeoutMs };
    const { end, lines: others } = await recordLines(context, way, recorded);
    const all = await way.read(end, view, []);
    const decidesNothing = (id: string) => known.flaky.some(each => id.includes(each));
    const flaky = new Set(all.map(c => c.id).filter(decidesNothing));
    const passes = async (line: string) => {
      const ran = await view.run(line, timeoutMs);
      const cases = withoutCases(await way.read(ran, view, []), flaky);
      return ran.exitCode === 0 && cases.length > 0 && cases.every(c => c.status !== 'failed');
    };
    const base = withoutCases(all, flaky);
    if (isLate(end, base)) return { stop: endless };
    // a bound on the coverage can fail the recorded run alone; what always fails shows nothing of a candidate
    const isRed = end.exitCode !== 0 && base.every(c => c.status !== 'failed');
    if (base.length === 0 || (isRed && !(await passes(way.line))))
      return { stop: adviceFor(context.testCommand ?? '') };
    const found = { changed: known.changed, paths: await context.files(), read: context.text };
    const scope = { ...found, failing: [], failures: [] };
    const selected = words === undefined ? undefined : await selectWords(words, scope);
    const part = selected === undefined ? '' : way.lineOf(selected);
    const lines = part !== '' && (await passes(part)) ? [part, way.line] : [way.line];
    const how = { lines, failing: [], flaky, limits: limitsFrom(end.durationMs) };
    return {
      name: way.name,
      base,
      ran: { failing: new Map(), others },
      open: () => openCandidates(context, way, how),
    };
  } finally {
    view.close();
  }
}

const endless =
  'The test command does not end without a change, so the embedded engine cannot compare its runs. Leave the test that never ends out of test-command.';

/** Runs what fails once more, and records lines. `stop` if it fails by chance alone. */
async function openAdapter(
  context: RunnerContext,
  way: TestWay,
  { end, cases }: { readonly end: CommandEnd; readonly cases: readonly CaseResult[] },
): Promise<RunnerAdapter | Stop> {
  const again = await runAgain(context, way, cases);
  const fails = cases.some(c => c.status === 'failed');
  const judged = fails ? judgeFlaky(cases, again.cases) : { flaky: new Set<string>() };
  if ('stop' in judged) return judged;
  const { flaky } = judged;
  const [first] = flaky;
  if (first !== undefined)
    context.log(
      `Repair: "${first.slice(0, 200)}"${flaky.size === 1 ? ' fails' : ` and ${flaky.size - 1} others fail`} in some runs of the same code and passes in others, so the engine leaves it out and repairs what fails each time.`,
    );
  const base = withoutCases(cases, flaky);
  const failing = base.filter(c => c.status === 'failed').map(c => c.id);
  const lines = [again.narrow, way.line].filter(line => line !== undefined);
  const limits = limitsFrom(end.durationMs);
  return {
    name: way.name,
    base,
    ran: again.ran,
    open: () => openCandidates(context, way, { lines, failing, flaky, limits }),
  };
}

interface SecondRun {
  readonly cases: readonly CaseResult[];
  /** The line that runs the failing cases alone; undefined if no line shows that these fail, or leaves others out. */
  readonly narrow: string | undefined;
  readonly ran: RanLines;
}

/** Runs the failing cases, and then all others, in a copy as a candidate finds it, and records the lines of both. */
async function runAgain(
  context: RunnerContext,
  way: TestWay,
  base: readonly CaseResult[],
): Promise<SecondRun> {
  const failed = base.filter(c => c.status === 'failed');
  const ids = failed.map(c => c.id);
  const view = await context.open();
  const record = async (words: readonly string[] | undefined, leftOut: readonly string[] = []) => {
    const { timeoutMs } = firstLimits(context);
    const { end, lines } = await recordLines(context, way, { view, words, leftOut, timeoutMs });
    return { cases: await way.read(end, view, ids), lines };
  };
  try {
    const isSelectable = failed.length > 0 && way.words !== undefined;
    const selected = isSelectable ? await selectFailing(context, way.words, failed) : [];
    for (const words of selected) {
      const { cases, lines: failing } = await record(words);
      // by chance, or because it fails with others only: the whole command tells
      if (cases.some(c => c.status === 'passed' && ids.includes(c.id))) break;
      const now = cases.filter(c => c.status === 'failed');
      const isSame = now.length === ids.length && failed.every(c => now.some(n => isAlike(c, n)));
      if (!isSame || countPassed(cases) >= countPassed(base)) continue;
      const others = await record(
        selectOthers(way.words ?? [], failed) ?? way.words,
        listFunctions(failed),
      );
      return { cases, narrow: way.lineOf(words), ran: { failing, others: others.lines } };
    }
    const { cases, lines } = await record(way.words);
    const none: Lines = new Map();
    const ran =
      failed.length > 0 ? { failing: lines, others: none } : { failing: none, others: lines };
    return { cases, narrow: undefined, ran };
  } finally {
    view.close();
  }
}

/** True for the same failure. A case that builds on others fails without them, too, but with another value. */
function isAlike(one: CaseResult, other: CaseResult): boolean {
  const [a, b] = [one, other].map(c => comparedIn(c.message ?? '')?.actual);
  return one.id === other.id && (a === undefined || b === undefined || a === b);
}

interface CandidateLines {
  /** Run in order, up to the first failure; the last is the whole command. */
  readonly lines: readonly string[];
  readonly failing: readonly string[];
  readonly flaky: ReadonlySet<string>;
  readonly limits: RunLimits;
}

/** Python knows its bytecode by the second and the length of a source: of two candidates in a second, it would run the first. */
const noBytecode = 'export PYTHONDONTWRITEBYTECODE=1; ';

async function openCandidates(
  context: RunnerContext,
  way: TestWay,
  { lines, failing, flaky, limits }: CandidateLines,
): Promise<TestRunner> {
  const view = await context.open();
  const timeoutMs = Math.min(limits.timeoutMs, context.testTimeoutMs);
  let placed: readonly string[] = [];
  const run = async (line: string): Promise<RunResult> => {
    const whole = `${shell.limited(limits.cpuSeconds)}${noBytecode}${line}`;
    const end = await view.run(whole, timeoutMs);
    const found = await way.read(end, view, failing);
    const cases = withoutCases(found, flaky);
    if (isLate(end, found)) return { cases, ended: 'time' };
    // a bound on the coverage of the whole suite ends a part of it with an error, whatever its cases say
    const isWhole = line === way.line;
    const isCrash = isWhole && end.exitCode !== 0 && found.every(c => c.status !== 'failed');
    return { cases, ended: isCrash ? 'crash' : 'done' };
  };
  return {
    run: async files => {
      const gone = placed.filter(path => !(path in files));
      await view.place(new Map([...(await readTexts(context, gone)), ...Object.entries(files)]));
      placed = Object.keys(files);
      let result: RunResult = { cases: [], ended: 'done' };
      for (const line of lines) {
        result = await run(line);
        if (result.ended !== 'done' || result.cases.some(c => c.status === 'failed')) break;
      }
      return result;
    },
    close: () => view.close(),
  };
}
