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

/** Names of the three texts in the marks of a conflict. */
const labels = ['pull request', 'before both', 'base branch'].flatMap(name => ['-L', name]);

/** A merged text, and whether marks in it show both sides of a conflict. */
export interface MarkedText {
  readonly bytes: Buffer;
  readonly isMarked: boolean;
}

/**
 * The merged text; undefined when both sides changed the same lines, or one of them is binary.
 * @throws PhotonError `GIT`, and errors of the file system.
 */
export async function mergeText(
  git: GitRunner,
  scratch: string,
  texts: ThreeTexts,
): Promise<Buffer | undefined> {
  const merged = await markConflicts(git, scratch, texts);
  return merged?.isMarked === false ? merged.bytes : undefined;
}

/**
 * The merged text, with marks around the lines that both sides changed; undefined when one of the texts is binary.
 * @throws PhotonError `GIT`, and errors of the file system.
 */
export async function markConflicts(
  git: GitRunner,
  scratch: string,
  texts: ThreeTexts,
): Promise<MarkedText | undefined> {
  const sides = [texts.ours, texts.base, texts.theirs];
  if (sides.some(bytes => parseTextFile(bytes) === 'binary')) return undefined;
  const folder = mkdtempSync(join(scratch, 'merge-'));
  try {
    const files = sides.map((bytes, i) => {
      const path = join(folder, `${i}`);
      writeFileSync(path, bytes);
      return path;
    });
    const args = ['merge-file', '-p', '--diff3', ...labels, ...files];
    const merged = await git(args, { accept: conflicts });
    return { bytes: merged.stdout, isMarked: merged.exitCode !== 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
