/** What the tests show of changed lines: of a verified patch, and of the lines of a review. */
import type { PatchProof } from '../base/findings.ts';
import { openTimeLimit } from '../process/time-limit.ts';
import { measureProof, type ProofOptions } from '../repair/proof.ts';
import type { Settings } from '../settings/settings.ts';
import { endsAs } from '../verify/judge/judge.ts';
import { newCases, type TestRun } from '../verify/judge/test-run.ts';
import type { PassedPatch } from '../verify/prove-verdict.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { makeRepairContext } from './repair-context.ts';
import { isStrict } from './services/verification.ts';
import type { ServedRun } from './stages.ts';

/**
 * Milliseconds of the proof: Photon's own time of a verification is at most one run of the tests and `ownMs`. The proof has
 * at least `minMs`, and with that one run of quick tests: with less it could look at nothing.
 */
const bounds = { ownMs: 2_500, minMs: 500, quickMs: 3_000, maxMs: 300_000 } as const;
/** At least, where a requirement depends on the proof. */
const minNeededMs = 5_000;

/**
 * Milliseconds for the proof of a patch, within the time that somebody waits for a verification. It leaves at least a half of
 * what the run has left.
 * @param times milliseconds: one run of the tests, what the verdict took beyond that, and what the run has left.
 */
export function chooseBudget(
  { proofBudgetMs, ...settings }: Pick<Settings, 'proofBudgetMs' | 'require'>,
  { tookMs, ownMs, leftMs }: { tookMs: number; ownMs: number; leftMs: number },
): number {
  const wanted = isStrict(settings)
    ? Math.max(minNeededMs, tookMs)
    : Math.max(Math.min(tookMs, bounds.quickMs) + bounds.minMs, tookMs + bounds.ownMs - ownMs);
  return Math.max(0, Math.min(proofBudgetMs ?? Math.min(bounds.maxMs, wanted), leftMs / 2));
}

/** What is inspected: the changes, and what else is known of them. */
type Inspection = Pick<ProofOptions, 'source'> & Partial<Omit<ProofOptions, 'context'>>;

interface InspectOptions {
  readonly ms: number;
  /** What to inspect, with the time at which it ends. */
  readonly inspect: (deadline: number) => Promise<Inspection>;
}

/** Inspects changes of this run within a time. */
export async function inspectPatch(
  run: ServedRun,
  { ms, inspect }: InspectOptions,
): Promise<PatchProof> {
  const limit = openTimeLimit(run.request.limit.signal, { ms, now: run.request.input.now });
  const { deadline } = limit;
  try {
    const made = await makeRepairContext(run, run.services, {
      caller: 'proof',
      log: () => {},
      limit,
    });
    return await measureProof({
      tests: [],
      flaky: [],
      passesWithoutSource: undefined,
      passes: async () => undefined,
      newTests: [],
      ...(await inspect(deadline)),
      context: { ...made, deadline },
    });
  } finally {
    limit.close();
  }
}

/** Measures a verified patch; the tests of the base that the session holds must be those that the verifier ran. */
export async function measurePatch(run: ServedRun, patch: PassedPatch): Promise<PatchProof> {
  const { environment, input, limit } = run.request;
  const { settings } = run.policy;
  const { before, after, tests, source, flaky } = patch;
  const tookMs = Math.max(before.run.durationMs, after.run.durationMs);
  const leftMs = limit.deadline - input.now();
  const ms = chooseBudget(settings, { tookMs, ownMs: patch.ownMs, leftMs });
  environment.log(
    `${after.run.passed ? 'The tests pass with the patch' : 'Nothing fails with the patch that did not fail before'}. What the tests show of it follows, in at most ${inSeconds(ms)}.`,
  );
  const inspect = async (deadline: number): Promise<Inspection> => {
    const timeLeft = () => deadline - input.now();
    const inTime = async (changes: readonly FileChange[]): Promise<TestRun | undefined> =>
      tookMs > timeLeft() ? undefined : whole(await patch.withChanges(changes, timeLeft()));
    // the tests of the patch without its source
    const isMixed = tests.length > 0 && source.length > 0;
    const some = isMixed && timeLeft() > 0 ? whole(await patch.testsAlone(timeLeft())) : undefined;
    const alone = some ?? (isMixed ? await inTime(tests) : undefined);
    return {
      source,
      tests,
      flaky,
      passesWithoutSource: passesWithoutSource(patch, alone, some === undefined),
      passes: async changes => {
        const ran = await inTime(changes);
        return ran === undefined ? undefined : endsAs(after, ran);
      },
      newTests: alone?.cases === undefined ? [] : newCases(before, after, alone),
    };
  };
  const proof = await inspectPatch(run, { ms, inspect });
  environment.log(`Proof: ${inSeconds(proof.durationMs)}${proof.cut && `, ${proof.cut}`}.`);
  return proof;
}

const inSeconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** A run that came to its end; undefined for one whose time was up. */
const whole = (ran: TestRun | undefined) => (ran?.run.limit === null ? ran : undefined);

/** True if the tests end so without the source changes; undefined if that was not run, or not with all of them. */
function passesWithoutSource(
  { tests, before, after }: PassedPatch,
  alone: TestRun | undefined,
  isWhole: boolean,
): boolean | undefined {
  if (tests.length === 0) return endsAs(after, before);
  const passes = alone === undefined ? undefined : endsAs(after, alone);
  return isWhole || passes === false ? passes : undefined;
}
