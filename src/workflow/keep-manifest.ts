/** The hook behind each task: the manifest as a change of `constitution.md`; it never fails a workflow. */
import type { FileChange } from '../session/change.ts';
import { isReadOnlyFile, modeOfOwnFile, readOwnFile } from '../session/replace-file.ts';
import { type Manifest, updateManifest } from './manifest.ts';

const file = 'constitution.md';

export interface ManifestPlace {
  /** The user's checkout: a read-only file there says that nobody may write it. */
  readonly checkout: string;
  /** The work tree of the branch. */
  readonly tree: string;
  readonly manifest: Manifest;
  /** Patch of the same commit. */
  readonly patch: readonly FileChange[];
}

/** What to change, and what people must know; both null when the section says the same already. */
export function manifestChange({ checkout, tree, manifest, patch }: ManifestPlace): {
  readonly change: FileChange | null;
  readonly warning: string | null;
} {
  try {
    if (isReadOnlyFile(checkout, file))
      return { change: null, warning: `${file} is read-only; manifest not written` };
    const base = readOwnFile(tree, file);
    const patched = patch.find(p => p.path === file);
    const bytes = patched === undefined ? base : (patched.after?.bytes ?? null);
    const update = updateManifest(bytes, manifest);
    if (update.kind === 'refused') return { change: null, warning: update.warning };
    if (update.kind === 'unchanged') return { change: null, warning: null };
    const mode = modeOfOwnFile(tree, file) ?? '100644';
    return {
      change: {
        path: file,
        before: base === null ? null : { mode, bytes: base },
        after: { mode: patched?.after?.mode ?? mode, bytes: update.bytes },
      },
      warning: update.warning ?? null,
    };
  } catch (error) {
    return { change: null, warning: `manifest not written: ${(error as Error).message}` };
  }
}
