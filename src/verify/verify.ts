/** Verifies a patch: runs the test command on clean views before the patch, with it, and with the tests of the base. */
import { PhotonError } from '../base/codes.ts';
import type { Verification, VerificationRun } from '../base/outcome.ts';
import type { PatchProof } from '../base/patch-proof.ts';
import type { CommandFiles } from '../ecosystems/commands/command-files.ts';
import type { SetUpFiles } from '../ecosystems/commands/set-up.ts';
import { type CommandStage, listStages } from '../ecosystems/commands/stages.ts';
import { testNames } from '../ecosystems/tests/test-code.ts';
import { findTestRole, getStateText } from '../ecosystems/tests/test-role.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { describeProof, weakLines } from './describe-proof.ts';
import { describeVerification } from './describe-verification.ts';
import { type EarlyProject, earlyFailures, selectEarly } from './early-tests.ts';
import { findUnsatisfied, requirePackages } from './installed.ts';
import { asksForChangedTests } from './judge/asked-changes.ts';
import { speaksOfFailingTest } from './judge/failing-task.ts';
import { judgeVerification, nothingFailed, type VerifyCode } from './judge/judge.ts';
import { lostTests } from './judge/lost-tests.ts';
import type { TestRun } from './judge/test-run.ts';
import { offerNoRegression, testHolders } from './look-at-base.ts';
import { patchWarnings } from './patch-warnings.ts';
import { type RunOptions, runTests } from './run-tests.ts';
import { repeatFailing, repeatsFailed, settleFlaky } from './settle-flaky.ts';

export interface VerifierOptions extends Omit<RunOptions, 'endEarly' | 'stages'> {
  readonly require: Exclude<Verification['require'], 'none'>;
  /** How often tests run on the same files if cases fail before the patch, at least once. */
  readonly reruns: number;
  /** Measures what the tests show of a patch that passes; undefined if the settings turn it off. */
  readonly measure: ((patch: PassedPatch) => Promise<PatchProof>) | undefined;
  readonly testChanges: 'asked' | 'rollback' | 'flag';
  /** The text of the task. */
  readonly task: string;
  /** Files of the base that the set-up command reads; undefined if there is no set-up. */
  readonly setUpFiles: (() => Promise<SetUpFiles>) | undefined;
  /** Files of the base that the test command starts and names. */
  readonly commandFiles: () => Promise<CommandFiles>;
  /** Text of a file of the base; undefined if it does not exist. */
  readonly readBase: (path: string) => Promise<string | undefined>;
  /** Text of a file of the checkout that git may ignore, such as those of installed packages. */
  readonly readInstalled: (path: string) => string | undefined;
  /** The paths of all files of the base. */
  readonly paths: () => Promise<readonly string[]>;
}

/** A patch that passes, and the runs that showed it. */
export interface PassedPatch {
  /** Changes outside of tests and of what tests run with, and the others. */
  readonly source: readonly FileChange[];
  readonly tests: readonly FileChange[];
  readonly before: TestRun;
  readonly after: TestRun;
  readonly flaky: readonly string[];
  /** Runs the test command on the base with these changes. */
  readonly withChanges: (changes: readonly FileChange[]) => Promise<TestRun>;
}

export interface VerificationResult {
  readonly verification: Verification;
  readonly code: VerifyCode | undefined;
  /** For the model: the runs, how they ended, and the end of the output. */
  readonly message: string;
}

export interface Verifier {
  /**
   * Starts the run before the patch in the background; `verify` waits for it. `onUnrunnable` is called if the test
   * command cannot run (`TEST_COMMAND_UNRUNNABLE`).
   */
  startBaseline(onUnrunnable: (error: PhotonError) => void): void;
  /**
   * @param mayEndEarly true: tests that are likely to fail run first, and their failure ends the verification. With the
   * same patch again, the whole suite runs.
   */
  verify(
    changes: readonly FileChange[],
    patchDigest: string,
    mayEndEarly?: boolean,
  ): Promise<VerificationResult>;
  /** Ends the run before the patch as if its time were up; for tests that are known never to end. */
  endBaseline(): void;
  /** The run before the patch; undefined if it was never started. */
  baseline(): Promise<VerificationRun | undefined>;
  /** Runs the tests on the base with these changes; without changes, once. */
  run(changes: readonly FileChange[]): Promise<TestRun>;
  /** Stops the background run and waits for its end. */
  close(): Promise<void>;
}

/** Opens a verifier. Its runs of the tests follow one another, since they may share ports. */
export function openVerifier(settings: VerifierOptions): Verifier {
  const stop = new AbortController();
  const options = { ...settings, signal: AbortSignal.any([settings.signal, stop.signal]) };
  let queue: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(work);
    queue = next.catch(() => {}); // the caller gets the error
    return next;
  };
  const inTurn = (changes: readonly FileChange[], endEarly?: AbortSignal): Promise<TestRun> =>
    alone(async () => {
      const stages = await stagesIn(options, changes);
      return runTests({ ...options, stages, endEarly }, changes);
    });
  // an early failure is news and no verdict: with the same patch again, the whole suite runs
  const known = new Set<string>();
  const earlyPart: Runs['early'] = async (before, { changes, patchDigest, mayEndEarly }) => {
    if (!mayEndEarly || known.has(patchDigest)) return undefined;
    const command = await selectEarly(before, changes, earlyProject(options, changes));
    if (command === undefined) return undefined;
    const ran = await alone(() => runTests({ ...options, command, report: '' }, changes));
    const failures = earlyFailures(chooseBasis(options.require), before, ran);
    if (failures.length > 0) known.add(patchDigest);
    return { ran, failures };
  };
  let first: Promise<TestRun> | undefined;
  const endless = new AbortController();
  const baseline = () => {
    first ??= inTurn([], endless.signal).then(async ran => {
      // a set-up may install with the patch what is missing without it
      if (options.setUpFiles === undefined && !ran.run.passed)
        requirePackages(ran, await options.paths());
      return ran;
    });
    return first;
  };
  // the files of the cases that failed before, where the runner can select them and runs each case again
  const failingAgain = async (changes: readonly FileChange[]): Promise<TestRun> => {
    const before = await baseline();
    const command = await selectEarly(before, changes, earlyProject(options, changes));
    const endEarly = endless.signal;
    const part =
      command === undefined
        ? undefined
        : await alone(() => runTests({ ...options, command, report: '', endEarly }, changes));
    if (part !== undefined && repeatsFailed(before, part)) return part;
    return inTurn(changes, endEarly);
  };
  let repeated: Promise<readonly TestRun[]> | undefined;
  const again = () => {
    repeated ??= repeatFailing(options, baseline, () => failingAgain([]));
    repeated.catch(() => {}); // whoever waits for it gets the error
    return repeated;
  };
  return {
    startBaseline: onUnrunnable =>
      // verify throws the same error
      void again().catch(error => {
        if (error instanceof PhotonError && error.code === 'TEST_COMMAND_UNRUNNABLE')
          onUnrunnable(error);
      }),
    endBaseline: () => endless.abort(),
    close: async () => {
      stop.abort(new PhotonError('CANCELLED'));
      await queue;
    },
    run: changes => (changes.length === 0 ? baseline() : inTurn(changes)),
    baseline: async () => (first === undefined ? undefined : (await first).run),
    verify: (changes, patchDigest, mayEndEarly = false) =>
      verifyPatch(
        options,
        {
          before: baseline,
          beforeAgain: again,
          withChanges: inTurn,
          failingAgain,
          early: earlyPart,
        },
        { changes, patchDigest, mayEndEarly },
      ),
  };
}

/** For no-regression, a stage that fails hides no later one. The manifest of the patch decides which there are. */
async function stagesIn(
  { require, command, readBase }: VerifierOptions,
  changes: readonly FileChange[],
): Promise<readonly CommandStage[]> {
  if (require !== 'no-regression') return [];
  return listStages(command, await readWith(changes, readBase)('package.json'));
}

/** Reads files of the base with these changes. */
function readWith(
  changes: readonly FileChange[],
  readBase: VerifierOptions['readBase'],
): VerifierOptions['readBase'] {
  return async path => {
    const change = changes.find(c => c.path === path);
    return change ? getStateText(change.after) : readBase(path);
  };
}

function earlyProject(
  { command, readBase, paths }: VerifierOptions,
  changes: readonly FileChange[],
): EarlyProject {
  return { command, paths, read: readWith(changes, readBase) };
}

/** The runs of the test command that a verification makes. */
interface Runs {
  readonly before: () => Promise<TestRun>;
  /** Further runs of the same; empty if no case fails. */
  readonly beforeAgain: () => Promise<readonly TestRun[]>;
  readonly withChanges: (changes: readonly FileChange[]) => Promise<TestRun>;
  /** At least the cases that failed before, with these changes. */
  readonly failingAgain: (changes: readonly FileChange[]) => Promise<TestRun>;
  /** The tests that are likely to fail, and those of them that do; undefined if none can be selected. */
  readonly early: (before: TestRun, patch: Patch) => Promise<EarlyRun | undefined>;
}

interface EarlyRun {
  readonly ran: TestRun;
  readonly failures: readonly string[];
}

interface Patch {
  readonly changes: readonly FileChange[];
  readonly patchDigest: string;
  readonly mayEndEarly: boolean;
}

/** What the test runs alone must show; the rest of a stricter requirement is judged by the proof. */
function chooseBasis(require: VerifierOptions['require']): 'pass' | 'no-regression' {
  return require === 'no-regression' ? require : 'pass';
}

async function verifyPatch(
  options: VerifierOptions,
  runs: Runs,
  patch: Patch,
): Promise<VerificationResult> {
  const { changes, patchDigest } = patch;
  const before = await runs.before();
  const early = changes.length === 0 ? undefined : await runs.early(before, patch);
  if (early !== undefined && early.failures.length > 0)
    return failEarly(options, { before, early, patchDigest });
  const first = changes.length === 0 ? before : await runs.withChanges(changes);
  const {
    after,
    flaky,
    warnings: unsure,
  } = await settleFlaky(options, runs, { changes, before, first });
  const command = await options.commandFiles();
  const roles = changes.flatMap(change => {
    const role = findTestRole(change, command);
    return role === undefined ? [] : [{ change, role }];
  });
  const deciding = roles.filter(r => r.role.decides).map(r => r.change);
  const rest = changes.filter(c => !deciding.includes(c));
  const needed =
    deciding.length > 0 && (after.run.exitCode === 0 || options.require === 'no-regression');
  const withBaseTests = !needed
    ? undefined
    : rest.length === 0
      ? before
      : await runs.withChanges(rest);
  const tests = roles.filter(r => r.role.kind === 'tests').map(r => r.change);
  const { code, ...judgement } = judgeVerification({
    require: chooseBasis(options.require),
    testChanges: options.testChanges,
    asksForChange: asksForChangedTests(options.task),
    before,
    after,
    withBaseTests,
    flaky,
    holdsTests: await testHolders(options, [after, withBaseTests]),
    lost: lostTests(tests, options.task),
    failingTask: speaksOfFailingTest(options.task),
    strict: chooseBasis(options.require) !== options.require,
    otherRunner: deciding.some(c => testNames(getStateText(c.before)).length === 0),
  });
  const fails =
    code === 'VERIFY_FAILED' && options.require !== 'no-regression' && !before.run.passed;
  const why = fails ? await offerNoRegression(options, before) : judgement.why;
  const other =
    judgement.passed && options.setUpFiles === undefined
      ? findUnsatisfied(changes, options.readInstalled)
      : [];
  const judgedCode: VerifyCode | undefined = other.length === 0 ? code : 'VERIFY_NOT_SHOWN';
  const judged =
    other.length === 0
      ? { ...judgement, why }
      : { ...judgement, ...ranWithOthers(other), why: ranWithOthers(other).warnings[0] };
  const verification: Verification = {
    require: options.require,
    passed: judged.passed,
    unjudged: judged.unjudged === true ? true : undefined,
    baseline: before.run,
    early: early?.ran.run,
    code: judgedCode,
    reason: judged.why === '' ? undefined : options.scrub(judged.why),
    after: after.run,
    withBaseTests: withBaseTests?.run,
    regressions: judged.regressions,
    warnings: [...judged.warnings, ...unsure, ...(await patchWarnings(options, changes, after))],
    patchDigest,
    testFiles: roles.map(({ change: { path }, role: { kind, reason } }) => ({
      path,
      kind,
      reason,
    })),
  };
  if (!judged.passed || options.measure === undefined || changes.length === 0) {
    const message = describeVerification(verification, judgedCode, judged.why);
    return { verification, code: judgedCode, message };
  }
  const proof = await options.measure({
    source: changes.filter(c => !roles.some(r => r.change === c)),
    tests: changes.filter(c => roles.some(r => r.change === c)),
    before,
    after,
    flaky,
    withChanges: runs.withChanges,
  });
  return withProof({ ...verification, proof });
}

/** The judgement of a patch whose tests ran with other versions than it asks for: nothing shows it. */
function ranWithOthers(found: readonly string[]) {
  const text = `Not verified: ${found.slice(0, 10).join('; ')}. The tests ran with what is installed. Install these versions and run the tests, or name a setup-command that installs them.`;
  return { passed: false, unjudged: true, warnings: [text] } as const;
}

/** A verification that passed, with its proof; the stricter requirements may not accept it. */
function withProof(judged: Verification & { proof: PatchProof }): VerificationResult {
  const { require, proof } = judged;
  // a new test that fails without the patch is the failing test that the task speaks of
  const repairs = proof.newTests.some(test => test.failsOnBase);
  const warnings = (judged.warnings ?? []).filter(w => !(repairs && w === nothingFailed));
  const verification = { ...judged, warnings };
  const weak = weakLines(proof, require);
  if (weak.length === 0)
    return {
      verification,
      code: undefined,
      message:
        `${describeVerification(verification, undefined, '')}\n${describeProof(proof)}`.trimEnd(),
    };
  const places = weak
    .slice(0, 20)
    .map(({ path, start, end, shows }) => `${path}:${start}-${end} ${shows}`);
  const cut = proof.cut === '' ? '' : ` Not everything was looked at: ${proof.cut}.`;
  const why = `verify is ${require}, and the tests show too little of ${weak.length} parts of the patch: ${places.join('; ')}.${cut} Add tests for these lines.`;
  const failed = { ...verification, passed: false, code: 'VERIFY_UNPROVEN', reason: why } as const;
  return {
    verification: failed,
    code: 'VERIFY_UNPROVEN',
    message: describeVerification(failed, 'VERIFY_UNPROVEN', why),
  };
}

/** What the model hears before the whole suite has run. */
function failEarly(
  { require, scrub }: VerifierOptions,
  found: { readonly before: TestRun; readonly early: EarlyRun; readonly patchDigest: string },
): VerificationResult {
  const { before, early, patchDigest } = found;
  const why = `Tests that failed before, or belong to the changed files, fail: ${early.failures.slice(0, 20).join('; ')}. The whole suite has not run. It runs when they pass, or when verify is called again with the same patch.`;
  const verification: Verification = {
    require,
    passed: false,
    code: 'VERIFY_FAILED',
    reason: scrub(why),
    baseline: before.run,
    early: early.ran.run,
    regressions: require === 'no-regression' ? early.failures.slice(0, 100) : [],
    patchDigest,
  };
  return {
    verification,
    code: 'VERIFY_FAILED',
    message: describeVerification(verification, 'VERIFY_FAILED', why),
  };
}
