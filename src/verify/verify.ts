/** Verifies a patch: runs the test command on clean views before the patch, with it, and with the tests of the base. */
import { PhotonError } from '../base/codes.ts';
import type { PatchProof } from '../base/findings.ts';
import { once, oneAtATime } from '../base/once.ts';
import type { Verification, VerificationRun } from '../base/outcome.ts';
import type { SetUpFiles } from '../ecosystems/commands/set-up.ts';
import { type CommandStage, listStages } from '../ecosystems/commands/stages.ts';
import { getStateText } from '../ecosystems/tests/test-role.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { BaseFiles } from './base-files.ts';
import { describeNewFailures, describeVerification } from './describe-verification.ts';
import { earlyFailures, selectEarly } from './early-tests.ts';
import { requirePackages } from './installed.ts';
import { wantsRepair } from './judge/asked-changes.ts';
import type { TestRun } from './judge/test-run.ts';
import { judgePatch, type PatchRules, patchWarnings, sortChanges } from './judge-patch.ts';
import { type PassedPatch, proveVerdict, type VerificationResult } from './prove-verdict.ts';
import { type RunOptions, runTests } from './run-tests.ts';
import { mayPass, repeatFailing, repeatsFailed, settleFlaky } from './settle-flaky.ts';

export interface VerifierOptions
  extends Omit<RunOptions, 'stages'>,
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
  /** The run before the patch; undefined if it was never started. */
  baseline(): Promise<VerificationRun | undefined>;
  /** Runs the tests on the base with these changes, for at most so many milliseconds; without changes, once. */
  run(changes: readonly FileChange[], ms?: number): Promise<TestRun>;
  /** Stops the background run and waits for its end. */
  close(): Promise<void>;
}

/** Opens a verifier. */
export function openVerifier(settings: VerifierOptions): Verifier {
  const queue = new TestQueue(settings);
  return {
    startBaseline: onUnrunnable =>
      // verify throws the same error
      void queue.beforeAgain().catch(error => {
        if (error instanceof PhotonError && error.code === 'TEST_COMMAND_UNRUNNABLE')
          onUnrunnable?.(error);
      }),
    close: () => queue.close(),
    run: (changes, ms) => (changes.length === 0 ? queue.before() : queue.run(changes, { ms })),
    baseline: async () => (await queue.begun)?.run,
    verify: (changes, patchDigest, mayEndEarly = false) =>
      verifyPatch(queue, { changes, patchDigest, mayEndEarly }),
  };
}

const cheatCheck = 'whether the source cheats its tests';

/** How a run differs from one of the test command. */
interface PartialRun {
  /** A shell line in place of the command, such as one for some of the tests; it writes no report. */
  readonly part?: string;
  /** What the log says of it, if the line means nothing to a person. */
  readonly title?: string;
  /** The most that it may take; never more than the tests. */
  readonly ms?: number;
}

/** The runs on one base, one after the other, since they may share ports. Those before a patch are made once. */
class TestQueue {
  /** True if a run counted cases. */
  hasCounted = false;
  /** Milliseconds of all runs. */
  ranMs = 0;
  readonly options: VerifierOptions;
  readonly #stop = new AbortController();
  readonly #alone = oneAtATime();
  /** Patches whose early failure was news already. */
  readonly #noted = new Set<string>();
  /** The run before the patch; undefined until somebody asks for it. */
  begun: Promise<TestRun> | undefined = undefined;

  constructor(settings: VerifierOptions) {
    this.options = { ...settings, signal: AbortSignal.any([settings.signal, this.#stop.signal]) };
  }

  async close(): Promise<void> {
    this.#stop.abort(new PhotonError('CANCELLED'));
    await this.#alone(async () => {});
  }

  /** A run on the base with these changes. */
  run(
    changes: readonly FileChange[],
    { part, title, ms = Number.POSITIVE_INFINITY }: PartialRun = {},
  ): Promise<TestRun> {
    return this.#alone(async () => {
      const timeoutMs = Math.min(this.options.timeoutMs, ms);
      const what =
        part === undefined
          ? { stages: await stagesIn(this.options, changes) }
          : { command: part, report: '', title };
      const ran = await runTests({ ...this.options, ...what, timeoutMs }, changes);
      this.hasCounted ||= ran.ran.kind === 'cases';
      this.ranMs += ran.run.durationMs;
      return ran;
    });
  }

  /** The run before the patch. */
  before(): Promise<TestRun> {
    const { setUpFiles, paths } = this.options;
    this.begun ??= this.run([]).then(async ran => {
      // a set-up may install with the patch what is missing without it
      if (setUpFiles === undefined && !ran.run.passed) requirePackages(ran, await paths());
      return ran;
    });
    return this.begun;
  }

  /** Further runs of the same; empty if no case fails. */
  readonly beforeAgain = once(() => {
    const run = () => this.failingAgain([]);
    const again = repeatFailing(this.options, () => this.before(), run);
    again.catch(() => {}); // whoever waits for it gets the error
    return again;
  });

  /** At least the cases that failed before: their files, where the runner can select them and runs each case again. */
  async failingAgain(changes: readonly FileChange[]): Promise<TestRun> {
    const part = await this.#select(changes, minRepeatedMs);
    const again = part === undefined ? undefined : await this.run(changes, { part });
    if (again !== undefined && repeatsFailed(await this.before(), again)) return again;
    return this.run(changes);
  }

  /** These tests alone, on the base; undefined if the runner cannot select them. */
  async testsAlone(tests: readonly FileChange[], ms: number): Promise<TestRun | undefined> {
    // the cases of a report have other names
    if (this.options.report !== '') return undefined;
    const part = await this.#select(tests, minRepeatedMs);
    return part === undefined ? undefined : this.run(tests, { part, ms });
  }

  /**
   * The tests that are likely to fail, and those of them that do; undefined if none can be selected. A failure is news and
   * no verdict: with the same patch again, the whole suite runs.
   */
  async early({ changes, patchDigest, mayEndEarly }: Patch): Promise<EarlyRun | undefined> {
    const isNoted = !mayEndEarly || this.#noted.has(patchDigest);
    const part = isNoted ? undefined : await this.#select(changes);
    if (part === undefined) return undefined;
    const before = await this.before();
    // what takes longer is no part of the suite, and the suite hears it as soon
    const ran = await this.run(changes, { part, ms: before.run.durationMs / 2 });
    // a failure of the base that the task does not speak of decides nothing
    const { require, repairsBase, task } = this.options;
    const wantsAll = repairsBase === true || wantsRepair(task);
    const isExcusable = require === 'pass' && !wantsAll;
    const isCompared = isExcusable || require === 'no-regression';
    const failures = earlyFailures(isCompared, before, ran);
    if (failures.length > 0) this.#noted.add(patchDigest);
    return { ran, failures };
  }

  /** A shell line that runs what is likely to fail with these changes; undefined if none can be selected. */
  async #select(changes: readonly FileChange[], minMs?: number): Promise<string | undefined> {
    const { command, paths, readBase } = this.options;
    const project = { command, paths, read: readWith(changes, readBase), minMs };
    return selectEarly(await this.before(), changes, project);
  }
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

interface EarlyRun {
  readonly ran: TestRun;
  readonly failures: readonly string[];
}

interface Patch {
  readonly changes: readonly FileChange[];
  readonly patchDigest: string;
  readonly mayEndEarly: boolean;
}

async function verifyPatch(queue: TestQueue, patch: Patch): Promise<VerificationResult> {
  const { options } = queue;
  const { changes, patchDigest } = patch;
  const before = await queue.before();
  const ranMs = queue.ranMs;
  const early = changes.length === 0 ? undefined : await queue.early(patch);
  if (early !== undefined && early.failures.length > 0)
    return failEarly(options, { before, early, patchDigest });
  const first = changes.length === 0 ? before : await queue.run(changes);
  const about = { changes, before, first, early: early?.ran };
  const { after, flaky, warnings: unsure } = await settleFlaky(options, queue, about);
  const sorted = await sortChanges(changes, options);
  const { roles, deciding, rest, others } = sorted;
  const needed = deciding.length > 0 && mayPass(options, before, after);
  const withBaseTests = !needed ? undefined : rest.length === 0 ? before : await queue.run(rest);
  const facts = { before, after, withBaseTests, flaky, hasCounted: queue.hasCounted };
  const judged = await judgePatch(
    { ...options, run: (part, changed) => queue.run(changed, { part, title: cheatCheck }) },
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
    const message = describeVerification(verification, fresh, judged.forModel);
    return { verification, code: judged.code, message };
  }
  const testing = roles.map(r => r.change);
  return proveVerdict(options, verification, {
    source: others,
    tests: testing,
    before,
    after,
    flaky,
    ownMs: queue.ranMs - ranMs - first.run.durationMs,
    withChanges: (changed, ms) => queue.run(changed, { ms }),
    testsAlone: ms => queue.testsAlone(testing, ms),
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
    message: describeVerification(verification, describeNewFailures(before, early.ran)),
  };
}
