/** Shows the patch of an earlier run that failed to the next run, as a starting point. */
import type { TaskTexts } from '../../agent/context/task-texts.ts';
import { removeHiddenText } from '../../guard/content/hidden-text.ts';
import type { Task } from '../../task.ts';
import { readArtifact } from '../../workspace/files/read-foreign.ts';

/** Maximum number of bytes of the patch that are shown. */
const maxBytes = 40_000;

export interface EarlierPatch {
  readonly workspace: string;
  /** The input `from-patch`; empty when there is none. */
  readonly path: string;
  readonly taskTexts: TaskTexts;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
}

/**
 * The task with that patch in its context. The patch is not applied: every line has to pass the guard
 * again through plan, reads and apply_patch. Without the file the task stays as it is.
 */
export function withEarlierPatch(task: Task, earlier: EarlierPatch): Task {
  const { workspace, path, taskTexts, scrub, log } = earlier;
  if (path === '') return task;
  const text = readArtifact(workspace, path, maxBytes);
  if (text === null || text.trim() === '') {
    log('from-patch: the file holds no patch of an earlier run.');
    return task;
  }
  const clean = removeHiddenText(scrub(text));
  const label = taskTexts('earlier_patch_label', {});
  return {
    ...task,
    context: [...task.context, { label, author: 'Photon', text: clean.text }],
    hiddenRemoved: task.hiddenRemoved + clean.removed,
  };
}
