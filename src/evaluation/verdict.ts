/** Judges how a task ended, from the outcome of its run and the hidden tests. Pure. */
import type { Outcome } from '../outcome.ts';
import type { TestRun } from '../verify/judge/test-run.ts';
import type { CaseLists } from './proof.ts';
import type { Verdict } from './result.ts';

/** What must pass. */
export interface ExpectedCases extends CaseLists {
  /** True if the test command as a whole must pass, too. */
  readonly wholeCommand: boolean;
}

/** What the hidden tests say about a delivered patch; null if they cannot judge it. */
export interface PatchVerdict {
  readonly solved: boolean | null;
  readonly note: string;
}

/** Judges a delivered patch by a run of the hidden tests with it. */
export function judgePatch(ran: TestRun, expected: ExpectedCases): PatchVerdict {
  const { run, cases } = ran;
  if (run.limit !== null)
    return { solved: false, note: `the hidden tests reach the ${run.limit} limit` };
  const named = [...expected.failing, ...expected.passing];
  const known = cases === null ? null : new Map(cases.map(c => [plainName(c.id), c.status]));
  if (known === null && named.length > 0 && (run.passed || !expected.wholeCommand))
    return { solved: null, note: 'the test command lists no test cases' };
  if (!expected.wholeCommand && known !== null) {
    if (!named.some(name => known.has(plainName(name))))
      return { solved: null, note: 'no test case has one of the names that the task gives' };
  }
  const bad = known === null ? [] : named.filter(name => known.get(plainName(name)) !== 'passed');
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
export function verdictOf(
  { status }: Pick<Outcome, 'status'>,
  judged: PatchVerdict | null,
): Verdict {
  switch (status) {
    case 'committed':
    case 'suggested':
    case 'applied':
    case 'written':
    case 'previewed':
      if (judged === null || judged.solved === null) return 'failed';
      return judged.solved ? 'solved' : 'wrong';
    case 'abstained':
    case 'needs_clarification':
    case 'no_change':
    case 'undone':
    case 'answered':
      return 'abstained';
    case 'rolled_back':
    case 'failed':
      return 'failed';
  }
}

/** How often each rule refused a call. */
export function refusalsOf({ decisions }: Pick<Outcome, 'decisions'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state, code, count } of decisions)
    if (state === 'abstain') counts[code] = (counts[code] ?? 0) + count;
  return counts;
}
