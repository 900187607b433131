/** Judges a patch by the runs of the test command. The exit status of the process overrides every report. Pure. */
import type { Verification } from '../../base/outcome.ts';
import { listFirst, plural, sum } from '../../base/plural.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { changedExpectations, describeExpectations } from './changed-expectations.ts';
import { type CaseExpectations, whyIncomplete } from './completeness.ts';
import {
  endedByItself,
  failedCases,
  findWorseStage,
  listFailures,
  nothingPassed,
  type TestRun,
} from './test-run.ts';

/** Why verification failed. */
export type VerifyCode =
  | 'VERIFY_FAILED'
  | 'VERIFY_TESTS_CHANGED'
  | 'VERIFY_INCOMPLETE'
  | 'VERIFY_NO_TESTS'
  | 'VERIFY_NOT_SHOWN'
  | 'VERIFY_REPORT_MISSING'
  | 'VERIFY_REPORT_LIMIT'
  | 'VERIFY_UNPROVEN'
  | 'VERIFY_TAMPERED'
  | 'VERIFY_ALERT';

/** Tests that the patch removes. */
export interface LostTests {
  readonly names: readonly string[];
  /** True if the task names each of them, or its file. */
  readonly requested: boolean;
  /** True if the patch adds at least as many tests as it removes. */
  readonly replaced?: boolean;
}

export interface VerificationFacts {
  readonly require: 'pass' | 'no-regression';
  readonly testChanges: 'asked' | 'rollback' | 'flag';
  /** The changes of tests, if a person asked for something that changes what tests expect. */
  readonly askedChanges?: readonly FileChange[];
  readonly before: TestRun;
  readonly after: TestRun;
  /** The run with the patch and the tests of the base; undefined if the patch changes no tests. */
  readonly withBaseTests: TestRun | undefined;
  /** Ids of cases that pass and fail on the same files. */
  readonly flaky: readonly string[];
  readonly lost: LostTests;
  /** True if the task speaks of a test that fails. */
  readonly failingTask: boolean;
  /** True if the task wants one of the cases repaired that still fail. */
  readonly wantsMore: (cases: Record<'failing' | 'repaired', readonly string[]>) => boolean;
  /** True if an earlier run of the test command counted cases. */
  readonly hasCounted: boolean;
  /** True if the requirement is about what the tests show of each line. */
  readonly strict: boolean;
  /** True if the patch changes how the tests are started, such as a package script. */
  readonly otherRunner: boolean;
  /** True for a file of the base whose text defines tests. */
  readonly holdsTests: (path: string) => boolean;
}

export interface Judgement
  extends Pick<
    Verification,
    'passed' | 'unjudged' | 'regressions' | 'changedExpectations' | 'sameFailures' | 'repaired'
  > {
  readonly code: VerifyCode | undefined;
  /** Why it does not pass, if the runs do not show it; otherwise empty. */
  readonly why: string;
  /** The same for the model, where it differs: it can change no setting. */
  readonly forModel?: string;
  /** Facts that a reviewer must know before trusting the patch. */
  readonly warnings: readonly string[];
}

const good: Judgement = { passed: true, code: undefined, regressions: [], why: '', warnings: [] };

function bad(code: VerifyCode, why = '', regressions: readonly string[] = []): Judgement {
  return { ...good, passed: false, code, why, regressions: regressions.slice(0, 100) };
}

/**
 * `pass`: exit 0, or the failures of the base and no other. `no-regression`: exit 0 if the base has it; otherwise no case fails
 * that did not fail before, and none that passed is missing. A report explains an exit status, and never overrides it. Both require a complete run, with every case that ran before the patch, and at least one case that ran. A script that counts
 * no cases proves a patch if it failed without it.
 */
export function judgeVerification(evidence: VerificationFacts): Judgement {
  const { after, withBaseTests, lost, testChanges } = evidence;
  const tolerated = testChanges === 'flag' && withBaseTests !== undefined;
  const failing = failingOfBase(evidence);
  const expected =
    testChanges === 'asked' && failing !== undefined
      ? changedExpectations(evidence.askedChanges ?? [], failing)
      : [];
  const isRequested = expected.length > 0;
  // a rename may give tests other names, and takes none away
  const fewer = lost.requested || tolerated || (isRequested && lost.replaced === true);
  const own = judgeRun(evidence, after, { ...evidence, fewer });
  // what only the tests of the patch turn green is not repaired
  const excusable = own.sameFailures ?? [];
  const as = { ...evidence, fewer: false, otherRunner: false, excusable };
  const compares =
    withBaseTests !== undefined && !(ranNothing(evidence.before) && ranNothing(withBaseTests));
  const compared = compares ? judgeRun(evidence, withBaseTests, as) : good;
  const based =
    !compared.passed && compares && failsBesideCases(evidence.before, withBaseTests)
      ? { ...good, warnings: [boundFailed] }
      : compared;
  // a failure of the tests of the base is the more useful finding
  const changed = !based.passed && !tolerated && !isRequested && own.code !== 'VERIFY_FAILED';
  const named = listNames(failing ?? listFailures(withBaseTests) ?? []);
  if (changed)
    return { ...based, code: 'VERIFY_TESTS_CHANGED', why: `${based.why} ${onlyOwn(named)}`.trim() };
  if (!own.passed) return own;
  if (lost.names.length > 0 && !fewer)
    return bad('VERIFY_INCOMPLETE', `The patch removes tests: ${listNames(lost.names)}.`);
  const shown = judgeShown(evidence);
  if (!shown.passed && shown.unjudged !== true) return shown;
  const warnings = [
    own.sameFailures && describeSame(evidence, own.sameFailures),
    based.passed
      ? undefined
      : isRequested
        ? `${expectationsChanged}${describeExpectations(expected)}. ${describeRest(evidence)}`
        : `The patch changes what ${named === '' ? 'tests of the base' : 'these tests'} expect${named === '' ? '' : `: ${named}`}. It does not pass the tests of the base. Check each of them.`,
    ...shown.warnings,
    ...own.warnings,
    ...based.warnings,
    lost.names.length > 0 ? `The patch removes tests: ${listNames(lost.names)}.` : undefined,
  ].filter(item => item !== undefined);
  return {
    ...shown,
    sameFailures: own.sameFailures,
    warnings: [...new Set(warnings)],
    changedExpectations: isRequested && !based.passed ? expected : undefined,
  };
}

/** How the first warning begins of a patch that changes what tests expect, because that was asked for. */
export const expectationsChanged = 'Check each change of what tests expect, as the task asks: ';

function describeRest({ withBaseTests, after }: VerificationFacts): string {
  const counts = withBaseTests?.run.cases;
  const based =
    counts === undefined ? 'some fail' : `${counts.failed} fail and ${counts.passed} pass`;
  const own = after.run.passed ? 'the test command passes' : 'no more fails than without it';
  return `With the tests of the base, ${based}; with those of the patch, ${own}.`;
}

/** In the first warning about a patch with which the same cases fail as without it. */
export const failsAnyway = ' with and without this patch: ';

function describeSame({ before, after }: VerificationFacts, same: readonly string[]): string {
  const more = Math.max(0, countPassed(after) - countPassed(before));
  const fail = same.length === 1 ? 'fails' : 'fail';
  const passing = more === 0 ? '' : `, ${more} more ${more === 1 ? 'passes' : 'pass'}`;
  return `${plural(same.length, 'test')} ${fail}${failsAnyway}${listNames(same)}; nothing new fails${passing}.`;
}

const countPassed = ({ run, summaries }: TestRun) =>
  run.cases?.passed ?? sum(summaries.map(s => Math.max(0, s.ran - s.failed)));

/** True if nothing fails in this run that does not fail with the patch; undefined if the run does not show it. */
export function endsAs(after: TestRun, ran: TestRun): boolean | undefined {
  if (after.run.exitCode === 0) return ran.run.exitCode === 0;
  if (findSameFailures(after, ran) !== undefined) return true;
  const known = failedCases(after);
  return failedCases(ran)?.some(id => known?.includes(id) === false) ? false : undefined;
}

/**
 * The failed cases, if each of them fails by the same name without the patch, every failure of the base ran again, and what
 * passed before passes. Undefined if that is not so or not known; a limit, a signal or a case without a name shows nothing.
 */
export function findSameFailures(before: TestRun, ran: TestRun): readonly string[] | undefined {
  const old = before.run.passed ? undefined : listFailures(before);
  const now = listFailures(ran);
  const ended = [before, ran].every(({ run }) => endedByItself(run));
  if (!ended || old === undefined || now === undefined || now.length === 0) return undefined;
  const isSame = now.every(id => old.includes(id) && !/^(?: *\(\d+\))?$/.test(id));
  if (!isSame || nothingPassed(ran)) return undefined;
  const ids = ran.cases && new Set(ran.cases.map(c => c.id));
  const isWhole = ids === undefined || old.every(id => ids.has(id));
  const worse = regressionsIn(before, ran, { fewer: false, flaky: [] });
  return isWhole && worse?.length === 0 ? now : undefined;
}

/** The same, where the verdict hangs on none of these cases; undefined if it does. */
function findExcused(evidence: VerificationFacts, ran: TestRun): readonly string[] | undefined {
  const { before, flaky, wantsMore, strict } = evidence;
  const same = strict ? undefined : findSameFailures(before, ran);
  if (same === undefined || same.some(id => flaky.includes(id))) return undefined;
  const repaired = (listFailures(before) ?? []).filter(id => !same.includes(id));
  return wantsMore({ failing: same, repaired }) ? undefined : same;
}

/**
 * The cases that fail with the patch and the tests of the base, and did not before; empty if they cannot be told. Undefined
 * if that run did not end by itself with a failure, or the patch turns a case green by its tests: that repairs nothing.
 */
function failingOfBase({
  before,
  after,
  withBaseTests,
}: VerificationFacts): readonly string[] | undefined {
  if (withBaseTests === undefined) return undefined;
  const { run } = withBaseTests;
  const failing = listFailures(withBaseTests) ?? [];
  const red = before.run.passed ? [] : listFailures(before);
  const hasFailed = run.exitCode !== 0 && endedByItself(run);
  if (!hasFailed || red === undefined) return undefined;
  const stays = listFailures(after) ?? [];
  const turned = failing.some(id => red.includes(id) && !stays.includes(id));
  return turned ? undefined : failing.filter(id => !red.includes(id));
}

/** True if the command fails though no case does, and as many pass as before: a bound on coverage does that without the tests of a patch. */
function failsBesideCases(before: TestRun, ran: TestRun): boolean {
  const { run, summaries } = ran;
  const fails = (listFailures(ran) ?? []).length + sum(summaries.map(s => s.failed)) > 0;
  if (fails || !endedByItself(run) || nothingPassed(ran)) return false;
  const worse = regressionsIn(before, ran, { fewer: false, flaky: [] }) ?? [];
  if (!missedBound.test(ran.output ?? run.outputTail)) return false;
  return before.run.passed && worse.length === 0 && countPassed(ran) >= countPassed(before);
}

const missedBound = /\bcoverage\b.*(?:threshold|not reached|less than fail.under)/i;
const boundFailed =
  'With the tests of the base alone, every test case passes, and the coverage misses its bound. With those of the patch it passes.';

/** Why a patch is refused that passes only with its own tests. */
function onlyOwn(expected: string): string {
  const which = expected === '' ? '' : ` (${expected})`;
  return `The patch passes only because it also changes what tests expect${which}.`;
}

/** True for a run that reached no limit, and in which a runner or a report says that no case ran. */
function ranNothing({ run, ran }: TestRun): boolean {
  return ran.kind === 'none' && endedByItself(run);
}

/** The warning about a task that speaks of a failing test, if none failed without the patch. */
export const nothingFailed =
  'The task speaks of a failing test, but the tests passed without the patch, too: they do not show that the patch repairs anything.';

/** Judges whether a complete run shows anything: at least one case, or a script that failed without the patch. */
function judgeShown(facts: VerificationFacts): Judgement {
  const { before, after, failingTask, strict, hasCounted } = facts;
  const isGreen = before.run.passed;
  if (after.ran.kind === 'cases') {
    const first = before.ran.kind === 'none' ? [onlyOwnTests] : [];
    return { ...good, warnings: failingTask && isGreen ? [nothingFailed, ...first] : first };
  }
  if (after.ran.kind === 'unknown' && !isGreen) return good;
  if (after.ran.kind === 'none') return noTests(before, after.ran.words);
  const words = hasCounted ? noMore : same;
  if (failingTask)
    return bad('VERIFY_NO_TESTS', `${words}, so it shows no failing test that the patch repairs.`);
  if (strict) return bad('VERIFY_NO_TESTS', `${words}.`);
  const warnings = [hasCounted ? noLongerJudged : notJudged];
  return { ...bad('VERIFY_NOT_SHOWN', `${words}.`), unjudged: true, warnings };
}

const same = 'The test command shows no test case, and it exits with 0 with and without the patch';

/** The warning about a patch that nothing judged. */
export const notJudged = `Not verified: no test case judged this patch. ${same}. Review it by hand.`;

const noMore =
  'The test command exits with 0 with and without the patch, and shows no test case any more';

/** The same where an earlier run of the same test command counted cases. */
export const noLongerJudged = `Not verified: ${noMore}, though it did with an earlier patch of this run. Review it by hand.`;

const onlyOwnTests =
  'Without the patch, no test case ran: every case that ran is of the patch itself.';

function noTests(before: TestRun, words: string): Judgement {
  const first = before.ran.kind === 'none' ? ' Without the patch, it ran none either.' : '';
  return bad('VERIFY_NO_TESTS', `The test command ran no test case ("${words}").${first}`);
}

const listNames = (names: readonly string[]) =>
  listFirst(names, String, { most: 10, between: '; ' });

/** Judges one run by the run before the patch. */
function judgeRun(
  evidence: VerificationFacts,
  ran: TestRun,
  expected: CaseExpectations & { readonly excusable?: readonly string[] },
): Judgement {
  const { require, before, flaky } = evidence;
  const { exitCode } = ran.run;
  if (!endedByItself(ran.run)) return bad('VERIFY_FAILED');
  // some runners end with 0 when they run nothing, and some with a status of their own
  if (ran.ran.kind === 'none' && before.ran.kind !== 'cases') return noTests(before, ran.ran.words);
  const tolerance = { fewer: expected.fewer, flaky };
  const turnsRed = exitCode !== 0 && before.run.passed;
  if (turnsRed && require === 'no-regression')
    return bad('VERIFY_FAILED', turned, regressionsIn(before, ran, tolerance));
  const isRed = exitCode !== 0 && require === 'pass';
  const sameFailures = isRed ? findExcused(evidence, ran) : undefined;
  const { excusable = sameFailures } = expected;
  if (isRed && !sameFailures?.every(id => excusable?.includes(id))) return bad('VERIFY_FAILED');
  if (ran.reportTooLarge && !before.reportTooLarge) return bad('VERIFY_REPORT_LIMIT');
  const why = whyIncomplete(before, ran, expected);
  if (why !== undefined) return bad('VERIFY_INCOMPLETE', why);
  if (require === 'no-regression') return judgeCases(before, ran, tolerance);
  return isRed ? { ...good, sameFailures, warnings: [forgeable] } : good;
}

const turned = 'The test command succeeds without the patch, and fails with it.';

const forgeable =
  'The tests still fail. Only a report shows that nothing got worse, and the program under test can forge it.';

interface Tolerance {
  /** True if cases may be missing. */
  readonly fewer: boolean;
  readonly flaky: readonly string[];
}

function judgeCases(before: TestRun, ran: TestRun, tolerance: Tolerance): Judgement {
  const regressions = regressionsIn(before, ran, tolerance);
  if (regressions === undefined) {
    if (ran.run.exitCode === 0) return good;
    const tooLarge = ran.reportTooLarge || before.reportTooLarge;
    return bad(tooLarge ? 'VERIFY_REPORT_LIMIT' : 'VERIFY_REPORT_MISSING');
  }
  if (regressions.length > 0) return bad('VERIFY_FAILED', '', regressions);
  const worse = findWorseStage(before.stages, ran.stages);
  if (worse !== undefined) return bad('VERIFY_FAILED', worse);
  if (ran.run.exitCode === 0) return good;
  const same = ran.stages.filter(s => s.exitCode !== 0 && !s.explained).map(s => `"${s.name}"`);
  const inTests = ran.stages.some(s => s.explained);
  const warnings = [
    same.length === 0
      ? undefined
      : `The test command still fails: ${same.join(', ')} fails as it does without the patch.`,
    inTests ? forgeable : undefined,
  ].filter(item => item !== undefined);
  return { ...good, warnings };
}

/**
 * Cases that passed before and do not pass now, and failures that did not fail before, also of a new case or file. If only
 * failed cases are named, the number of cases has been compared before. Undefined if the cases are unknown.
 */
function regressionsIn(
  before: TestRun,
  ran: TestRun,
  { fewer, flaky }: Tolerance,
): readonly string[] | undefined {
  if (before.cases !== undefined && ran.cases !== undefined) {
    const [old, now] = [before, ran].map(
      ({ cases = [] }) => new Map(cases.map(c => [c.id, c.status])),
    );
    const worse = before.cases
      .filter(c => c.status === 'passed' && now?.get(c.id) !== 'passed')
      .filter(c => !(fewer && !now?.has(c.id)));
    const fresh = ran.cases.filter(c => c.status === 'failed' && old?.get(c.id) !== 'failed');
    const ids = [...worse, ...fresh].map(c => c.id).filter(id => !flaky.includes(id));
    const more = countUnlisted(ran) - countUnlisted(before);
    return [...new Set(ids.concat(more > 0 ? plural(more, 'failure') + unlisted : []))];
  }
  if (before.failures === undefined || ran.failures === undefined) return undefined;
  const known = new Set(before.failures);
  return ran.failures.filter(id => !known.has(id));
}

const unlisted = ' that the runner counts and its report leaves out';

/** The failures that the runners count beside those that are listed, such as of a parent that a report leaves out. */
const countUnlisted = (ran: TestRun) =>
  sum(ran.summaries.map(s => s.failed)) - (failedCases(ran)?.length ?? 0);
