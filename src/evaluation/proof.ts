/** Decides whether a past commit is a task: its tests fail without its source, and pass with it, each time. Pure. */

import { roleOf } from '../ecosystems/tests/test-role.ts';
import { flakyCases } from '../verify/judge/flaky.ts';
import type { TestRun } from '../verify/judge/test-run.ts';
import type { FileChange } from '../workspace/files/change.ts';

/** The names of the cases that a fix turns green, and of those that pass with and without it. */
export interface CaseLists {
  readonly failing: readonly string[];
  readonly passing: readonly string[];
}

export type CommitProof =
  | ({ readonly isTask: true } & CaseLists)
  | {
      readonly isTask: false;
      readonly reason: string;
      /** What the tests said; empty if there is nothing more to say. */
      readonly detail: string;
    };

const maxNames = 20_000;

const dropped = (reason: string, detail = ''): CommitProof => ({ isTask: false, reason, detail });

/** The first failure of a run, or the line of its output that says most. */
function failureOf({ run, cases, failures }: TestRun): string {
  const failed = cases?.find(c => c.status === 'failed');
  const named = failed === undefined ? failures?.[0] : `${failed.id}: ${failed.message ?? ''}`;
  const lines = run.outputTail.trim().split('\n');
  const telling =
    lines.find(line => !/^ok /.test(line) && /error|cannot|not found/i.test(line)) ?? lines.at(-1);
  return (named ?? telling ?? '').replace(/\s+/g, ' ').slice(0, 300);
}

/** What is wrong with the first run on the tests alone; null if the commit can still be a task. */
export function dropWithout({ run }: TestRun): CommitProof | null {
  if (run.limit !== null) return dropped(`its tests reach the ${run.limit} limit`);
  return run.passed ? dropped('its tests pass without its source') : null;
}

/** What is wrong with the first run on the whole commit; null if it can still be a task. */
export function dropWith(ran: TestRun): CommitProof | null {
  const { run } = ran;
  if (run.limit !== null) return dropped(`its tests reach the ${run.limit} limit`);
  return run.passed ? null : dropped('the test command fails with the commit, too', failureOf(ran));
}

/** Judges all runs: those with the tests alone, and those with the whole commit. */
export function judgeCommit(
  without: readonly TestRun[],
  complete: readonly TestRun[],
): CommitProof {
  const isSteady = without.every(r => !r.run.passed) && complete.every(r => r.run.passed);
  if (!isSteady || flakyCases(without).length > 0 || flakyCases(complete).length > 0)
    return dropped('its tests are flaky');
  const before = statuses(without[0]);
  const after = statuses(complete[0]);
  if (before === null || after === null) return { isTask: true, failing: [], passing: [] };
  const passed = [...after].flatMap(([id, status]) => (status === 'passed' ? [id] : []));
  const failing = passed.filter(id => before.get(id) !== 'passed');
  if (failing.length === 0) return dropped('no test case fails without its source');
  const passing = passed.filter(id => before.get(id) === 'passed');
  return {
    isTask: true,
    failing: failing.slice(0, maxNames),
    passing: passing.slice(0, maxNames),
  };
}

function statuses(ran: TestRun | undefined): ReadonlyMap<string, string> | null {
  if (!ran?.cases) return null;
  return new Map(ran.cases.map(c => [c.id, c.status]));
}

/** The changes of a commit, by what they are for. */
export interface CommitParts {
  readonly tests: readonly FileChange[];
  readonly source: readonly FileChange[];
}

/** Splits the changes of a commit. A file that holds both tests and source is source. */
export function partsOf(changes: readonly FileChange[]): CommitParts {
  const isTest = (change: FileChange) => {
    const role = roleOf(change, { isNamed: () => false, started: new Set<string>() });
    return role?.kind === 'tests' && role.decides;
  };
  return { tests: changes.filter(isTest), source: changes.filter(c => !isTest(c)) };
}
