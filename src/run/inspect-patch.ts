/** What the tests show of changed lines: of a verified patch, and of the lines of a review. */
import type { PatchProof } from '../base/patch-proof.ts';
import { openTimeLimit } from '../process/time-limit.ts';
import { measureProof, type ProofOptions } from '../repair/proof.ts';
import { newCases } from '../verify/judge/flaky.ts';
import type { TestRun } from '../verify/judge/test-run.ts';
import type { PassedPatch } from '../verify/verify.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { makeRepairContext } from './repair-context.ts';
import type { RunServices } from './services/run-services.ts';
import type { LoadedRun } from './stages.ts';

/** Without a setting: as long as the tests took, within these bounds. */
const bounds = { minMs: 5_000, maxMs: 300_000 } as const;

/** What is inspected: the changes, and what else is known of them. */
type Inspection = Pick<ProofOptions, 'source'> & Partial<Omit<ProofOptions, 'context'>>;

interface InspectOptions {
  readonly ms: number;
  readonly signal: AbortSignal;
  /** What to inspect, with the time at which it ends. */
  readonly inspect: (deadline: number) => Promise<Inspection>;
}

/** Inspects changes of this run within a time. */
export async function inspectPatch(
  run: LoadedRun,
  services: RunServices,
  { ms, signal, inspect }: InspectOptions,
): Promise<PatchProof> {
  const limit = openTimeLimit(signal, { ms, now: run.input.now });
  const { deadline } = limit;
  try {
    const made = await makeRepairContext(run, services, { caller: 'proof', log: () => {}, limit });
    return await measureProof({
      opened: undefined,
      tests: [],
      flaky: [],
      leavesOut: false,
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
export async function measurePatch(
  run: LoadedRun,
  services: RunServices,
  { patch, signal }: { readonly patch: PassedPatch; readonly signal: AbortSignal },
): Promise<PatchProof> {
  const { environment, input } = run;
  const { settings } = run.policy;
  const { before, after, tests, source, flaky, withChanges } = patch;
  const tookMs = Math.max(before.run.durationMs, after.run.durationMs);
  const ms = settings.proofBudgetMs ?? Math.min(bounds.maxMs, Math.max(bounds.minMs, tookMs));
  const inspect = async (deadline: number): Promise<Inspection> => {
    const inTime = async (changes: readonly FileChange[]): Promise<TestRun | undefined> =>
      input.now() + tookMs > deadline ? undefined : withChanges(changes);
    // the tests of the patch without its source
    const alone = tests.length === 0 || source.length === 0 ? undefined : await inTime(tests);
    const failsAlone = (id: string) =>
      !alone?.cases?.some(c => c.id === id && c.status === 'passed');
    const added = alone?.cases == null ? [] : newCases(before, after);
    return {
      opened: services.runner.adapter,
      source,
      tests,
      flaky,
      leavesOut: settings.minimise !== 'off',
      passesWithoutSource: passesWithoutSource(patch, alone),
      passes: async changes => {
        const ran = await inTime(changes);
        return ran === undefined ? undefined : ran.run.exitCode === 0;
      },
      newTests: added.map(id => ({ id, failsOnBase: failsAlone(id) })),
    };
  };
  const proof = await inspectPatch(run, services, { ms, signal, inspect });
  environment.log(
    `Proof: ${Math.round(proof.durationMs / 100) / 10} s${proof.cut && `, ${proof.cut}`}.`,
  );
  return proof;
}

/** True if the tests pass without the source changes; undefined if that was not run. */
function passesWithoutSource(
  { tests, before }: PassedPatch,
  alone: TestRun | undefined,
): boolean | undefined {
  if (tests.length === 0) return before.run.exitCode === 0;
  return alone === undefined ? undefined : alone.run.exitCode === 0;
}
