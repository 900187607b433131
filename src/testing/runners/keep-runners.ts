/** Keeps the runners of an adapter between the phases of a search: a copy and a process take as long as many candidates. */
import type { RunnerAdapter, TestRunner } from './test-runner.ts';
import { openComplete } from './with-others.ts';

/** An adapter whose runners stay open until it is closed. */
export interface KeptAdapter extends RunnerAdapter {
  /** Starts runners in the background, so that as many can be opened at once without waiting. */
  prepare(count: number): void;
}

/** Keeps a runner that is closed for whoever opens one next. Its stages hold the cases that others need. */
export function keepRunners(adapter: RunnerAdapter, log: (line: string) => void): KeptAdapter {
  const idle: TestRunner[] = [];
  const starting: Promise<TestRunner>[] = [];
  const complete = openComplete(adapter, log);
  let isClosed = false;
  const end = (runner: TestRunner) => {
    if (isClosed) runner.close();
    else idle.push(runner);
  };
  return {
    ...adapter,
    prepare: count => {
      while (idle.length + starting.length < count) {
        const opening = adapter.open();
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
      for (const runner of idle.splice(0)) runner.close();
      for (const opening of starting.splice(0))
        void opening.then(runner => runner.close()).catch(() => {});
      adapter.close();
    },
  };
}
