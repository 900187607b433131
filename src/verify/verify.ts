/** Verifies a patch: runs the test command on clean views before the patch, with it, and with the tests of the base. */
import { PhotonError } from '../base/codes.ts';
import type { PatchProof } from '../base/findings.ts';
import { oneAtATime } from '../base/once.ts';
import type { Verification, VerificationRun } from '../base/outcome.ts';
import type { SetUpFiles } from '../ecosystems/commands/set-up.ts';
import { type CommandStage, listStages } from '../ecosystems/commands/stages.ts';
import { getStateText } from '../ecosystems/tests/test-role.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { BaseFiles } from './base-files.ts';
import { describeNewFailures, describeVerification } from './describe-verification.ts';
import { type EarlyProject, earlyFailures, selectEarly } from './early-tests.ts';
import { requirePackages } from './installed.ts';
import { wantsRepair } from './judge/asked-changes.ts';
import type { TestRun } from './judge/test-run.ts';
import { judgePatch, type PatchRules, patchWarnings, sortChanges } from './judge-patch.ts';
import { type PassedPatch, proveVerdict, type VerificationResult } from './prove-verdict.ts';
import { type RunOptions, runTests } from './run-tests.ts';
import { mayPass, repeatFailing, repeatsFailed, settleFlaky } from './settle-flaky.ts';

export interface VerifierOptions
  extends Omit<RunOptions, 'endEarly' | 'stages'>,
    Omit<BaseFiles, 'setUpFiles'>,
    PatchRules {
  /** How often tests run on the same files if cases fail before the patch, at least once. */
  readonly reruns: number;
  /** Measures what the tests show of a patch that passes; undefined if the settings turn it off. */
  readonly measure: ((patch: PassedPatch) => Promise<PatchProof>) | undefined;
  /** Files of the base that the set-up command reads; undefined if there is no set-up. */
  readonly setUpFiles: (() => Promise<SetUpFiles>) | undefined;
}

/** Of a suite that takes less time, all runs again. */
const minRepeatedMs = 1_000;

export interface Verifier {
  /**
   * Starts the run before the patch in the background; `verify` waits for it. `onUnrunnable` is called if the test
   * command cannot run (`TEST_COMMAND_UNRUNNABLE`).
   */
  startBaseline(onUnrunnable?: (error: PhotonError) => void): void;
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
  const alone = oneAtATime();
  let hasCounted = false;
  const runOnce = async (...given: Parameters<typeof runTests>) => {
    const ran = await runTests(...given);
    hasCounted ||= ran.ran.kind === 'cases';
    return ran;
  };
  const inTurn = (
    changes: readonly FileChange[],
    { endEarly, ms = options.timeoutMs }: { endEarly?: AbortSignal; ms?: number } = {},
  ): Promise<TestRun> =>
    alone(async () => {
      const stages = await stagesIn(options, changes);
      const timeoutMs = Math.min(options.timeoutMs, ms);
      return runOnce({ ...options, stages, endEarly, timeoutMs }, changes);
    });
  /** Some of the tests, as a line of their own. */
  const part = (command: string, changes: readonly FileChange[], more: Partial<RunOptions>) =>
    alone(() => runOnce({ ...options, command, report: '', ...more }, changes));
  // an early failure is news and no verdict: with the same patch again, the whole suite runs
  const known = new Set<string>();
  const earlyPart: Runs['early'] = async (before, { changes, patchDigest, mayEndEarly }) => {
    if (!mayEndEarly || known.has(patchDigest)) return undefined;
    const command = await selectEarly(before, changes, earlyProject(options, changes));
    if (command === undefined) return undefined;
    // what takes longer is no part of the suite, and the suite hears it as soon
    const timeoutMs = Math.min(options.timeoutMs, before.run.durationMs / 2);
    const ran = await part(command, changes, { timeoutMs });
    // a failure of the base that the task does not speak of decides nothing
    const wantsAll = options.repairsBase === true || wantsRepair(options.task);
    const isExcusable = options.require === 'pass' && !wantsAll;
    const isCompared = isExcusable || options.require === 'no-regression';
    const failures = earlyFailures(isCompared, before, ran);
    if (failures.length > 0) known.add(patchDigest);
    return { ran, failures };
  };
  let first: Promise<TestRun> | undefined;
  const endless = new AbortController();
  const baseline = () => {
    first ??= inTurn([], { endEarly: endless.signal }).then(async ran => {
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
    const project = { ...earlyProject(options, changes), minMs: minRepeatedMs };
    const command = await selectEarly(before, changes, project);
    const endEarly = endless.signal;
    const again = command === undefined ? undefined : await part(command, changes, { endEarly });
    if (again !== undefined && repeatsFailed(before, again)) return again;
    return inTurn(changes, { endEarly });
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
          onUnrunnable?.(error);
      }),
    endBaseline: () => endless.abort(),
    close: async () => {
      stop.abort(new PhotonError('CANCELLED'));
      await alone(async () => {});
    },
    run: changes => (changes.length === 0 ? baseline() : inTurn(changes)),
    baseline: async () => (first === undefined ? undefined : (await first).run),
    verify: (changes, patchDigest, mayEndEarly = false) =>
      verifyPatch(
        options,
        {
          before: baseline,
          hasCounted: () => hasCounted,
          beforeAgain: again,
          withChanges: (changes, ms) => inTurn(changes, { ms }),
          failingAgain,
          early: earlyPart,
          line: (line, changed) => part(line, changed, {}),
          testsAlone: async (tests, ms) => {
            // the cases of a report have other names
            if (options.report !== '') return undefined;
            const project = { ...earlyProject(options, tests), minMs: minRepeatedMs };
            const command = await selectEarly(await baseline(), tests, project);
            return command === undefined ? undefined : part(command, tests, { timeoutMs: ms });
          },
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
  /** True if a run of this verifier counted cases. */
  readonly hasCounted: () => boolean;
  /** Further runs of the same; empty if no case fails. */
  readonly beforeAgain: () => Promise<readonly TestRun[]>;
  /** @param ms the most that it may take; the time limit of the tests by default. */
  readonly withChanges: (changes: readonly FileChange[], ms?: number) => Promise<TestRun>;
  /** These tests alone, on the base; undefined if the runner cannot select them. */
  readonly testsAlone: (tests: readonly FileChange[], ms: number) => Promise<TestRun | undefined>;
  /** At least the cases that failed before, with these changes. */
  readonly failingAgain: (changes: readonly FileChange[]) => Promise<TestRun>;
  /** The tests that are likely to fail, and those of them that do; undefined if none can be selected. */
  readonly early: (before: TestRun, patch: Patch) => Promise<EarlyRun | undefined>;
  /** A shell line in place of the test command, on the base with these changes. */
  readonly line: (line: string, changes: readonly FileChange[]) => Promise<TestRun>;
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
    further,
  } = await settleFlaky(options, runs, { changes, before, first, early: early?.ran });
  const sorted = await sortChanges(changes, options);
  const { roles, deciding, rest, others } = sorted;
  const needed = deciding.length > 0 && mayPass(options, before, after);
  const withBaseTests = !needed
    ? undefined
    : rest.length === 0
      ? before
      : await runs.withChanges(rest);
  const facts = { before, after, withBaseTests, flaky, hasCounted: runs.hasCounted() };
  const judged = await judgePatch(
    { ...options, run: runs.line },
    { changes, patchDigest, sorted, facts },
  );
  const verification: Verification = {
    require: options.require,
    passed: judged.passed,
    unjudged: judged.unjudged === true ? true : undefined,
    baseline: before.run,
    early: early?.ran.run,
    code: judged.code,
    reason: judged.why === '' ? undefined : options.scrub(judged.why),
    after: after.run,
    withBaseTests: withBaseTests?.run,
    regressions: judged.regressions,
    changedExpectations: judged.changedExpectations,
    sameFailures: judged.sameFailures,
    repaired: judged.repaired,
    warnings: [
      ...judged.warnings,
      ...unsure,
      ...(await patchWarnings(options, changes, after)),
    ].filter(item => item !== undefined),
    patchDigest,
    testFiles: roles.map(({ change: { path }, role: { kind, reason } }) => ({
      path,
      kind,
      reason,
    })),
  };
  if (!judged.passed || options.measure === undefined || changes.length === 0) {
    const shown = judged.code === 'VERIFY_TESTS_CHANGED' ? withBaseTests : after;
    const fresh = describeNewFailures(before, shown);
    const why = judged.forModel ?? judged.why;
    const message = describeVerification(verification, judged.code, { why, fresh });
    return { verification, code: judged.code, message };
  }
  const testing = roles.map(r => r.change);
  return proveVerdict(options, verification, {
    source: others,
    tests: testing,
    before,
    after,
    flaky,
    further: [early?.ran, withBaseTests, ...further].filter(ran => ran !== undefined),
    withChanges: runs.withChanges,
    testsAlone: ms => runs.testsAlone(testing, ms),
  });
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
    message: describeVerification(verification, 'VERIFY_FAILED', {
      why,
      fresh: describeNewFailures(before, early.ran),
    }),
  };
}
