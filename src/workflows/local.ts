/** A workflow in a local repository: its file, a branch, a state file next to the workflow file, and what `--apply` writes into the work tree. */
import { PhotonError } from '../base/codes.ts';
import type { RunInput } from '../hosts/host.ts';
import { branchTreePlace, hasRef, openBranchTree } from '../workspace/commits/branch-tree.ts';
import { applyToCheckout } from '../workspace/files/apply-to-checkout.ts';
import type { FileChange } from '../workspace/files/change.ts';
import {
  isReadOnlyFile,
  listOwnFolder,
  lockByFile,
  readOwnFile,
  replaceOwnFile,
} from '../workspace/files/replace-file.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import type { WorkflowHome, WorkflowOptions } from './execution.ts';
import { manifestChange, manifestFile, updatedAt } from './manifest.ts';
import {
  buildManifest,
  lastEnded,
  parseState,
  reconcile,
  renderState,
  startState,
  type WorkflowState,
} from './state.ts';
import { parseWorkflow, type Workflow, workflowFolder, workflowName } from './workflow-file.ts';

interface LocalWorkflow {
  readonly workflow: Workflow;
  readonly input: Pick<RunInput, 'workspace' | 'tempRoot' | 'programs' | 'log' | 'now'>;
}

/** The saved state, reconciled with the current workflow file. Throws PhotonError `WORKFLOW_STATE_INVALID`. */
export function readWorkflowState(checkout: string, workflow: Workflow): WorkflowState | undefined {
  const store = openWorkflowStore(checkout, workflow.name);
  const text = store.read();
  return text === undefined ? undefined : reconcile(parseState(text, store.path), workflow);
}

/**
 * Runs `work` with the home of a workflow, under a lock; closes it however the work ends.
 * @throws PhotonError `WORKFLOW_BUSY`, `WORKFLOW_BRANCH`, `WORKFLOW_STATE_INVALID`, `DISK`, `GIT`.
 */
export async function inLocalHome<T>(
  { workflow, input }: LocalWorkflow,
  work: (home: WorkflowHome) => Promise<T>,
): Promise<T> {
  const store = openWorkflowStore(input.workspace, workflow.name);
  const free = store.lock();
  try {
    const place = { cwd: input.workspace, programs: input.programs };
    const saved = readWorkflowState(input.workspace, workflow);
    const fresh = startState(workflow);
    const ref = `refs/heads/${fresh.branch}`;
    const there = await hasRef(place, ref);
    if (there && saved === undefined)
      throw new PhotonError(
        'WORKFLOW_BRANCH',
        `The branch ${fresh.branch} exists, but ${store.path} has no state for it.`,
      );
    if (!there && saved?.tasks.some(t => t.attempts > 0))
      input.log.line(
        `warning: ${fresh.branch} no longer exists; the workflow starts again from the beginning`,
      );
    const found = there && saved !== undefined ? saved : fresh;
    const save = async (state: WorkflowState) => store.save(renderState(state));
    // saved before the branch is created, so that an interruption leaves no unknown branch
    await save(found);
    const folder = branchTreePlace(input.tempRoot, workflow.name);
    const branch = await openBranchTree(place, { ref, folder });
    try {
      return await work({
        branch,
        found,
        save,
        since: branch.since,
        idOf: commit => commit,
        commit: async ({ message, changes, state }) =>
          save(state(await branch.commit(message, changes, input.now()))),
        readOnly: () => isReadOnlyFile(input.workspace, manifestFile),
      });
    } finally {
      await branch.close();
    }
  } finally {
    free();
  }
}

export function listWorkflows(repo: string): readonly string[] {
  return listOwnFolder(repo, workflowFolder).flatMap(file => {
    const name = /^(.*)\.yml$/.exec(file)?.[1] ?? '';
    return workflowName.test(name) ? [name] : [];
  });
}

/** Reads a workflow of a work tree. Throws PhotonError `WORKFLOW_MISSING`, `WORKFLOW_INVALID`. */
export function readWorkflow(repo: string, name: string): Workflow {
  const file = `${workflowFolder}/${name}.yml`;
  const bytes = workflowName.test(name) ? readOwnFile(repo, file) : undefined;
  if (bytes === undefined) {
    const available = listWorkflows(repo).join(', ') || 'none';
    throw new PhotonError(
      'WORKFLOW_MISSING',
      `There is no workflow ${JSON.stringify(name)} in ${workflowFolder}. Available: ${available}.`,
    );
  }
  return parseWorkflow(bytes.toString('utf8'), { name, file });
}

/**
 * Returns the function that applies each commit. Files that differ from the branch are the user's unsaved work: a warning
 * names them, and the commit stays on the branch only. The manifest is written into the `constitution.md` of the work tree as it is.
 */
export async function applyCommits(
  { branch, readOnly }: WorkflowHome,
  { workflow, input }: Pick<WorkflowOptions, 'workflow' | 'input'>,
): Promise<NonNullable<WorkflowOptions['committed']>> {
  let applied = await branch.tip();
  const files = openFolderFiles(input.workspace);
  const find = async (path: string): Promise<FileChange['after']> => {
    const bytes = await files.read(path);
    const mode = (await branch.find(path))?.mode ?? '100644';
    return bytes === undefined ? undefined : { mode, bytes: Buffer.from(bytes) };
  };
  const warnOfFailure = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      input.log.line(`warning: not applied to the work tree: ${(error as Error).message}`);
    }
  };
  const run = `workflow-${workflow.name}`.slice(0, 64);
  const apply = (changes: readonly FileChange[]) => {
    if (changes.length > 0) applyToCheckout(input.workspace, { run, at: input.now(), changes });
  };
  return async state => {
    const from = applied;
    await warnOfFailure(async () => {
      applied = await branch.tip();
      const changes = await branch.changesSince(from);
      apply(changes.filter(c => c.path !== manifestFile));
    });
    await warnOfFailure(async () => {
      const after = lastEnded(state) ?? '';
      // the same stamp as on the branch
      const committed = await branch.find(manifestFile);
      const now = (committed && updatedAt(committed.bytes)) ?? input.now();
      const manifest = { tasks: buildManifest(state, workflow), after, now };
      const { change } = await manifestChange({ readOnly, find, manifest, patch: [] });
      if (change !== undefined) apply([change]);
    });
  };
}

const folder = '.photon/workflows/state';

/**
 * The text of a workflow's state, and its lock; nothing is created before the first write. A kill at any moment of `save`
 * leaves the old or the new text. @throws PhotonError `DISK`, `WORKFLOW_BUSY`.
 */
export function openWorkflowStore(checkout: string, name: string) {
  const path = `${folder}/${name}.json`;
  const hide = () => {
    if (readOwnFile(checkout, `${folder}/.gitignore`) === undefined)
      replaceOwnFile(checkout, `${folder}/.gitignore`, '*\n');
  };
  return {
    path,
    read: () => readOwnFile(checkout, path)?.toString('utf8'),
    save: (text: string) => {
      hide();
      replaceOwnFile(checkout, path, text);
    },
    /** @returns a function that unlocks it. */
    lock: () => {
      hide();
      return lockByFile(checkout, `${folder}/${name}.lock`);
    },
  };
}
