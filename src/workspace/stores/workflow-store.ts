/** The state file of a workflow in a checkout, hidden from git, replaced in one step. */
import { lockByFile, readOwnFile, replaceOwnFile } from '../files/replace-file.ts';

const folder = '.photon/workflows/state';

export interface WorkflowStore {
  /** Path below the checkout. */
  readonly path: string;
  /** Text as it was saved last; null before the first time. Throws PhotonError `DISK`. */
  read(): string | null;
  /** A kill at any instant leaves the text before it or after it. Throws PhotonError `DISK`. */
  save(text: string): void;
  /** One process at a time. Returns what ends it. Throws PhotonError `WORKFLOW_BUSY`. */
  lock(): () => void;
}

/** The store of one workflow; nothing is made before the first write. */
export function openWorkflowStore(checkout: string, name: string): WorkflowStore {
  const path = `${folder}/${name}.json`;
  const hide = () => {
    if (readOwnFile(checkout, `${folder}/.gitignore`) === null)
      replaceOwnFile(checkout, `${folder}/.gitignore`, '*\n');
  };
  return {
    path,
    read: () => readOwnFile(checkout, path)?.toString('utf8') ?? null,
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
