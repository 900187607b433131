/** Counts the lines of files that calls read, each line once. Pure. */
import type { Claim, ClaimFacts, LineRange } from './claim.ts';
import { normalisePath } from './paths.ts';
import type { KnownLines } from './seen-lines.ts';

/** The lines that claims ask for by number, by file. */
export function rangesByFile(
  claims: readonly (Claim | ClaimFacts)[],
): ReadonlyMap<string, readonly LineRange[]> {
  const files = new Map<string, LineRange[]>();
  for (const claim of claims) {
    const file = findFile(claim);
    if (file === undefined || !('range' in claim) || claim.range === undefined) continue;
    files.set(file, [...(files.get(file) ?? []), claim.range]);
  }
  return files;
}

/** Line numbers as sorted ranges. */
export function toLineRanges(lines: Iterable<number>): readonly LineRange[] {
  const found: { startLine: number; endLine: number }[] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last !== undefined && last.endLine === line - 1) last.endLine = line;
    else found.push({ startLine: line, endLine: line });
  }
  return found;
}

/** The line numbers in ranges. */
export function listLines(ranges: readonly LineRange[] = []): readonly number[] {
  return ranges.flatMap(({ startLine, endLine }) =>
    Array.from({ length: Math.max(0, endLine - startLine + 1) }, (_, i) => startLine + i),
  );
}

/** The evidence that a result shows lines of a file. */
export function showLines<K extends 'read' | 'shown'>(kind: K, path: string, text: KnownLines) {
  return { kind, path, lines: toLineRanges(text.keys()), text };
}

/**
 * The ranges with the lines that a round may still read: in order, until `most` lines of the file are read together with
 * those in `also`. A range of which nothing is left ends before its start.
 */
export function clipRanges(
  ranges: readonly LineRange[],
  also: ReadonlySet<number>,
  most: number,
): readonly LineRange[] {
  const read = new Set(also);
  return ranges.map(({ startLine, endLine }) => {
    let line = startLine;
    for (; line <= endLine; line++) {
      if (!read.has(line) && read.size >= most) break;
      read.add(line);
    }
    return { startLine, endLine: Math.min(endLine, line - 1) };
  });
}

/**
 * Claims in which a read asks for no more than the round may still read of a file: that much is shown, with where to go on.
 * What is not bounded in this way is judged as it is asked for.
 */
export function withBoundedReads<T extends Claim | ClaimFacts>(
  claims: readonly T[],
  readThisRound: ReadonlyMap<string, ReadonlySet<number>>,
  most: number,
): readonly T[] {
  const left = new Map(
    [...rangesByFile(claims)].map(([file, ranges]) => [
      file,
      [...clipRanges(ranges, readThisRound.get(file) ?? new Set(), most)],
    ]),
  );
  return claims.map(claim => {
    const file = findFile(claim);
    const range = file === undefined ? undefined : left.get(file)?.shift();
    return range === undefined ? claim : { ...claim, range };
  });
}

/** The file of which a claim asks for a range; undefined for any other claim. */
function findFile(claim: Claim | ClaimFacts): string | undefined {
  if (claim.kind !== 'read' && claim.kind !== 'skill-file') return undefined;
  if (claim.range === undefined) return undefined;
  return claim.kind === 'read'
    ? (normalisePath(claim.path) ?? claim.path)
    : `photon:${claim.skill}/${claim.file}`;
}

/** The number of lines in `ranges` and `also` together. Ranges may be as long as a model likes. */
export function countRead(ranges: readonly LineRange[], also: ReadonlySet<number>): number {
  const sorted = [...ranges].sort((a, b) => a.startLine - b.startLine);
  let total = also.size;
  let last = 0;
  for (const { startLine, endLine } of sorted) {
    const from = Math.max(startLine, last + 1);
    if (endLine < from) continue;
    total += endLine - from + 1;
    for (const line of also) if (line >= from && line <= endLine) total -= 1;
    last = endLine;
  }
  return total;
}
