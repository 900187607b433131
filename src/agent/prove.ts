/** What a patch must be before it leaves: allowed as a whole, sealed in the ledger, its trace valid. */
import { PhotonError } from '../codes.ts';
import { findSecret } from '../guard/secrets.ts';
import type { FileChange } from '../session/change.ts';
import { checkFinalPatch } from './final-check.ts';
import { mark } from './mark.ts';
import { requireValidTrace, type Walk } from './walk.ts';

/**
 * Judges the patch of a walk as it stands now. @returns its changes.
 * @throws PhotonError `PATH_PROTECTED`, `PATH_ESCAPE`, `SECRET_IN_PATCH`, `EXECUTION_INVALID`.
 */
export async function provePatch(walk: Walk): Promise<readonly FileChange[]> {
  const { law, ground, workshop } = walk;
  if (law === null || ground === null || workshop === null) throw new PhotonError('INTERNAL');
  const changes = workshop.session.changes();
  checkFinalPatch(changes, law.constitution, text => findSecret(text, ground.secrets));
  walk.tree = await workshop.session.tree();
  walk.ledger.append({
    ...mark('deliver', { tree: walk.tree, files: changes.length }),
    phase: 'COMMIT',
  });
  await requireValidTrace(walk);
  return changes;
}
