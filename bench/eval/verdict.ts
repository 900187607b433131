/** Judges by tests: whether a past commit is a task, and how a task ended. Pure. */
import { hasPatch, type Status } from '../../src/base/outcome.ts';
import { findTestRole } from '../../src/ecosystems/tests/test-role.ts';
import { flakyCases, type TestRun } from '../../src/verify/judge/test-run.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import type { Verdict } from './result.ts';
import type { EvalTask } from './task.ts';

/** The cases that a commit turns green and keeps green, or why it is no task. */
export type CommitProof = Pick<EvalTask, 'failing' | 'passing'> | { readonly reason: string };

/** Splits the changes of a commit. A file that holds both tests and source is source. */
export function splitChanges(changes: readonly FileChange[]) {
  const isTest = (change: FileChange) => {
    const role = findTestRole(change, { isNamed: () => false, started: new Set<string>() });
    return role?.kind === 'tests' && role.decides;
  };
  return { tests: changes.filter(isTest), source: changes.filter(c => !isTest(c)) };
}

/** Judges two runs with the tests alone, and two with the whole commit. */
export function judgeCommit(
  without: readonly TestRun[],
  complete: readonly TestRun[],
): CommitProof {
  const limit = [...without, ...complete].find(r => r.run.limit !== null)?.run.limit;
  if (limit !== undefined) return { reason: `its tests reach the ${limit} limit` };
  if (without.every(r => r.run.passed)) return { reason: 'its tests pass without its source' };
  if (complete.every(r => !r.run.passed))
    return { reason: 'the test command fails with the commit, too' };
  const isSteady = without.every(r => !r.run.passed) && complete.every(r => r.run.passed);
  if (!isSteady || flakyCases(without).length + flakyCases(complete).length > 0)
    return { reason: 'its tests are flaky' };
  const [before, after] = [without[0]?.cases, complete[0]?.cases];
  if (before === undefined || after === undefined) return { failing: [], passing: [] };
  const green = new Set(before.filter(c => c.status === 'passed').map(c => c.id));
  const passed = after.filter(c => c.status === 'passed').map(c => c.id);
  const failing = passed.filter(id => !green.has(id));
  if (failing.length === 0) return { reason: 'no test case fails without its source' };
  return { failing, passing: passed.filter(id => green.has(id)) };
}

/** What the hidden tests say about a delivered patch. */
export interface PatchVerdict {
  readonly solved: boolean;
  readonly note: string;
}

/** Judges a delivered patch by a run of the hidden tests with it: the command passes, and each case that must. */
export function judgePatch(
  { run, cases }: Pick<TestRun, 'run' | 'cases'>,
  { failing, passing }: Pick<EvalTask, 'failing' | 'passing'>,
): PatchVerdict {
  if (run.limit !== null)
    return { solved: false, note: `the hidden tests reach the ${run.limit} limit` };
  const known = cases && new Map(cases.map(c => [c.id, c.status]));
  const bad = [...failing, ...passing].filter(name => known && known.get(name) !== 'passed');
  if (bad.length === 0 && run.passed) return { solved: true, note: '' };
  const [first] = bad;
  if (first === undefined) return { solved: false, note: 'the test command fails' };
  const more = bad.length > 1 ? `, and ${bad.length - 1} more` : '';
  return { solved: false, note: `${first.slice(0, 200)} does not pass${more}` };
}

/** The verdict of a run; the judgement is that of its patch, if it delivered one. */
export function judgeEnding(status: Status, judged: PatchVerdict | undefined): Verdict {
  if (status === 'rolled_back' || status === 'failed') return 'failed';
  if (!hasPatch(status)) return 'abstained';
  if (judged === undefined) return 'failed';
  return judged.solved ? 'solved' : 'wrong';
}
