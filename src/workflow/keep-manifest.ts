/** The hook behind each task: the manifest as a change of `constitution.md`; it never fails a workflow. */
import type { FileChange, FileState } from '../workspace/files/change.ts';
import { type Manifest, updateManifest } from './manifest.ts';

/** The file that holds the manifest, in the root of the repository. */
export const manifestFile = 'constitution.md';

export interface ManifestPlace {
  /** True when nobody may write the file: it is read-only in the user's checkout. */
  readonly readOnly: () => boolean;
  /** A file of the branch. */
  readonly find: (path: string) => Promise<FileState | null>;
  readonly manifest: Manifest;
  /** Patch of the same commit. */
  readonly patch: readonly FileChange[];
}

/** What to change, and what people must know; both null when the section says the same already. */
export async function manifestChange({ readOnly, find, manifest, patch }: ManifestPlace): Promise<{
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
