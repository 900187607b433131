/** Warm adapter for vitest and jest: the project's own runner stays open for all candidates, if it agrees with the real run. */
import { agree, wasLate, whyNotWarm } from '../agree.ts';
import { openChannel } from '../channel.ts';
import { coldFurther } from '../cold.ts';
import {
  joinProgram,
  type RunnerContext,
  type RunnerView,
  readTexts,
  runnerFolder,
} from '../runner-context.ts';
import type {
  CaseResult,
  Job,
  JobLimits,
  JobResult,
  RunnerAdapter,
  TestRunner,
} from '../test-runner.ts';
import type { WarmWay } from './json-runners.ts';
import { leftBy, namedWithoutTypes, withConfirmation } from './shared-thread.ts';

const firstLimits: JobLimits = { loadMs: 60_000, cpuMs: 60_000, wallMs: 90_000 };
/** A suite that takes more processor time affords few candidates. Milliseconds. */
const slowMs = 300;
/** The processor time of the tests in milliseconds from which they do not run a third time. */
const longMs = 1_500;

interface WarmJson {
  readonly program: string;
  readonly env: readonly string[];
  /** Ways to keep the runner open, the fastest first. */
  readonly ways: readonly WarmWay[];
  /** The first message to the driver. */
  readonly open: Readonly<Record<string, unknown>> & { readonly configuration: string };
  /** The results of the real run; undefined if it did not end. */
  readonly first: readonly CaseResult[] | undefined;
  /** Paths of the test files to run. */
  readonly tests: readonly string[];
}

/** Opens the runner in the first way that sees the results of the real run, twice. Otherwise says why it cannot stay open. */
export async function openWarmJson(
  context: RunnerContext,
  warm: WarmJson,
): Promise<RunnerAdapter | string> {
  const { configuration } = warm.open;
  const ways = warm.ways.filter(({ fits }) => fits === undefined || fits.test(configuration));
  let why = '';
  for (const [i, way] of ways.entries()) {
    const opened = await openWay(context, warm, { way, next: ways[i + 1] ?? way });
    if (typeof opened !== 'string') return opened;
    why = opened;
    if (i + 1 < ways.length)
      context.log(`Repair: ${warm.program} runs in a slower way, because ${why}.`);
  }
  return why;
}

/** A way to run candidates, and the next slower one. */
interface Ways {
  readonly way: WarmWay;
  readonly next: WarmWay;
}

async function openWay(
  context: RunnerContext,
  warm: WarmJson,
  { way, next }: Ways,
): Promise<RunnerAdapter | string> {
  const trial = await start(context, warm, way);
  const looked = await look(context, trial.runner, warm);
  if (typeof looked === 'string') {
    end(trial);
    return looked;
  }
  const { seen, lined, again } = looked;
  const limits = computeLimits(seen, again);
  // a candidate that leaves more than this changed ends its process
  const expected = leftBy([seen, lined, again]);
  const quick = again.cpuMs <= slowMs;
  // what the trial has loaded and compiled is worth keeping
  const spare = [trial];
  const open = async () => {
    const started = spare.pop() ?? (await start(context, warm, way));
    return makeRunner(context, started, job => ({ limits, expected, ...job }));
  };
  const openWhole = async () => makeRunner(context, await start(context, warm, next), job => job);
  const { withoutTypes = false } = way;
  const name = `${warm.program}, warm`;
  return {
    name: withoutTypes ? namedWithoutTypes(name) : name,
    base: again.cases,
    coverage: lined.coverage,
    maxCandidates: quick ? 6_000 : 1_000,
    further: quick ? way.further : coldFurther,
    open: async () => (withoutTypes ? withConfirmation(await open(), openWhole) : open()),
    close: () => {
      for (const started of spare) end(started);
    },
  };
}

/** Starts the runner in a copy of its own. */
async function start(
  context: RunnerContext,
  { env, open: message }: WarmJson,
  way: WarmWay,
): Promise<WarmRunner> {
  const sources = (parts: readonly string[]) => joinProgram(context.runner, parts);
  // in a function, because jest copies the global variables of the process for each test file
  const program = `(() => {${sources(way.driver)}\n})();`;
  const argv = ['env', ...env, 'node', '-e', program];
  const open = { ...message, ...way.options, folder: runnerFolder };
  const view = await context.open();
  const loaded = Object.entries(way.loaded).map(
    ([name, parts]) => [`${runnerFolder}/${name}`, sources(parts)] as const,
  );
  await view.place(new Map(loaded));
  return { view, runner: openChannel({ view, argv, open, limits: firstLimits }) };
}

/** A runner for candidates; `prepare` completes a job. */
function makeRunner(
  context: RunnerContext,
  started: WarmRunner,
  prepare: (job: Job) => Job,
): TestRunner {
  return {
    run: async job => {
      const result = await started.runner.run(prepare(job));
      // a crashed runner leaves the files of the candidate behind
      if (result.ended === 'crash')
        await started.view.place(await readTexts(context, Object.keys(job.files)));
      return result;
    },
    close: () => end(started),
  };
}

interface WarmRunner {
  readonly view: RunnerView;
  readonly runner: TestRunner;
}

function end({ view, runner }: WarmRunner): void {
  runner.close();
  view.close();
}

/** The runs of the base: what they left changed, and the lines; otherwise why it does not end as the real one. */
async function look(
  context: RunnerContext,
  runner: TestRunner,
  { first, tests }: Pick<WarmJson, 'first' | 'tests'>,
): Promise<BaselineRuns | string> {
  const whole = { files: {}, stages: [{ tests, only: null }], bail: false, coverage: false };
  // without lines, because to record them slows down what it loads, such as a compiler, by three times
  const seen = await runner.run(whole);
  // a run that does not end agrees with one in which a case does not end
  const fits = first === undefined ? wasLate(seen) : agree(first, seen.cases);
  if (!fits) return first === undefined ? 'its tests never end' : whyNotWarm(first, seen);
  const lined = await runner.run({ ...whole, coverage: true });
  if (!agree(seen.cases, lined.cases)) return whyNotWarm(seen.cases, lined);
  if (lined.cpuMs > longMs) return { seen, lined, again: lined };
  const suspect = await findSuspect(context, lined);
  // as a candidate does, so that the time of compiling a file counts
  const again = await runner.run({ ...whole, files: withEnd(suspect, '') });
  if (!agree(seen.cases, again.cases)) return whyNotWarm(seen.cases, again);
  if (suspect !== undefined) {
    const broken = await runner.run({
      ...whole,
      files: withEnd(suspect, "throw new Error('end');"),
    });
    const blind = broken.cases.find(c => c.status === 'passed' && suspect.cases.has(c.id));
    if (blind !== undefined)
      return `"${blind.id.slice(0, 200)}" passes although a file that it runs cannot be loaded any more`;
  }
  return { seen, lined, again };
}

interface BaselineRuns {
  readonly seen: JobResult;
  /** The one with the lines. */
  readonly lined: JobResult;
  readonly again: JobResult;
}

/** A file that a failing case runs, and the cases that run it. */
interface Suspect {
  readonly path: string;
  readonly text: string;
  readonly cases: ReadonlySet<string | undefined>;
}

/** The first such file outside of the tests; undefined if no line is known. */
async function findSuspect(
  context: RunnerContext,
  { cases, coverage }: JobResult,
): Promise<Suspect | undefined> {
  const failed = new Set(cases.filter(c => c.status === 'failed').map(c => c.id));
  const ran = coverage.filter(c => c.id !== undefined && failed.has(c.id));
  const path = ran.flatMap(c => Object.keys(c.files)).find(p => !context.isTest(p));
  const text = path === undefined ? undefined : await context.text(path);
  if (path === undefined || text === undefined) return undefined;
  return { path, text, cases: new Set(coverage.filter(c => path in c.files).map(c => c.id)) };
}

/** The text of the file with a line more. */
const withEnd = (suspect: Suspect | undefined, line: string) =>
  suspect === undefined ? {} : { [suspect.path]: `${suspect.text}\n${line}\n` };

/** The first job of a process loads and compiles everything. */
function computeLimits(seen: JobResult, again: JobResult): JobLimits {
  const computeLimit = (result: JobResult) => 5_000 + Math.ceil(4 * result.cpuMs);
  const loadMs = computeLimit(seen);
  return { loadMs, cpuMs: computeLimit(again), wallMs: 20_000 + 10 * loadMs };
}
