/** Warm adapter for vitest and jest: the project's own runner stays open for all candidates, if it agrees with the real run. */
import { agree, wasLate, whyNotWarm } from './agree.ts';
import { openChannel } from './channel.ts';
import { coldFurther } from './cold.ts';
import type { WarmWay } from './json-runners.ts';
import { programOf, type RunnerContext, type RunnerView, runnerFolder } from './runner-context.ts';
import { leftBy } from './shared-thread.ts';
import type {
  CaseResult,
  Job,
  JobLimits,
  JobResult,
  RunnerAdapter,
  TestRunner,
} from './test-runner.ts';

const firstLimits: JobLimits = { loadMs: 60_000, cpuMs: 60_000, wallMs: 90_000 };
/** A suite that takes more processor time affords few candidates. Milliseconds. */
const slowMs = 300;

export interface WarmJson {
  readonly program: string;
  readonly env: readonly string[];
  /** Ways to keep the runner open, the fastest first. */
  readonly ways: readonly WarmWay[];
  /** The first message to the driver. */
  readonly open: Readonly<Record<string, unknown>>;
  /** The results of the real run; null if it did not end. */
  readonly first: readonly CaseResult[] | null;
  /** Paths of the test files to run. */
  readonly tests: readonly string[];
}

/** Opens the runner in the first way that sees the results of the real run, twice. Otherwise says why it cannot stay open. */
export async function openWarmJson(
  context: RunnerContext,
  warm: WarmJson,
): Promise<RunnerAdapter | string> {
  let why = '';
  for (const way of warm.ways) {
    const opened = await openWay(context, warm, way);
    if (typeof opened !== 'string') return opened;
    why = opened;
  }
  return why;
}

async function openWay(
  context: RunnerContext,
  { program: name, env, open: message, first, tests }: WarmJson,
  way: WarmWay,
): Promise<RunnerAdapter | string> {
  const sources = (parts: readonly string[]) => programOf(context.runner, parts);
  // in a function, because jest copies the global variables of the process for each test file
  const program = `(() => {${sources(way.driver)}\n})();`;
  const argv = ['env', ...env, 'node', '-e', program];
  const open = { ...message, ...way.options, folder: runnerFolder };
  const start = async (): Promise<Started> => {
    const view = await context.open();
    const loaded = Object.entries(way.loaded).map(
      ([name, parts]) => [`${runnerFolder}/${name}`, sources(parts)] as const,
    );
    await view.place(new Map(loaded));
    return { view, runner: openChannel({ view, argv, open, limits: firstLimits }) };
  };
  const trial = await start();
  const looked = await look(context, trial.runner, { first, tests });
  if (typeof looked === 'string') {
    end(trial);
    return looked;
  }
  const { seen, again } = looked;
  const limits = limitsOf(seen, again);
  // a candidate that leaves more than this changed ends its process
  const expected = leftBy([seen, again]);
  const quick = again.cpuMs <= slowMs;
  // what the trial has loaded and compiled is worth keeping
  const spare = [trial];
  return {
    name: `${name}, warm`,
    base: again.cases,
    coverage: seen.coverage,
    maxCandidates: quick ? 6_000 : 1_000,
    further: quick ? way.further : coldFurther,
    open: async () => {
      const started = spare.pop() ?? (await start());
      return {
        run: async job => {
          const result = await started.runner.run({ limits, expected, ...job });
          // a crashed runner leaves the files of the candidate behind
          if (result.ended === 'crash') await started.view.place(await originals(context, job));
          return result;
        },
        close: () => end(started),
      };
    },
    close: () => {
      for (const started of spare) end(started);
    },
  };
}

interface Started {
  readonly view: RunnerView;
  readonly runner: TestRunner;
}

function end({ view, runner }: Started): void {
  runner.close();
  view.close();
}

/** The two runs of the base; otherwise why it does not end as the real one. */
async function look(
  context: RunnerContext,
  runner: TestRunner,
  { first, tests }: Pick<WarmJson, 'first' | 'tests'>,
): Promise<{ readonly seen: JobResult; readonly again: JobResult } | string> {
  const whole = { files: {}, stages: [{ tests, only: null }], bail: false, coverage: false };
  const seen = await runner.run({ ...whole, coverage: true });
  // a run that does not end agrees with one in which a case does not end
  const fits = first === null ? wasLate(seen) : agree(first, seen.cases);
  if (!fits) return first === null ? 'its tests never end' : whyNotWarm(first, seen);
  // as a candidate does, so that the time of compiling a file counts
  const again = await runner.run({ ...whole, files: await touched(context, seen) });
  return agree(seen.cases, again.cases) ? { seen, again } : whyNotWarm(seen.cases, again);
}

/** Another text with the same meaning for a file that a failing case runs; none if no line is known. */
async function touched(context: RunnerContext, { cases, coverage }: JobResult) {
  const failed = new Set(cases.filter(c => c.status === 'failed').map(c => c.id));
  const ran = coverage.filter(c => c.id !== null && failed.has(c.id));
  const path = ran.flatMap(c => Object.keys(c.files)).find(p => !context.isTest(p));
  const text = path === undefined ? null : await context.text(path);
  return path === undefined || text === null ? {} : { [path]: `${text}\n` };
}

/** The first job of a process loads and compiles everything. */
function limitsOf(seen: JobResult, again: JobResult): JobLimits {
  const limitOf = (result: JobResult) => 5_000 + Math.ceil(4 * result.cpuMs);
  const loadMs = limitOf(seen);
  return { loadMs, cpuMs: limitOf(again), wallMs: 20_000 + 10 * loadMs };
}

/** The session's texts of the files of a job. */
async function originals(context: RunnerContext, { files }: Job) {
  const texts = Object.keys(files).map(async path => [path, await context.text(path)] as const);
  return new Map(await Promise.all(texts));
}
