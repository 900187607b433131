/** Counts the lines of files that calls read, each line once. Pure. */
import type { Claim, LineRange } from './claim.ts';
import { normalisePath } from './paths.ts';

/** The lines that claims ask for by number, by file. */
export function rangesByFile(claims: readonly Claim[]): ReadonlyMap<string, readonly LineRange[]> {
  const files = new Map<string, LineRange[]>();
  for (const claim of claims) {
    if (claim.kind !== 'read' && claim.kind !== 'skill-file') continue;
    if (claim.range === undefined) continue;
    const file =
      claim.kind === 'read'
        ? (normalisePath(claim.path) ?? claim.path)
        : `photon:${claim.skill}/${claim.file}`;
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
