/** The patch judged once more, on what it is and not on the calls that made it (THREATS T16). */
import { PhotonError } from '../codes.ts';
import type { Constitution } from '../guard/constitution.ts';
import { findTrojanSource } from '../guard/hidden-text.ts';
import { closedBy } from '../guard/paths.ts';
import type { PatchedFile } from '../outcome.ts';
import type { FileChange } from '../session/change.ts';
import { addedText, countLines } from '../session/diff.ts';
import { touchesTests } from '../verification/test-paths.ts';

/**
 * Refuses a patch that holds what no call may make.
 * @throws PhotonError `PATH_PROTECTED`, `PATH_ESCAPE`, `SECRET_IN_PATCH`.
 */
export function checkFinalPatch(
  changes: readonly FileChange[],
  law: Constitution,
  holdsSecret: (text: string) => boolean,
): void {
  const protectedBy = closedBy(law.protectedPaths);
  for (const change of changes) {
    const pattern = protectedBy(change.path);
    if (pattern !== null)
      throw new PhotonError('PATH_PROTECTED', `${change.path} is protected by ${pattern}.`);
    if (change.after !== null && !change.after.mode.startsWith('100'))
      throw new PhotonError('PATH_ESCAPE', `${change.path} is not a regular file.`);
    if (holdsSecret(addedText(change)) || holdsSecret(change.path))
      throw new PhotonError('SECRET_IN_PATCH', `${change.path} holds a secret of this run.`);
  }
}

/** The files of a patch, with why people should look at some of them first. */
export function describePatch(
  changes: readonly FileChange[],
  law: Constitution,
  taskPrompt: string,
): readonly PatchedFile[] {
  const aboutTests = /\b(tests?|specs?|snapshots?|fixtures?|coverage)\b/i.test(taskPrompt);
  return changes.map(change => {
    const flag = flagOf(change, law, aboutTests);
    const kind = change.before === null ? 'added' : change.after === null ? 'deleted' : 'modified';
    return {
      path: change.path,
      change: kind,
      ...countLines(change),
      ...(flag === null ? {} : { flag }),
    };
  });
}

function flagOf(change: FileChange, law: Constitution, aboutTests: boolean): string | null {
  const trojan = findTrojanSource(addedText(change))[0];
  if (trojan !== undefined) return trojan;
  if (closedBy(law.flaggedPaths)(change.path) !== null)
    return 'a file that steers builds, owners or tools';
  return !aboutTests && touchesTests(change) ? 'tests, though the task is not about them' : null;
}
