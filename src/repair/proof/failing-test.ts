/** Does a new test show a problem that a pull request brings? Judged from runs with and without it. Pure. */
import type { TestRun } from '../../verify/judge/test-run.ts';

/** Runs of the test command; `base` runs the test on the base, and is not needed for a file that the base lacks. */
export interface ShownBy {
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
