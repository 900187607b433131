/** Keeps the best candidates of a stream: a bounded number, without edits that have the same result. Pure. */
import type { Candidate } from './candidates.ts';
import { joinEdits } from './edit.ts';
import { templates } from './templates/index.ts';

interface CandidatePool {
  /** The score below which a candidate cannot be among the best any more. */
  floor(): number;
  add(candidate: Candidate): void;
  /** The candidates, best first. Depends on their scores and order only. */
  ranked(): readonly Candidate[];
}

interface Entry {
  readonly candidate: Candidate;
  /** What the edit makes of the text; made once it is needed. */
  key?: string;
  readonly template: number;
  readonly at: number;
}

const better = (a: Entry, b: Entry) =>
  b.candidate.score - a.candidate.score || a.template - b.template || a.at - b.at;

/** Opens a pool for at max `max` candidates. It never holds more than twice as many. */
export function openPool(max: number, textOf: ReadonlyMap<string, string>): CandidatePool {
  const order = new Map(templates.map((t, i) => [t.id, i]));
  let entries: Entry[] = [];
  let floor = 0;
  let added = 0;
  const prune = () => {
    const seen = new Set<string>();
    const kept: Entry[] = [];
    for (const entry of entries.sort(better)) {
      entry.key ??= describeResult(entry.candidate, textOf.get(entry.candidate.path) ?? '');
      const { key } = entry;
      if (key === '' || seen.has(key)) continue;
      seen.add(key);
      kept.push(entry);
      if (kept.length === max) break;
    }
    entries = kept;
    if (kept.length === max) floor = kept.at(-1)?.candidate.score ?? 0;
  };
  const push = (candidate: Candidate) => {
    added += 1;
    entries.push({ candidate, template: order.get(candidate.template.id) ?? 0, at: added });
  };
  return {
    floor: () => floor,
    add: candidate => {
      if (candidate.score < floor) return;
      push(candidate);
      if (entries.length >= 2 * max) prune();
    },
    ranked: () => {
      prune();
      return entries.map(e => e.candidate);
    },
  };
}

/** Ranks candidates, and keeps only the best of edits with the same result. */
export function rankCandidates(
  candidates: Iterable<Candidate>,
  textOf: ReadonlyMap<string, string>,
  max = Number.POSITIVE_INFINITY,
): readonly Candidate[] {
  const pool = openPool(max, textOf);
  for (const candidate of candidates) pool.add(candidate);
  return pool.ranked();
}

/** The difference between the texts before and after: the same for all edits with the same result, empty for none. */
function describeResult({ path, edits }: Candidate, whole: string): string {
  if (edits.length === 0) return '';
  const { start, end, text } = joinEdits(whole, edits);
  return start === end && text === '' ? '' : [path, start, end, text].join('\0');
}
