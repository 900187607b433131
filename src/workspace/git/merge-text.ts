/** Merges three texts with git, in files that no git attribute or merge driver applies to; and tells whether a text resolves the conflicts. */
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

/** A line that begins or ends a part of a conflict. Text that holds such a line by itself cannot be told from one. */
const anyMark = /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m;

/** True if a text has a line that looks like a mark. */
export function hasMarks(text: string): boolean {
  return anyMark.test(text);
}

/** The lines before, between and behind the conflicts of a marked text, in order. */
function listFixed(marked: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let inside = false;
  for (const line of marked.split('\n')) {
    if (line.startsWith('<<<<<<< ')) inside = true;
    else if (line.startsWith('>>>>>>> ')) {
      inside = false;
      parts.push([]);
    } else if (!inside) parts.at(-1)?.push(line);
  }
  return parts;
}

/**
 * Why a text is no resolution of a marked one: a mark is left, or a line outside of the conflicts changed; undefined if
 * it is one.
 */
export function findUnresolved(marked: string, resolved: string): string | undefined {
  if (hasMarks(resolved)) return 'still has the marks of a conflict';
  const fixed = listFixed(marked);
  const [first = [], last = []] = [fixed[0], fixed.at(-1)];
  const lines = resolved.split('\n');
  const end = lines.length - last.length;
  const kept = startsAt(lines, first, 0) && end >= first.length && startsAt(lines, last, end);
  let from = first.length;
  // the first place of each part leaves the most room for the next one
  for (const part of kept ? fixed.slice(1, -1) : []) {
    while (from + part.length <= end && !startsAt(lines, part, from)) from += 1;
    from += part.length;
  }
  return kept && from <= end ? undefined : 'changes lines outside of the conflict';
}

function startsAt(lines: readonly string[], part: readonly string[], from: number): boolean {
  return part.every((line, i) => lines[from + i] === line);
}
