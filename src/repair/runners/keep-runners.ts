/** Keeps the runners of an adapter between the phases of a search: a copy and a process take as long as many candidates. */
import type { RunnerAdapter, Stage, TestRunner } from './test-runner.ts';
import { openComplete } from './with-others.ts';

/** An adapter whose runners stay open until it is closed. */
export interface KeptAdapter extends RunnerAdapter {
  /**
   * Starts runners in the background, so that as many can be opened at once without waiting, and finds the cases that
   * these stages need.
   */
  prepare(count: number, stages: readonly Stage[]): void;
}

/** Keeps a runner that is closed for whoever opens one next. Its stages hold the cases that others need. */
export function keepRunners(adapter: RunnerAdapter, log: (line: string) => void): KeptAdapter {
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
