/** Writes what the tasks of a local workflow commit into the user's work tree, for `--apply`. */
import { applyToCheckout } from '../workspace/files/apply-to-checkout.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import type { WorkflowHome, WorkflowOptions } from './execution.ts';
import { manifestChange, manifestFile, updatedAt } from './manifest.ts';
import { buildManifest, lastEnded } from './state.ts';

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
  const warned = async (work: () => Promise<void>) => {
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
    await warned(async () => {
      applied = await branch.tip();
      const changes = await branch.changesSince(from);
      apply(changes.filter(c => c.path !== manifestFile));
    });
    await warned(async () => {
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
