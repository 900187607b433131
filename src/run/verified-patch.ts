/** The verified patch of a run, as the host that delivers it sees it. */
import { auditLedger } from '../audit/audit.ts';
import { type Code, codes, PhotonError } from '../base/codes.ts';
import { type Ending, mayDeliver, type Verification } from '../base/outcome.ts';
import { findSecret } from '../guard/secrets/secrets.ts';
import type { NewBase, ProvenPatch, VerifiedPatch } from '../hosts/host.ts';
import { mark, statePart } from '../ledger/ledger.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import { joinChanges, reapplyChanges } from '../workspace/commits/reapply.ts';
import { buildOutcome } from './build-outcome.ts';
import {
  checkConversions,
  checkFinalPatch,
  checkResolution,
  describeFiles,
} from './final-check.ts';
import type { PreparedRun, RunProgress } from './stages.ts';

/** Opens the patch of a run that ended with one. The progress follows it. */
export function openVerifiedPatch(
  run: PreparedRun,
  ending: Ending,
  { progress, limit }: { readonly progress: RunProgress; readonly limit: Pick<TimeLimit, 'check'> },
): VerifiedPatch {
  const { id, task, mode, note } = run;
  const now = () => progress.run ?? run;
  return {
    run: id,
    task,
    mode,
    ending,
    note,
    merge: run.environment.start?.merge,
    hasVerifier: run.services.verifier !== undefined,
    git: () => now().services.session.git,
    verification: () => now().state.verification,
    changes: () => now().services.session.changes(),
    moveTo: base => moveToBase(now(), progress, base),
    prove: async () => {
      const proven = await provePatch(now());
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
export async function provePatch(run: PreparedRun): Promise<Omit<ProvenPatch, 'outcome'>> {
  const { policy, environment, services, ledger } = run;
  const { session } = services;
  const changes = session.changes();
  checkFinalPatch(changes, policy.constitution, text => findSecret(text, environment.secrets));
  const merge = environment.start?.merge;
  if (merge !== undefined) checkResolution(changes, merge);
  await checkConversions(session);
  const tree = await session.fullTree();
  const files = describeFiles(run);
  const flagged = files.filter(f => f.flag !== undefined).length;
  ledger.append({
    ...mark('deliver', { tree, files: files.length, flagged, patch: session.patchDigest() }),
    phase: 'COMMIT',
    paths: files.slice(0, 100).map(f => f.path.slice(0, 300)),
  });
  requireValidTrace(run);
  return { changes, tree };
}

/** @throws PhotonError `EXECUTION_INVALID` with the first entry of the ledger that is wrong. */
function requireValidTrace({ ledger, policy }: PreparedRun): void {
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
async function moveToBase(
  run: PreparedRun,
  progress: RunProgress,
  base: NewBase,
): Promise<Ending | undefined> {
  const { services, state, ledger } = run;
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
  const drift = joinChanges(run.drift, base.drift);
  const reopened = await services.reopen(
    await git.rebased(base),
    drift.filter(change => !git.withholds(change.path)),
  );
  try {
    await reopened.session.apply(new Map(applied.changes.map(c => [c.path, c.after])), new Map());
    const digest = reopened.session.patchDigest();
    const answer = await reopened.verifier?.verify(reopened.session.changes(), digest);
    const passed = answer !== undefined && mayDeliver(answer.verification);
    const facts = { base: base.commit, tree: await reopened.session.fullTree(), patch: digest };
    const proof = { passed, waived: reopened.verifier === undefined };
    const verification = withEarlierProof(answer?.verification, state.verification, git.commit);
    const states = statePart('verification', verification, run.scrub);
    ledger.append({ ...mark('reapply', { ...facts, ...proof }), phase: 'COMMIT', states });
    progress.run = {
      ...run,
      services: { ...services, session: reopened.session },
      state: { ...state, verification },
      drift,
    };
    return passed || proof.waived ? undefined : unproven(answer?.code ?? 'VERIFY_FAILED');
  } finally {
    await reopened.verifier?.close();
  }
}

/**
 * The verification on the new base. What the tests show of each line was measured on the old one, which the proof names,
 * unless the requirement had it measured again. What was left out of the patch stays left out.
 */
function withEarlierProof(
  now: Verification | undefined,
  earlier: Verification | undefined,
  base: string,
): Verification | undefined {
  if (now === undefined || earlier === undefined) return now ?? earlier;
  const { proof, leftOut } = earlier;
  return {
    ...now,
    proof:
      proof === undefined || now.proof !== undefined ? now.proof : { earlierBase: base, ...proof },
    leftOut: leftOut ?? now.leftOut,
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
