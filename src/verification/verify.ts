/** The project's test command on clean views: before the patch, after it, and with the base's tests. */
import { PhotonError } from '../codes.ts';
import type { Verification, VerificationRun } from '../outcome.ts';
import type { FileChange } from '../session/change.ts';
import type { CommandEnd, Sandbox } from '../session/sandbox.ts';
import type { Place } from '../session/view.ts';
import { countCases, judgeVerification } from './judge.ts';
import { parseJsonReport } from './report-json.ts';
import { parseJunit } from './report-junit.ts';
import { parseTap } from './report-tap.ts';
import type { TestCase } from './test-case.ts';
import { touchesTests } from './test-paths.ts';

/** A fresh folder with the checkout and exactly some changes. */
export interface TestView extends Place {
  /** Text of a report inside the view, bounded; null when there is none. */
  readReport(path: string): string | null;
  close(): void;
}

export interface VerifierOptions {
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<TestView>;
  readonly command: string;
  /** Empty when there is none. */
  readonly setupCommand: string;
  readonly require: 'pass' | 'no-regression';
  readonly testChanges: 'rollback' | 'flag';
  readonly network: 'none' | 'setup' | 'allow';
  /** Path of a JUnit or JSON report; empty when the command writes none. */
  readonly report: string;
  readonly timeoutMs: number;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface VerifyAnswer {
  readonly verification: Verification;
  readonly code: 'VERIFY_FAILED' | 'VERIFY_TESTS_CHANGED' | 'VERIFY_REPORT_MISSING' | null;
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

interface Ran {
  readonly run: VerificationRun;
  readonly cases: readonly TestCase[] | null;
}

const outputBytes = 64_000;
const tailChars = 4_000;

/** Opens a verifier. Runs never overlap, since tests may want the same port. */
export function openVerifier(given: VerifierOptions): Verifier {
  const stop = new AbortController();
  const options = { ...given, signal: AbortSignal.any([given.signal, stop.signal]) };
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = (changes: readonly FileChange[], cut?: AbortSignal): Promise<Ran> => {
    const next = queue.then(() => runTests({ ...options, ...(cut ? { cut } : {}) }, changes));
    queue = next.catch(() => {}); // whoever asked for it sees its error
    return next;
  };
  let first: Promise<Ran> | null = null;
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
      const tests = changes.filter(touchesTests);
      const withBase =
        tests.length > 0 && after.run.exitCode === 0
          ? await inTurn(changes.filter(c => !tests.includes(c)))
          : null;
      return answer(options, { before, after, withBase, patchDigest });
    },
  };
}

interface Runs {
  readonly before: Ran;
  readonly after: Ran;
  readonly withBase: Ran | null;
  readonly patchDigest: string;
}

function answer(
  options: VerifierOptions,
  { before, after, withBase, patchDigest }: Runs,
): VerifyAnswer {
  const judged = judgeVerification({
    require: options.require,
    testChanges: options.testChanges,
    after: after.run,
    withBaseTests: withBase?.run ?? null,
    baselineCases: before.cases,
    afterCases: after.cases,
  });
  const verification: Verification = {
    require: options.require,
    passed: judged.passed,
    baseline: before.run,
    after: after.run,
    ...(withBase === null ? {} : { withBaseTests: withBase.run }),
    regressions: judged.regressions,
    patchDigest,
  };
  const code = judged.code as VerifyAnswer['code'];
  return { verification, code, message: describe(verification, code) };
}

function describe(v: Verification, code: VerifyAnswer['code']): string {
  const row = (name: string, run: VerificationRun | undefined) =>
    run === undefined ? [] : [`${name}: ${describeRun(run)}`];
  const head = [
    v.passed ? 'Verification passed.' : `Verification failed: ${code}.`,
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

interface RunOptions extends VerifierOptions {
  /** Ends the tests as if their time was up. */
  readonly cut?: AbortSignal;
}

async function runTests(options: RunOptions, changes: readonly FileChange[]): Promise<Ran> {
  options.signal.throwIfAborted();
  const sandbox = await options.sandbox();
  const view = await options.openView(sandbox, changes);
  try {
    if (options.setupCommand !== '') await setUp(options, sandbox, view);
    options.log(`Verify: ${options.command} (${changes.length} changed files)`);
    const end = await inSandbox(options, sandbox, {
      view,
      command: options.command,
      network: options.network === 'allow',
    });
    const cases = await readCases(options, view, end);
    const output = options.scrub(end.output);
    const run: VerificationRun = {
      command: options.command,
      exitCode: end.exitCode,
      limit: end.limit,
      refusedConnections: end.refusedConnections,
      durationMs: end.durationMs,
      outputTail: output.slice(-tailChars),
      passed: end.exitCode === 0,
      ...(cases === null ? {} : { cases: countCases(cases) }),
    };
    return { run, cases };
  } finally {
    await view.close();
  }
}

async function setUp(options: VerifierOptions, sandbox: Sandbox, view: TestView): Promise<void> {
  options.log(`Set up: ${options.setupCommand}`);
  const end = await inSandbox(options, sandbox, {
    view,
    command: options.setupCommand,
    network: options.network !== 'none',
  });
  if (end.exitCode === 0) return;
  const how = end.limit !== null ? `its ${end.limit} limit` : `exit ${end.exitCode}`;
  throw new PhotonError(
    'SETUP_FAILED',
    `The set-up command ended with ${how}:\n${options.scrub(end.output).slice(-1500)}`,
  );
}

interface ViewRun {
  readonly view: TestView;
  readonly command: string;
  readonly network: boolean;
}

async function inSandbox(options: RunOptions, sandbox: Sandbox, run: ViewRun): Promise<CommandEnd> {
  const end = await sandbox.run({
    argv: ['sh', '-c', run.command],
    view: run.view,
    cwd: '.',
    network: run.network,
    timeoutMs: options.timeoutMs,
    maxOutputBytes: outputBytes,
    signal: options.cut ? AbortSignal.any([options.signal, options.cut]) : options.signal,
  });
  if (end.cancelled && !options.signal.aborted) return { ...end, limit: 'time', cancelled: false };
  if (end.cancelled)
    throw options.signal.reason instanceof PhotonError
      ? options.signal.reason
      : new PhotonError('CANCELLED');
  // what never ran has not failed
  if (!end.began && end.limit === null) throw unstarted(options.scrub(end.output));
  return end;
}

function unstarted(output: string): PhotonError {
  const full = /No space left on device|Read-only file system/.test(output);
  return new PhotonError(
    full ? 'DISK' : 'SANDBOX_UNAVAILABLE',
    `The sandbox could not start the command: ${output.trim().slice(-500)}`,
  );
}

/** Cases by the report file when one is named, else by what was printed. */
async function readCases(
  options: VerifierOptions,
  view: TestView,
  end: CommandEnd,
): Promise<readonly TestCase[] | null> {
  const report = options.report === '' ? null : view.readReport(options.report);
  if (report !== null)
    return (await parseJunit(report)) ?? parseJsonReport(report) ?? parseTap(report);
  return end.truncated ? null : parseTap(end.output);
}
