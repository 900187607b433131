/** The patch of an earlier run that failed, shown to the next one as a place to start from. */
import { removeHiddenText } from '../../guard/hidden-text.ts';
import type { Task } from '../../task.ts';
import { readArtifact } from '../../workspace/files/read-foreign.ts';

/** Bytes of the patch that are shown. */
const maxBytes = 40_000;

export interface PatchPlace {
  readonly workspace: string;
  /** The input `from-patch`; empty when there is none. */
  readonly path: string;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
}

/**
 * The task with that patch as data beside it. It is not applied: every line of it has to pass the
 * guard again, by way of plan, reads and apply_patch. A file that is not there changes nothing.
 */
export function withEarlierPatch(task: Task, { workspace, path, scrub, log }: PatchPlace): Task {
  if (path === '') return task;
  const text = readArtifact(workspace, path, maxBytes);
  if (text === null || text.trim() === '') {
    log('from-patch: there is no patch of an earlier run.');
    return task;
  }
  const clean = removeHiddenText(scrub(text));
  const label = 'Patch of an earlier run that was not delivered; it may be wrong';
  return {
    ...task,
    context: [...task.context, { label, author: 'Photon', text: clean.text }],
    hiddenRemoved: task.hiddenRemoved + clean.removed,
  };
}
