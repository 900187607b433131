/** The state file of a workflow in a checkout: ignored by git and replaced atomically. */
import { lockByFile, readOwnFile, replaceOwnFile } from '../files/replace-file.ts';

const folder = '.photon/workflows/state';

export interface WorkflowStore {
  /** Path below the checkout. */
  readonly path: string;
  /** The text saved last; undefined before the first save. Throws PhotonError `DISK`. */
  read(): string | undefined;
  /** Saves a text. A kill at any moment leaves the old or the new text. Throws PhotonError `DISK`. */
  save(text: string): void;
  /** Locks the workflow for this process. Returns a function that unlocks it. Throws PhotonError `WORKFLOW_BUSY`. */
  lock(): () => void;
}

/** The store of one workflow; nothing is created before the first write. */
export function openWorkflowStore(checkout: string, name: string): WorkflowStore {
  const path = `${folder}/${name}.json`;
  const hide = () => {
    if (readOwnFile(checkout, `${folder}/.gitignore`) === undefined)
      replaceOwnFile(checkout, `${folder}/.gitignore`, '*\n');
  };
  return {
    path,
    read: () => readOwnFile(checkout, path)?.toString('utf8'),
    save: text => {
      hide();
      replaceOwnFile(checkout, path, text);
    },
    lock: () => {
      hide();
      return lockByFile(checkout, `${folder}/${name}.lock`);
    },
  };
}
