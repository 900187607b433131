/** The project's test command on clean views: before the patch, after it, and with the base's tests. */
import { PhotonError } from '../codes.ts';
import type { Verification, VerificationRun } from '../outcome.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { CommandFiles } from './command-files.ts';
import { endingCalls } from './ending-calls.ts';
import { judgeVerification, type VerifyCode } from './judge.ts';
import { lostTests } from './lost-tests.ts';
import { type RunOptions, runTests } from './run-tests.ts';
import { changesSetUp } from './set-up.ts';
import { definesTests, testNames } from './test-code.ts';
import { roleOf, textOf } from './test-role.ts';
import type { TestRun } from './test-run.ts';

export interface VerifierOptions extends Omit<RunOptions, 'cut'> {
  readonly require: 'pass' | 'no-regression';
  readonly testChanges: 'rollback' | 'flag';
  /** What was asked for, in a person's words. */
  readonly task: string;
  /** Files of the base that the test command starts and names. */
  readonly commandFiles: () => Promise<CommandFiles>;
  /** Text of a file of the base; null when it has none. */
  readonly readBase: (path: string) => Promise<string | null>;
}

export interface VerifyAnswer {
  readonly verification: Verification;
  readonly code: VerifyCode | null;
  /** For the model: what ran, how it ended, the end of what it printed. */
  readonly message: string;
}

export interface Verifier {
  /** Starts the run before the patch in the background; `verify` waits for it. */
  startBaseline(): void;
  verify(changes: readonly FileChange[], patchDigest: string): Promise<VerifyAnswer>;
  /** Ends the run before the patch as out of time, when its tests are known never to end. */
  endBaseline(): void;
  /** The run before the patch, when it was made. */
  baseline(): Promise<VerificationRun | null>;
  /** Stops what runs in the background and waits until it is gone. */
  close(): Promise<void>;
}

/** Opens a verifier. Runs never overlap, since tests may want the same port. */
export function openVerifier(given: VerifierOptions): Verifier {
  const stop = new AbortController();
  const options = { ...given, signal: AbortSignal.any([given.signal, stop.signal]) };
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = (changes: readonly FileChange[], cut?: AbortSignal): Promise<TestRun> => {
    const next = queue.then(() => runTests({ ...options, ...(cut ? { cut } : {}) }, changes));
    queue = next.catch(() => {}); // whoever asked for it sees its error
    return next;
  };
  let first: Promise<TestRun> | null = null;
  const endless = new AbortController();
  const baseline = () => {
    first ??= inTurn([], endless.signal);
    return first;
  };
  return {
    startBaseline: () => void baseline().catch(() => {}), // verify meets the same error
    endBaseline: () => endless.abort(),
    close: async () => {
      stop.abort(new PhotonError('CANCELLED'));
      await queue;
    },
    baseline: async () => (first === null ? null : (await first).run),
    verify: async (changes, patchDigest) => {
      const before = await baseline();
      const after = changes.length === 0 ? before : await inTurn(changes);
      const command = await options.commandFiles();
      const roles = changes.flatMap(change => {
        const role = roleOf(change, command);
        return role === null ? [] : [{ change, role }];
      });
      const deciding = roles.filter(r => r.role.decides).map(r => r.change);
      const rest = changes.filter(c => !deciding.includes(c));
      const worth = deciding.length > 0 && (after.run.exitCode === 0 || options.require !== 'pass');
      const withBaseTests = !worth ? null : rest.length === 0 ? before : await inTurn(rest);
      const tests = roles.filter(r => r.role.kind === 'tests').map(r => r.change);
      const holdsTests = await testHolders(options, [after, withBaseTests]);
      const judged = judgeVerification({
        ...{ require: options.require, testChanges: options.testChanges },
        ...{ before, after, withBaseTests, holdsTests, lost: lostTests(tests, options.task) },
        otherRunner: deciding.some(c => testNames(textOf(c.before)).length === 0),
      });
      const warnings = [...judged.warnings, ...(await warningsOf(options, changes, after))];
      const verification: Verification = {
        ...{ require: options.require, passed: judged.passed, baseline: before.run },
        ...(judged.code === null ? {} : { code: judged.code }),
        ...(judged.why === '' ? {} : { reason: options.scrub(judged.why) }),
        after: after.run,
        ...(withBaseTests === null ? {} : { withBaseTests: withBaseTests.run }),
        ...{ regressions: judged.regressions, warnings, patchDigest },
        testFiles: roles.map(({ change: { path }, role: { kind, reason } }) => ({
          path,
          kind,
          reason,
        })),
      };
      const { code } = judged;
      return { verification, code, message: describe(verification, code, judged.why) };
    },
  };
}

/** Which of the files that ended without a case define tests in the base. */
async function testHolders({ readBase }: VerifierOptions, runs: readonly (TestRun | null)[]) {
  const paths = [...new Set(runs.flatMap(ran => ran?.emptyFiles ?? []))].slice(0, 200);
  const texts = await Promise.all(paths.map(async p => [p, (await readBase(p)) ?? ''] as const));
  const holding = new Set(texts.filter(([, text]) => definesTests(text)).map(([path]) => path));
  return (path: string) => holding.has(path);
}

/** What the patch itself gives a reviewer to look at, beside what the runs say. */
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
          `The patch adds a call that can end the process in ${ending.join(', ')}. ${after.summaries.length === 0 ? 'The test command prints no summary that would show whether the tests came to their end.' : 'Check that the tests came to their end.'}`,
        ]),
    ...(read.length === 0
      ? []
      : [
          `The patch changes what the set-up command reads: ${read.slice(0, 10).join(', ')}. ${options.network === 'setup' ? 'The set-up ran with network on the base, and without on the patch.' : 'Look at it before you run it.'}`,
        ]),
  ];
}

function describe(v: Verification, code: VerifyAnswer['code'], why: string): string {
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

/** How a run of the tests ended, in a few words. */
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
