/** Opens the pull request that reverts a merged one. */
import { codes } from '../codes.ts';
import type { GitHub } from './client.ts';
import type { Undone, UndoRequest } from './undo.ts';

/**
 * Refuses: a merged pull request is reverted by hand until there is a delivery for it.
 * The signature is the contract that `undoDelivery` calls.
 */
export async function revertPullRequest(_github: GitHub, request: UndoRequest): Promise<Undone> {
  const message = `Pull request #${request.pull.number} was merged. ${codes.UNDO_MERGED.meaning}`;
  return { ok: false, status: 'abstained', code: 'UNDO_MERGED', message };
}
