/** Merges three texts with git, in files that no git attribute or merge driver applies to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTextFile } from '../text/text-file.ts';
import type { GitRunner } from './git-process.ts';

export interface ThreeTexts {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/** Exit statuses of `git merge-file`: the number of conflicts, at most 127. */
const conflicts = Array.from({ length: 127 }, (_, i) => i + 1);

/**
 * The merged text; undefined when both sides changed the same lines, or one of them is binary.
 * @throws PhotonError `GIT`, and errors of the file system.
 */
export async function mergeText(
  git: GitRunner,
  scratch: string,
  texts: ThreeTexts,
): Promise<Buffer | undefined> {
  const sides = [texts.ours, texts.base, texts.theirs];
  if (sides.some(bytes => parseTextFile(bytes) === 'binary')) return undefined;
  const folder = mkdtempSync(join(scratch, 'merge-'));
  try {
    const files = sides.map((bytes, i) => {
      const path = join(folder, `${i}`);
      writeFileSync(path, bytes);
      return path;
    });
    const merged = await git(['merge-file', '-p', ...files], { accept: conflicts });
    return merged.exitCode === 0 ? merged.stdout : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
