/** Verifies a patch: runs the test command on clean views before the patch, with it, and with the tests of the base. */
import { PhotonError } from '../codes.ts';
import type { Verification, VerificationRun } from '../outcome.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { addedText } from '../workspace/text/diff.ts';
import type { CommandFiles } from './commands/command-files.ts';
import { changesSetUp } from './commands/set-up.ts';
import { judgeVerification, type VerifyCode } from './judge.ts';
import { lostTests } from './lost-tests.ts';
import { type RunOptions, runTests } from './run-tests.ts';
import { definesTests, endsProcess, testNames } from './test-code.ts';
import { roleOf, textOf } from './test-role.ts';
import type { TestRun } from './test-run.ts';

export interface VerifierOptions extends Omit<RunOptions, 'endEarly'> {
  readonly require: 'pass' | 'no-regression';
  readonly testChanges: 'rollback' | 'flag';
  /** The text of the task. */
  readonly task: string;
  /** Files of the base that the test command starts and names. */
  readonly commandFiles: () => Promise<CommandFiles>;
  /** Text of a file of the base; null if it does not exist. */
  readonly readBase: (path: string) => Promise<string | null>;
}

export interface VerificationResult {
  readonly verification: Verification;
  readonly code: VerifyCode | null;
  /** For the model: the runs, how they ended, and the end of the output. */
  readonly message: string;
}

export interface Verifier {
  /** Starts the run before the patch in the background; `verify` waits for it. */
  startBaseline(): void;
  verify(changes: readonly FileChange[], patchDigest: string): Promise<VerificationResult>;
  /** Ends the run before the patch as if its time were up; for tests that are known never to end. */
  endBaseline(): void;
  /** The run before the patch; null if it was never started. */
  baseline(): Promise<VerificationRun | null>;
  /** Stops the background run and waits for its end. */
  close(): Promise<void>;
}

/** Opens a verifier. Runs never overlap, because tests may use the same port. */
export function openVerifier(given: VerifierOptions): Verifier {
  const stop = new AbortController();
  const options = { ...given, signal: AbortSignal.any([given.signal, stop.signal]) };
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = (changes: readonly FileChange[], endEarly?: AbortSignal): Promise<TestRun> => {
    const next = queue.then(() =>
      runTests({ ...options, ...(endEarly ? { endEarly } : {}) }, changes),
    );
    queue = next.catch(() => {}); // the caller gets the error
    return next;
  };
  let first: Promise<TestRun> | null = null;
  const endless = new AbortController();
  const baseline = () => {
    first ??= inTurn([], endless.signal);
    return first;
  };
  return {
    startBaseline: () => void baseline().catch(() => {}), // verify throws the same error
    endBaseline: () => endless.abort(),
    close: async () => {
      stop.abort(new PhotonError('CANCELLED'));
      await queue;
    },
    baseline: async () => (first === null ? null : (await first).run),
    verify: (changes, patchDigest) =>
      verifyPatch(options, { before: baseline, withChanges: inTurn }, { changes, patchDigest }),
  };
}

/** The runs of the test command that a verification makes. */
interface Runs {
  readonly before: () => Promise<TestRun>;
  readonly withChanges: (changes: readonly FileChange[]) => Promise<TestRun>;
}

interface Patch {
  readonly changes: readonly FileChange[];
  readonly patchDigest: string;
}

async function verifyPatch(
  options: VerifierOptions,
  runs: Runs,
  { changes, patchDigest }: Patch,
): Promise<VerificationResult> {
  const before = await runs.before();
  const after = changes.length === 0 ? before : await runs.withChanges(changes);
  const command = await options.commandFiles();
  const roles = changes.flatMap(change => {
    const role = roleOf(change, command);
    return role === null ? [] : [{ change, role }];
  });
  const deciding = roles.filter(r => r.role.decides).map(r => r.change);
  const rest = changes.filter(c => !deciding.includes(c));
  const needed = deciding.length > 0 && (after.run.exitCode === 0 || options.require !== 'pass');
  const withBaseTests = !needed ? null : rest.length === 0 ? before : await runs.withChanges(rest);
  const tests = roles.filter(r => r.role.kind === 'tests').map(r => r.change);
  const { code, ...judged } = judgeVerification({
    require: options.require,
    testChanges: options.testChanges,
    before,
    after,
    withBaseTests,
    holdsTests: await testHolders(options, [after, withBaseTests]),
    lost: lostTests(tests, options.task),
    otherRunner: deciding.some(c => testNames(textOf(c.before)).length === 0),
  });
  const verification: Verification = {
    require: options.require,
    passed: judged.passed,
    baseline: before.run,
    ...(code === null ? {} : { code }),
    ...(judged.why === '' ? {} : { reason: options.scrub(judged.why) }),
    after: after.run,
    ...(withBaseTests === null ? {} : { withBaseTests: withBaseTests.run }),
    regressions: judged.regressions,
    warnings: [...judged.warnings, ...(await warningsOf(options, changes, after))],
    patchDigest,
    testFiles: roles.map(({ change: { path }, role: { kind, reason } }) => ({
      path,
      kind,
      reason,
    })),
  };
  return { verification, code, message: describe(verification, code, judged.why) };
}

/** True for those of the files without cases that define tests in the base. */
async function testHolders({ readBase }: VerifierOptions, runs: readonly (TestRun | null)[]) {
  const paths = [...new Set(runs.flatMap(ran => ran?.emptyFiles ?? []))].slice(0, 200);
  const texts = await Promise.all(paths.map(async p => [p, (await readBase(p)) ?? ''] as const));
  const holding = new Set(texts.filter(([, text]) => definesTests(text)).map(([path]) => path));
  return (path: string) => holding.has(path);
}

/** Warnings about the patch itself, besides those about the runs. */
async function warningsOf(
  options: VerifierOptions,
  changes: readonly FileChange[],
  after: TestRun,
): Promise<readonly string[]> {
  const ending = endingCalls(changes);
  const setUp = options.setupCommand === '' ? null : await options.setUpFiles();
  const read = setUp === null ? [] : changes.filter(c => changesSetUp(c, setUp)).map(c => c.path);
  return [
    ...(ending.length === 0
      ? []
      : [
          `The patch adds a call that can end the process in ${ending.join(', ')}. ${after.summaries.length === 0 ? 'The test command prints no summary that shows whether the tests finished.' : 'Check that the tests finished.'}`,
        ]),
    ...(read.length === 0
      ? []
      : [
          `The patch changes files that the set-up command reads: ${read.slice(0, 10).join(', ')}. ${options.network === 'setup' ? 'The set-up ran with network on the base, and without network on the patch.' : 'Review them before you run the set-up.'}`,
        ]),
  ];
}

/** At most ten paths whose added lines can end the process with success. */
export function endingCalls(changes: readonly FileChange[]): readonly string[] {
  return changes
    .filter(c => c.after !== null && isCode(c.path) && endsProcess(addedText(c)))
    .map(c => c.path)
    .slice(0, 10);
}

function isCode(path: string): boolean {
  return !/\.(md|mdx|rst|txt|adoc|html|json|ya?ml|toml)$/i.test(path);
}

function describe(v: Verification, code: VerificationResult['code'], why: string): string {
  const row = (name: string, run: VerificationRun | undefined) =>
    run === undefined ? [] : [`${name}: ${describeRun(run)}`];
  const head = [
    v.passed ? 'Verification passed.' : `Verification failed: ${code}.`,
    ...(why === '' ? [] : [why]),
    ...row('before the patch', v.baseline),
    ...row('with the patch', v.after),
    ...row('with the patch and the tests of the base', v.withBaseTests),
    ...(v.regressions.length > 0 ? [`regressions: ${v.regressions.slice(0, 20).join('; ')}`] : []),
  ];
  const shown = code === 'VERIFY_TESTS_CHANGED' ? v.withBaseTests : v.after;
  return v.passed ? head.join('\n') : `${head.join('\n')}\n---\n${shown?.outputTail ?? ''}`;
}

/** Describes briefly how a run of the tests ended. */
export function describeRun(run: VerificationRun): string {
  const end =
    run.limit !== null
      ? `${run.limit} limit`
      : run.exitCode === null
        ? 'killed'
        : `exit ${run.exitCode}`;
  const cases =
    run.cases === undefined ? '' : `, ${run.cases.passed} passed, ${run.cases.failed} failed`;
  const refused = run.refusedConnections ? `, ${run.refusedConnections} connections refused` : '';
  return `${end}${cases}, ${(run.durationMs / 1000).toFixed(1)} s${refused}`;
}
