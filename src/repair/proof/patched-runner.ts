/** Reuses the runners that the embedded engine opened: its adapter, with a patch in place. */

import type { TestRun } from '../../verify/judge/test-run.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { casesToCover, withLeftOut } from '../runners/covered-cases.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter } from '../runners/test-runner.ts';
import { listTestFiles, passesAll } from '../search/search.ts';

/**
 * The adapter with the patch in place, after one run of its tests with coverage. Null if the patch is more than another
 * text of one file, if a test fails, or if the runner records no lines for a candidate.
 */
export async function patchedAdapter(
  adapter: RunnerAdapter,
  context: Pick<RepairContext, 'text'>,
  changes: readonly FileChange[],
): Promise<RunnerAdapter | undefined> {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || change.before === undefined) return undefined;
  const text = await context.text(change.path);
  if (text === undefined || change.after?.mode !== change.before.mode) return undefined;
  const files = { [change.path]: text };
  const tests = listTestFiles(adapter.base);
  const only = casesToCover(adapter.base);
  const runner = await adapter.open();
  try {
    const job = { files, bail: false };
    const covered = await runner.run({
      ...job,
      stages: [{ tests, only: only ?? null }],
      coverage: true,
    });
    const whole =
      only === undefined
        ? covered
        : await runner.run({ ...job, stages: [{ tests, only: null }], coverage: false });
    if (covered.coverage.length === 0 || !passesAll(whole, adapter.base)) return undefined;
    return {
      ...adapter,
      base: whole.cases,
      coverage: withLeftOut(covered.coverage, whole.cases, only),
      open: async () => {
        const opened = await adapter.open();
        return {
          ...opened,
          run: job => opened.run({ ...job, files: { ...files, ...job.files } }),
        };
      },
      close: () => {},
    };
  } finally {
    runner.close();
  }
}

/** Runs of the test command; `base` runs the test on the base, and is not needed for a file that the base lacks. */
interface ShownBy {
  readonly head: TestRun;
  readonly headWithTest: TestRun;
  readonly isNewFile: boolean;
  readonly baseWithTest: () => Promise<TestRun>;
}

/** What the test shows: how the base answers it, or why it shows nothing. */
export type TestVerdict =
  | { readonly proven: 'passes' | 'new-file' }
  | { readonly proven: undefined; readonly why: string };

const no = (why: string): TestVerdict => ({ proven: undefined, why });

/**
 * The test must fail at the head by itself and pass on the base. A test of a file that the base lacks needs a case that
 * passes, too: a test that cannot even run shows nothing.
 */
export async function judgeFailingTest(runs: ShownBy): Promise<TestVerdict> {
  const { head, headWithTest, isNewFile } = runs;
  if (headWithTest.run.limit !== null) return no('the tests reached a limit');
  const added = addedCases(head, headWithTest);
  if (added === undefined) {
    if (head.run.exitCode !== 0) return no('the tests fail at the head without it');
    if (headWithTest.run.exitCode === 0) return no('the test passes at the head');
    if (isNewFile) return no('the test command does not list its cases');
    const base = await runs.baseWithTest();
    return base.run.exitCode === 0 ? { proven: 'passes' } : no('the test fails on the base, too');
  }
  const failed = added.filter(c => c.status === 'failed').map(c => c.id);
  if (failed.length === 0) return no('no case of the test fails at the head');
  if (isNewFile)
    return added.some(c => c.status === 'passed')
      ? { proven: 'new-file' }
      : no('the base lacks the file, so the test needs a case that passes');
  const base = await runs.baseWithTest();
  const passes = (id: string) => base.cases?.some(c => c.id === id && c.status === 'passed');
  return failed.some(passes) ? { proven: 'passes' } : no('the test fails on the base, too');
}

/** The cases that only the run with the test has; undefined if a run does not list its cases. */
function addedCases(head: TestRun, withTest: TestRun): TestRun['cases'] {
  if (head.cases === undefined || withTest.cases === undefined) return undefined;
  const known = new Set(head.cases.map(c => c.id));
  return withTest.cases.filter(c => !known.has(c.id));
}
