/** Computes the change of `constitution.md` that updates the manifest after a task. A problem becomes a warning. */
import type { FileChange, FileState } from '../workspace/files/change.ts';
import { type Manifest, updateManifest } from './manifest.ts';

/** The file with the manifest, in the root of the repository. */
export const manifestFile = 'constitution.md';

export interface ManifestTarget {
  /** True when the file is read-only in the user's checkout. */
  readonly readOnly: () => boolean;
  /** Finds a file of the branch. */
  readonly find: (path: string) => Promise<FileState | null>;
  readonly manifest: Manifest;
  /** The patch of the same commit. */
  readonly patch: readonly FileChange[];
}

/** The change, and a warning for people; both null when the section is up to date. */
export async function manifestChange({ readOnly, find, manifest, patch }: ManifestTarget): Promise<{
  readonly change: FileChange | null;
  readonly warning: string | null;
}> {
  try {
    if (readOnly())
      return { change: null, warning: `${manifestFile} is read-only; manifest not written` };
    const patched = patch.find(p => p.path === manifestFile);
    const base = patched === undefined ? await find(manifestFile) : patched.after;
    if (base?.mode === '120000')
      return { change: null, warning: `${manifestFile} is a link; manifest not written` };
    const update = await updateManifest(base === null ? null : Buffer.from(base.bytes), manifest);
    if (update.kind === 'refused') return { change: null, warning: update.warning };
    if (update.kind === 'unchanged') return { change: null, warning: null };
    const after = { mode: base?.mode ?? '100644', bytes: update.bytes } as const;
    const before = patched === undefined ? base : patched.before;
    return { change: { path: manifestFile, before, after }, warning: update.warning ?? null };
  } catch (error) {
    return { change: null, warning: `manifest not written: ${(error as Error).message}` };
  }
}
