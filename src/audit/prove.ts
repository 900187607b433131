/** Checks before a patch is delivered: the rules allow all of it, the ledger records it, and the ledger is valid. */
import { checkFinalPatch } from '../agent/loop/final-check.ts';
import type { Walk } from '../agent/run/run-context.ts';
import { PhotonError } from '../codes.ts';
import { findSecret } from '../guard/secrets.ts';
import { mark } from '../ledger/mark.ts';
import type { FileChange } from '../workspace/files/change.ts';

/**
 * Replays the ledger of a run before anything is delivered (docs/constitution.md).
 * @throws PhotonError `EXECUTION_INVALID`.
 */
export async function requireValidTrace({ ledger, policy }: Walk): Promise<void> {
  if (policy === null) throw new PhotonError('INTERNAL');
  // loaded late, so that the first request to the model does not wait for it
  const { auditLedger } = await import('./audit.ts');
  const { finding } = auditLedger(ledger.text(), { shipped: policy.shipped, complete: false });
  if (finding === null) return;
  const { seq, code, message } = finding;
  throw new PhotonError('EXECUTION_INVALID', `Entry ${seq} of the ledger: ${code}: ${message}.`);
}

/**
 * Judges the patch of a walk as it stands now. @returns its changes.
 * @throws PhotonError `PATH_PROTECTED`, `PATH_ESCAPE`, `SECRET_IN_PATCH`, `EXECUTION_INVALID`.
 */
export async function provePatch(walk: Walk): Promise<readonly FileChange[]> {
  const { policy, ground, services } = walk;
  if (policy === null || ground === null || services === null) throw new PhotonError('INTERNAL');
  const changes = services.session.changes();
  checkFinalPatch(changes, policy.constitution, text => findSecret(text, ground.secrets));
  walk.tree = await services.session.tree();
  walk.ledger.append({
    ...mark('deliver', { tree: walk.tree, files: changes.length }),
    phase: 'COMMIT',
  });
  await requireValidTrace(walk);
  return changes;
}
