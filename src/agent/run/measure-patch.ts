/** Measures what the tests show of a verified patch of this run, within the time that the settings give. */
import type { PatchProof } from '../../patch-proof.ts';
import { openTimeLimit } from '../../process/time-limit.ts';
import { newCases } from '../../verify/judge/flaky.ts';
import type { TestRun } from '../../verify/judge/test-run.ts';
import type { PassedPatch } from '../../verify/verify.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { RunServices } from './run-services.ts';
import type { LoadedRun } from './stages.ts';

/** Without a setting: as long as the tests took, within these bounds. */
const bounds = { minMs: 5_000, maxMs: 300_000 } as const;

/** Measures the patch; the tests of the base that the session holds must be those that the verifier ran. */
export async function measurePatch(
  run: LoadedRun,
  services: RunServices,
  { patch, signal }: { readonly patch: PassedPatch; readonly signal: AbortSignal },
): Promise<PatchProof> {
  const { policy, environment, input, scrub } = run;
  const { settings } = policy;
  const { before, after, tests, source, flaky, withChanges } = patch;
  const tookMs = Math.max(before.run.durationMs, after.run.durationMs);
  const ms = settings.proofBudgetMs ?? Math.min(bounds.maxMs, Math.max(bounds.minMs, tookMs));
  const limit = openTimeLimit(signal, { ms, now: input.now });
  try {
    // loaded here, since a run that ends without a patch needs none of it
    const [{ measureProof }, { makeRepairContext }] = await Promise.all([
      import('../../proof/measure-proof.ts'),
      import('./repair-context.ts'),
    ]);
    const made = await makeRepairContext({
      caller: 'proof',
      services,
      policy,
      shipped: environment.shipped,
      log: () => {},
      scrub,
      now: input.now,
      deadline: limit.deadline,
      signal: limit.signal,
    });
    const context = { ...made, deadline: limit.deadline };
    const inTime = async (changes: readonly FileChange[]): Promise<TestRun | null> =>
      input.now() + tookMs > limit.deadline ? null : withChanges(changes);
    const added = newCases(before, after);
    const bare = tests.length === 0 || source.length === 0 ? null : await inTime(tests);
    const failsBare = (id: string) => !bare?.cases?.some(c => c.id === id && c.status === 'passed');
    const proof = await measureProof({
      context,
      opened: services.runner.adapter,
      source,
      tests,
      flaky,
      leavesOut: settings.minimise !== 'off',
      passesWithoutSource: withoutSource(patch, bare),
      passes: async changes => {
        const ran = await inTime(changes);
        return ran === null ? null : ran.run.exitCode === 0;
      },
      newTests: bare?.cases == null ? [] : added.map(id => ({ id, failsOnBase: failsBare(id) })),
    });
    environment.log(
      `Proof: ${Math.round(proof.durationMs / 100) / 10} s${proof.cut && `, ${proof.cut}`}.`,
    );
    return proof;
  } finally {
    limit.close();
  }
}

/** True if the tests pass without the source changes; null if that was not run. */
function withoutSource({ tests, before }: PassedPatch, bare: TestRun | null): boolean | null {
  if (tests.length === 0) return before.run.exitCode === 0;
  return bare === null ? null : bare.run.exitCode === 0;
}
