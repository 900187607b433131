/** A verified patch over a base that moved: applied to the new one in a fresh session, and verified again. */
import { codes, PhotonError } from '../../codes.ts';
import { mark } from '../../ledger/mark.ts';
import type { Ending } from '../../outcome.ts';
import { joinChanges, reapplyChanges } from '../../workspace/git/reapply.ts';
import type { Walk } from './run-context.ts';
import type { NewBase } from './run-input.ts';

/**
 * Moves a walk to a newer base. @returns how the run ends there, or null when it goes on.
 * @throws PhotonError `BASE_CONFLICT`, `BASE_MOVED`, `SETUP_FAILED`, `GIT`.
 */
export async function moveToBase(walk: Walk, base: NewBase): Promise<Ending | null> {
  const { services, progress, ledger } = walk;
  if (services === null || progress === null) throw new PhotonError('INTERNAL');
  const { session } = services;
  const { git } = session;
  if ((await git.writeTree(base.drift)) !== base.tree)
    throw new PhotonError('BASE_MOVED', 'The new base could not be put together from its changes.');
  const applied = await reapplyChanges(session.changes(), base.drift, git.mergeText);
  if (!applied.ok) {
    const named = applied.conflicts.slice(0, 5).join(', ');
    throw new PhotonError('BASE_CONFLICT', `The base moved, and both sides changed ${named}.`);
  }
  if (applied.changes.length === 0) return alreadyThere;
  const drift = joinChanges(walk.drift, base.drift);
  const context = await services.reopen(git.rebased(base), drift);
  try {
    await context.session.apply(new Map(applied.changes.map(c => [c.path, c.after])), new Map());
    const digest = context.session.patchDigest();
    const answer = await context.verifier?.verify(context.session.changes(), digest);
    const passed = answer?.verification.passed ?? false;
    const facts = { base: base.commit, tree: await context.session.tree(), patch: digest };
    const proof = { passed, waived: context.verifier === null };
    ledger.append({ ...mark('reapply', { ...facts, ...proof }), phase: 'COMMIT' });
    walk.services = { ...services, session: context.session };
    walk.drift = drift;
    if (answer !== undefined) progress.verification = answer.verification;
    return passed || proof.waived ? null : unproven;
  } finally {
    await context.verifier?.close();
  }
}

const alreadyThere: Ending = {
  ...{ status: 'no_change', code: 'PATCH_EMPTY', phase: 'COMMIT' },
  message: 'The base moved while the run worked, and holds this patch already.',
};

const unproven: Ending = {
  ...{ status: 'rolled_back', code: 'VERIFY_FAILED', phase: 'ROLLBACK' },
  message: `The base moved while the run worked. ${codes.VERIFY_FAILED.meaning} It had passed on the base before.`,
};
