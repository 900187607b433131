/** Warm adapter for vitest and jest: the project's own runner stays open for all candidates, if it agrees with the real run. */
import { agree, wasLate, whyNotWarm } from './agree.ts';
import { openChannel } from './channel.ts';
import { coldFurther } from './cold.ts';
import type { WarmWay } from './json-runners.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { CaseResult, Job, JobLimits, RunnerAdapter, TestRunner } from './test-runner.ts';

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
  /** Folder of a copy for the programs that the runner loads. */
  readonly folder: string;
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
  { program: name, env, open: message, folder, first, tests }: WarmJson,
  way: WarmWay,
): Promise<RunnerAdapter | string> {
  const sources = (names: readonly string[]) => names.map(n => context.runner(n)).join('\n');
  // in a function, because jest copies the global variables of the process for each test file
  const program = `(() => {${sources(way.driver)}\n})();`;
  const argv = ['env', ...env, 'node', '-e', program];
  const open = { ...message, ...way.options };
  const start = async (limits: JobLimits): Promise<[RunnerView, TestRunner]> => {
    const view = await context.open();
    const loaded = Object.entries(way.loaded).map(
      ([name, parts]) => [`${folder}/${name}`, sources(parts)] as const,
    );
    await view.place(new Map(loaded));
    return [view, openChannel({ view, argv, open, limits })];
  };
  const [view, trial] = await start(firstLimits);
  try {
    const whole = { files: {}, stages: [{ tests, only: null }], bail: false, coverage: false };
    const seen = await trial.run({ ...whole, coverage: true });
    // a run that does not end agrees with one in which a case does not end
    const fits = first === null ? wasLate(seen) : agree(first, seen.cases);
    if (!fits) return first === null ? 'its tests never end' : whyNotWarm(first, seen);
    const again = await trial.run(whole);
    if (!agree(seen.cases, again.cases)) return whyNotWarm(seen.cases, again);
    const cpuMs = 3_000 + Math.ceil(4 * again.cpuMs);
    const limits = { loadMs: cpuMs, cpuMs, wallMs: 20_000 + 10 * cpuMs };
    const quick = again.cpuMs <= slowMs;
    return {
      name: `${name}, warm`,
      base: again.cases,
      coverage: seen.coverage,
      maxCandidates: quick ? 6_000 : 1_000,
      further: quick ? way.further : coldFurther,
      open: async () => {
        const [own, runner] = await start(limits);
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
