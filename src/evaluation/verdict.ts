/** Judges by tests: whether a past commit is a task, and how a task ended. Pure. */
import { hasPatch, type Outcome } from '../base/outcome.ts';
import { findTestRole } from '../ecosystems/tests/test-role.ts';
import { flakyCases, type TestRun } from '../verify/judge/test-run.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { Verdict } from './result.ts';

/** The names of the cases that a fix turns green, and of those that pass with and without it. */
interface CaseLists {
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
function findFailure({ run, cases, failures }: TestRun): string {
  const failed = cases?.find(c => c.status === 'failed');
  const named = failed === undefined ? failures?.[0] : `${failed.id}: ${failed.message ?? ''}`;
  const lines = run.outputTail.trim().split('\n');
  const telling =
    lines.find(line => !/^ok /.test(line) && /error|cannot|not found/i.test(line)) ?? lines.at(-1);
  return (named ?? telling ?? '').replace(/\s+/g, ' ').slice(0, 300);
}

/** What is wrong with the first run on the tests alone; undefined if the commit can still be a task. */
export function dropWithout({ run }: TestRun): CommitProof | undefined {
  if (run.limit !== null) return dropped(`its tests reach the ${run.limit} limit`);
  return run.passed ? dropped('its tests pass without its source') : undefined;
}

/** What is wrong with the first run on the whole commit; undefined if it can still be a task. */
export function dropWith(ran: TestRun): CommitProof | undefined {
  const { run } = ran;
  if (run.limit !== null) return dropped(`its tests reach the ${run.limit} limit`);
  return run.passed
    ? undefined
    : dropped('the test command fails with the commit, too', findFailure(ran));
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
  if (before === undefined || after === undefined)
    return { isTask: true, failing: [], passing: [] };
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

function statuses(ran: TestRun | undefined): ReadonlyMap<string, string> | undefined {
  if (!ran?.cases) return undefined;
  return new Map(ran.cases.map(c => [c.id, c.status]));
}

/** The changes of a commit, by what they are for. */
export interface CommitParts {
  readonly tests: readonly FileChange[];
  readonly source: readonly FileChange[];
}

/** Splits the changes of a commit. A file that holds both tests and source is source. */
export function splitChanges(changes: readonly FileChange[]): CommitParts {
  const isTest = (change: FileChange) => {
    const role = findTestRole(change, { isNamed: () => false, started: new Set<string>() });
    return role?.kind === 'tests' && role.decides;
  };
  return { tests: changes.filter(isTest), source: changes.filter(c => !isTest(c)) };
}

/** What must pass. */
export interface ExpectedCases extends CaseLists {
  /** True if the test command as a whole must pass, too. */
  readonly wholeCommand: boolean;
}

/** What the hidden tests say about a delivered patch; undefined if they cannot judge it. */
export interface PatchVerdict {
  readonly solved: boolean | undefined;
  readonly note: string;
}

/** Judges a delivered patch by a run of the hidden tests with it. */
export function judgePatch(ran: TestRun, expected: ExpectedCases): PatchVerdict {
  const { run, cases } = ran;
  if (run.limit !== null)
    return { solved: false, note: `the hidden tests reach the ${run.limit} limit` };
  const named = [...expected.failing, ...expected.passing];
  const known =
    cases === undefined ? undefined : new Map(cases.map(c => [plainName(c.id), c.status]));
  if (known === undefined && named.length > 0 && (run.passed || !expected.wholeCommand))
    return { solved: undefined, note: 'the test command lists no test cases' };
  if (!expected.wholeCommand && known !== undefined) {
    if (!named.some(name => known.has(plainName(name))))
      return { solved: undefined, note: 'no test case has one of the names that the task gives' };
  }
  const bad =
    known === undefined ? [] : named.filter(name => known.get(plainName(name)) !== 'passed');
  const passes = bad.length === 0 && (run.passed || !expected.wholeCommand);
  if (passes) return { solved: true, note: '' };
  const [first = ''] = bad;
  const more = bad.length > 1 ? `, and ${bad.length - 1} more` : '';
  return {
    solved: false,
    note: first === '' ? 'the test command fails' : `${first.slice(0, 200)} does not pass${more}`,
  };
}

/** A name in the one form that test reports and published task sets share: its words. */
export function plainName(name: string): string {
  return name
    .replace(/\.(py|[cm]?[jt]sx?)\b/g, ' ')
    .split(/[\s/.:>]+/)
    .filter(Boolean)
    .join(' ');
}

/** The verdict of a run; the judgement is that of its patch, if it delivered one. */
export function judgeOutcome(
  { status }: Pick<Outcome, 'status'>,
  judged: PatchVerdict | undefined,
): Verdict {
  if (status === 'rolled_back' || status === 'failed') return 'failed';
  if (!hasPatch(status)) return 'abstained';
  if (judged?.solved === undefined) return 'failed';
  return judged.solved ? 'solved' : 'wrong';
}

/** How often each rule refused a call. */
export function countRefusals({ decisions }: Pick<Outcome, 'decisions'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state, code, count } of decisions)
    if (state === 'abstain') counts[code] = (counts[code] ?? 0) + count;
  return counts;
}
