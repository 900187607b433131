/** Finds renamed files: a file that goes and a new one with mostly the same lines count as one. Pure. */
import { countEach } from '../base/plural.ts';
import type { Claim, PathState } from './claim.ts';
import type { Rename } from './evidence.ts';
import { normalisePath } from './paths.ts';

/** A file and its lines. */
export interface FileLines {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Pairs each new file with the most similar one that goes, if at least half of their lines are the same, as in git. */
export function findRenames(
  gone: readonly FileLines[],
  made: readonly FileLines[],
): readonly Rename[] {
  const found: Rename[] = [];
  const isOpen = ({ path }: FileLines) => !found.some(r => r.from === path || r.to === path);
  // files that only moved need no comparison with every other
  const byText = new Map(gone.map(g => [g.lines.join('\n'), g]));
  for (const to of made) {
    const from = byText.get(to.lines.join('\n'));
    if (from !== undefined && to.lines.length > 0 && isOpen(from))
      found.push({ from: from.path, to: to.path });
  }
  const counted = gone.filter(isOpen).map(g => ({ ...g, counts: countEach(g.lines) }));
  const pairs = made
    .filter(isOpen)
    .flatMap(to => counted.map(from => ({ from, to, score: similarity(from, to) })))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score);
  for (const { from, to } of pairs)
    if (isOpen(from) && isOpen(to)) found.push({ from: from.path, to: to.path });
  return found;
}

/** The old path of each file that a call renames, by its new one: it creates the file, and deletes the old one. */
export function findRenamed(
  claims: readonly Claim[],
  states: ReadonlyMap<string, PathState>,
): ReadonlyMap<string, string> {
  const gone: FileLines[] = [];
  const made: FileLines[] = [];
  for (const claim of claims) {
    if (claim.kind !== 'write') continue;
    const path = normalisePath(claim.path) ?? '';
    const known = states.get(path);
    if (claim.change === 'delete' && known?.kind === 'file')
      gone.push({ path, lines: known.lines });
    if (claim.change === 'replace' && known?.kind === 'missing')
      made.push({ path, lines: claim.added.replace(/\r?\n$/, '').split(/\r?\n/) });
  }
  return new Map(findRenames(gone, made).map(({ from, to }) => [to, from]));
}

type Counts = ReadonlyMap<string, number>;

/** The share of lines that both have, of the longer one; 0 for empty files. */
function similarity(from: FileLines & { readonly counts: Counts }, to: FileLines): number {
  const longer = Math.max(from.lines.length, to.lines.length);
  if (longer === 0 || Math.min(from.lines.length, to.lines.length) * 2 < longer) return 0;
  const used = new Map<string, number>();
  let same = 0;
  for (const line of to.lines) {
    const count = (used.get(line) ?? 0) + 1;
    used.set(line, count);
    if (count <= (from.counts.get(line) ?? 0)) same += 1;
  }
  return same / longer;
}
