/** Keeps the runners of an adapter between the phases of a search: a copy and a process take as long as many candidates. */
import { coldFurther } from './cold.ts';
import { withoutCases } from './obstacles.ts';
import type { CaseResult, RunnerAdapter, Stage, TestRunner } from './test-runner.ts';

/** An adapter whose runners stay open until it is closed. */
export interface KeptAdapter extends RunnerAdapter {
  /**
   * Starts runners in the background, so that as many can be opened at once without waiting, and finds the cases that
   * these stages need.
   */
  prepare(count: number, stages: readonly Stage[]): void;
}

/** Keeps a runner that is closed for whoever opens one next. Its stages hold the cases that others need. */
export function keepRunners(opened: RunnerAdapter, log: (line: string) => void): KeptAdapter {
  const adapter = leaveOutFlaky(opened, log);
  const idle: TestRunner[] = [];
  const starting: Promise<TestRunner>[] = [];
  const complete = openComplete(adapter, log);
  /** Runners that find the cases that they need. */
  const checking = new Set<TestRunner>();
  let isClosed = false;
  const end = (runner: TestRunner) => {
    if (isClosed) runner.close();
    else idle.push(runner);
  };
  return {
    ...adapter,
    prepare: (count, stages) => {
      const start = async () => {
        const runner = await adapter.open();
        if (isClosed) return runner;
        checking.add(runner);
        await complete(runner, stages).catch(() => {}); // the search gets the error
        checking.delete(runner);
        return runner;
      };
      while (idle.length + starting.length < count) {
        const opening = start();
        opening.catch(() => {}); // whoever opens it gets the error
        starting.push(opening);
      }
    },
    open: async () => {
      const runner = idle.pop() ?? (await (starting.shift() ?? adapter.open()));
      return {
        ...runner,
        run: async job => runner.run({ ...job, stages: await complete(runner, job.stages) }),
        close: () => end(runner),
      };
    },
    close: () => {
      isClosed = true;
      for (const runner of [...idle.splice(0), ...checking]) runner.close();
      for (const opening of starting.splice(0))
        void opening.then(runner => runner.close()).catch(() => {}); // closing twice does no harm
      adapter.close();
    },
  };
}

/** An adapter without its flaky cases. The log names them. */
function leaveOutFlaky(adapter: RunnerAdapter, log: (line: string) => void): RunnerAdapter {
  const { flaky = new Set() } = adapter;
  const [first] = flaky;
  if (first === undefined) return adapter;
  log(
    `Repair: ${flaky.size === 1 ? `"${first.slice(0, 200)}" fails` : `"${first.slice(0, 200)}" and ${flaky.size - 1} others fail`} in some runs of the same code and passes in others, so the engine leaves it out and repairs what fails each time.`,
  );
  return leaveOut(adapter, flaky);
}

/** An adapter without these cases: they decide nothing, and do not run where a runner can leave them out. */
export function leaveOut(adapter: RunnerAdapter, ids: ReadonlySet<string>): RunnerAdapter {
  const base = withoutCases(adapter.base, ids);
  const kept = base.map(c => c.id);
  return {
    ...adapter,
    base,
    coverage: adapter.coverage.filter(c => c.id === undefined || !ids.has(c.id)),
    open: async () => {
      const runner = await adapter.open();
      return {
        ...runner,
        run: async job => {
          const stages = job.stages.map(s => ({ ...s, only: s.only ?? kept }));
          const result = await runner.run({
            ...job,
            stages,
            flaky: ids.union(job.flaky ?? new Set()),
          });
          return { ...result, cases: withoutCases(result.cases, ids) };
        },
      };
    },
  };
}

/** Completes the stages of jobs for the tests of an adapter. */
type Complete = (runner: TestRunner, stages: readonly Stage[]) => Promise<readonly Stage[]>;

/**
 * Opens it for an adapter. The first time that a stage has some failing cases only, it runs without a change. If one of
 * them ends otherwise than in the whole run, all cases of its files belong to the stage, and the log says so.
 */
function openComplete(
  { base, further }: Pick<RunnerAdapter, 'base' | 'further'>,
  log: (line: string) => void,
): Complete {
  const before = new Map(base.map(c => [c.id, c]));
  const isFailing = (id: string) => before.get(id)?.status === 'failed';
  const checked = new Map<string, Promise<boolean>>();
  const endAlike = async (runner: TestRunner, stage: Stage): Promise<boolean> => {
    const { cases } = await runner.run({
      files: {},
      stages: [stage],
      bail: false,
      coverage: false,
    });
    const alone = new Map(cases.map(c => [c.id, c]));
    const other = stage.only?.find(id => !isAlike(before.get(id), alone.get(id)));
    if (other !== undefined)
      log(
        `Repair: "${other.slice(0, 200)}" ends otherwise without the other tests of its file, so they run with it.`,
      );
    return other === undefined;
  };
  return async (runner, stages) => {
    // a process runs whole files
    if (further <= coldFurther) return stages;
    const whole: Stage[] = [];
    for (const stage of stages) {
      const { tests, only } = stage;
      const isChecked = only !== null && only.length > 0 && only.every(isFailing);
      if (!isChecked) {
        whole.push(stage);
        continue;
      }
      const key = only.join('\n');
      const known = checked.get(key) ?? endAlike(runner, stage);
      checked.set(key, known);
      whole.push((await known) ? stage : { tests, only: null });
    }
    return whole;
  };
}

/** True if a case failed with the same values, or, where it shows none, with the same message but for addresses. */
function isAlike(one: CaseResult | undefined, other: CaseResult | undefined): boolean {
  if (one === undefined || other === undefined || one.status !== other.status) return false;
  const getComparedText = ({ compared, message = '' }: CaseResult) =>
    (compared?.actual ?? message).replace(/\b0x[0-9a-f]+/g, '');
  return getComparedText(one) === getComparedText(other);
}
