/** Makes candidates of several edits: one pattern repeated, or edits that each repair other failing cases. Pure. */
import type { Candidate } from '../candidates/candidates.ts';

const maxPlaces = 6;
const maxRepeated = 300;
const maxCombined = 200;
/** Share of its score that an edit keeps in more than one place. */
const repeatedShare = 0.6;

/** The same edit in all places of a file that have the same text, such as one wrong call in four places. */
export function* repeatedEdits(
  candidates: readonly Candidate[],
  textOf: ReadonlyMap<string, string>,
): Iterable<Candidate> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const [edit] = candidate.edits;
    if (candidate.edits.length !== 1 || edit === undefined || edit.start === edit.end) continue;
    const before = textOf.get(candidate.path)?.slice(edit.start, edit.end) ?? '';
    if (!/[\w$]/.test(before) || before === '0' || before === '1') continue;
    const key = `${candidate.template.id}\0${candidate.path}\0${before}\0${edit.text}`;
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  const repeated = [...groups.values()]
    .filter(g => g.length > 1 && g.length <= maxPlaces)
    .map(group => ({ group, score: repeatedShare * Math.max(...group.map(c => c.score)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, maxRepeated);
  for (const { group, score } of repeated) {
    const joined = joinEdits(group);
    if (joined !== undefined)
      yield { ...joined, score, kind: `${joined.template.title}, in ${group.length} places` };
  }
}

/** A candidate, and the failing cases that pass with it. */
export interface Helpful {
  readonly candidate: Candidate;
  readonly repairs: ReadonlySet<string>;
}

/** Two or three edits of a file that together repair all failing cases, each of them at least one more; best first. */
export function* combinedEdits(
  helpful: readonly Helpful[],
  failing: readonly string[],
): Iterable<Candidate> {
  const covers = (parts: readonly Helpful[]) =>
    failing.every(id => parts.some(p => p.repairs.has(id)));
  const needed = (parts: readonly Helpful[]) =>
    parts.every(p => !covers(parts.filter(o => o !== p)));
  const found: Candidate[] = [];
  const keep = (...parts: readonly Helpful[]) => {
    if (!covers(parts) || !needed(parts)) return;
    const joined = joinEdits(parts.map(p => p.candidate));
    const kinds = [...new Set(parts.map(p => p.candidate.template.title))];
    if (joined !== undefined) found.push({ ...joined, kind: kinds.join(', and ') });
  };
  const firstOf = new Map<string, Helpful[]>();
  for (const one of helpful) {
    const key = [...one.repairs].sort().join('\0');
    const same = firstOf.get(key) ?? [];
    // the best edits for each set of cases are enough
    if (same.length < maxForCases) firstOf.set(key, [...same, one]);
  }
  const kept = [...firstOf.values()].flat();
  for (const [i, one] of kept.entries())
    for (const [j, other] of kept.entries()) {
      if (j <= i) continue;
      keep(one, other);
      for (const third of kept.slice(j + 1))
        if (found.length < maxCombined) keep(one, other, third);
    }
  yield* found.sort((a, b) => b.score - a.score).slice(0, maxCombined);
}

const maxForCases = 10;

/** One candidate with the edits of all; undefined if they are in different files or overlap. */
export function joinEdits(parts: readonly Candidate[]): Candidate | undefined {
  const [first] = parts;
  if (first === undefined || parts.some(p => p.path !== first.path)) return undefined;
  const edits = parts.flatMap(p => p.edits).sort((a, b) => a.start - b.start);
  if (edits.some((e, i) => i > 0 && e.start < (edits[i - 1]?.end ?? 0))) return undefined;
  return {
    ...first,
    edits,
    line: Math.min(...parts.map(p => p.line)),
    suspicion: Math.min(...parts.map(p => p.suspicion)),
    risk: parts.find(p => p.risk !== '')?.risk ?? '',
    score: parts.reduce((product, p) => product * p.score, 1),
  };
}
