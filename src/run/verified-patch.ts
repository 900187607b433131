/** The verified patch of a run, as the host that delivers it sees it. */
import { auditLedger } from '../audit/audit.ts';
import { type Code, codes, PhotonError } from '../base/codes.ts';
import { type Ending, mayDeliver, type Verification } from '../base/outcome.ts';
import type { NewBase, ProvenPatch, VerifiedPatch } from '../hosts/host.ts';
import { mark, statePart } from '../ledger/ledger.ts';
import { joinChanges, reapplyChanges } from '../workspace/commits/reapply.ts';
import { buildOutcome } from './build-outcome.ts';
import {
  checkConversions,
  checkFinalPatch,
  checkResolution,
  describeFiles,
} from './final-check.ts';
import { checkPackages } from './services/check-packages.ts';
import type { Run, RunProgress } from './stages.ts';

/** Opens the patch of a run that ended with one. */
export function openVerifiedPatch(run: Run, ending: Ending, progress: RunProgress): VerifiedPatch {
  const { id, task, mode, note, environment, limit } = run.request;
  return {
    run: id,
    task,
    mode,
    ending,
    note,
    merge: environment.start?.merge,
    hasVerifier: run.services.verifier !== undefined,
    git: () => run.services.session.git,
    verification: () => run.state.verification,
    changes: () => run.services.session.changes(),
    moveTo: base => moveToBase(run, base),
    prove: async () => {
      const proven = await provePatch(run);
      progress.proven = proven;
      const outcome = buildOutcome(ending, progress);
      await limit.check();
      return { ...proven, outcome };
    },
    delivered: delivery => {
      progress.delivered = delivery;
      return delivery;
    },
  };
}

/**
 * Judges the patch of a run as it stands now, and the trace of the run (constitution §2).
 * @throws PhotonError `PATH_PROTECTED`, `PATH_ESCAPE`, `SECRET_IN_PATCH`, `PATH_FILTERED`, `BASE_CONFLICT`,
 * `EXECUTION_INVALID`.
 */
export async function provePatch(run: Run): Promise<Omit<ProvenPatch, 'outcome'>> {
  const { request, services } = run;
  const { environment, ledger } = request;
  const { session } = services;
  const changes = session.changes();
  checkFinalPatch(changes, run);
  const merge = environment.start?.merge;
  if (merge !== undefined) checkResolution(changes, merge);
  await checkConversions(session);
  const packages = await checkPackages(run);
  const tree = await session.fullTree();
  const files = describeFiles(run);
  const flagged = files.filter(f => f.flag !== undefined).length;
  ledger.append({
    ...mark('deliver', {
      tree,
      files: files.length,
      flagged,
      patch: session.patchDigest(),
      packages: packages?.added,
      advisories: packages?.advisories.length,
    }),
    phase: 'COMMIT',
    paths: files.slice(0, 100).map(f => f.path.slice(0, 300)),
  });
  requireValidTrace(run);
  return { changes, tree };
}

/** @throws PhotonError `EXECUTION_INVALID` with the first entry of the ledger that is wrong. */
function requireValidTrace({ request: { ledger }, policy }: Run): void {
  const { finding } = auditLedger(ledger.text(), { shipped: policy.shipped, complete: false });
  if (finding === undefined) return;
  const { seq, code, message } = finding;
  throw new PhotonError('EXECUTION_INVALID', `Entry ${seq} of the ledger: ${code}: ${message}.`);
}

/**
 * Moves the patch of a run to a newer base, and verifies it there.
 * @returns how the run ends there; undefined when it goes on to its delivery.
 * @throws PhotonError `BASE_CONFLICT`, `BASE_MOVED`, `SETUP_FAILED`, `GIT`.
 */
async function moveToBase(run: Run, base: NewBase): Promise<Ending | undefined> {
  const { request, services, state } = run;
  const { ledger } = request;
  const { session } = services;
  const { git } = session;
  if ((await git.writeFullTree(base.drift)) !== base.tree)
    throw new PhotonError('BASE_MOVED', 'The new base could not be put together from its changes.');
  const applied = await reapplyChanges(session.changes(), base.drift, git.mergeText);
  if (!applied.ok) {
    const named = applied.conflicts.slice(0, 5).join(', ');
    throw new PhotonError('BASE_CONFLICT', `The base moved, and both sides changed ${named}.`);
  }
  if (applied.changes.length === 0) return alreadyThere;
  const drift = joinChanges(services.drift, base.drift);
  const reopened = await services.reopen(
    await git.rebased(base),
    drift.filter(change => !git.withholds(change.path)),
  );
  try {
    await reopened.session.apply(new Map(applied.changes.map(c => [c.path, c.after])));
    const digest = reopened.session.patchDigest();
    const answer = await reopened.verifier?.verify(reopened.session.changes(), digest);
    const passed = answer !== undefined && mayDeliver(answer.verification);
    const facts = { base: base.commit, tree: await reopened.session.fullTree(), patch: digest };
    const proof = { passed, waived: reopened.verifier === undefined };
    const verification = withEarlierProof(answer?.verification, state.verification, git.commit);
    const states = statePart('verification', verification, run.request.scrub);
    ledger.append({ ...mark('reapply', { ...facts, ...proof }), phase: 'COMMIT', states });
    run.services = { ...services, session: reopened.session, drift };
    state.verification = verification;
    state.look = state.look && { ...state.look, patchDigest: '' };
    return passed || proof.waived ? undefined : unproven(answer?.code ?? 'VERIFY_FAILED');
  } finally {
    await reopened.verifier?.close();
  }
}

/**
 * The verification on the new base. What the tests show of each line was measured on the old one, which the proof names,
 * unless the requirement had it measured again.
 */
function withEarlierProof(
  now: Verification | undefined,
  earlier: Verification | undefined,
  base: string,
): Verification | undefined {
  if (now === undefined || earlier === undefined) return now ?? earlier;
  const { proof } = earlier;
  return {
    ...now,
    proof:
      proof === undefined || now.proof !== undefined ? now.proof : { earlierBase: base, ...proof },
  };
}

const alreadyThere: Ending = {
  status: 'no_change',
  code: 'PATCH_EMPTY',
  phase: 'COMMIT',
  message: 'The base moved while the run worked, and already holds this patch.',
};

function unproven(code: Code): Ending {
  return {
    status: 'rolled_back',
    code,
    phase: 'ROLLBACK',
    message: `The base moved while the run worked. ${codes[code].meaning} It had passed on the base before.`,
  };
}
