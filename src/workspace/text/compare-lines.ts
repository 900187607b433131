/** Compares two texts line by line, in time that grows with their length and not with its square. Pure. */
import { diffArrays } from 'diff';
import { commonEnds } from '../../base/plural.ts';

/** Old lines that new lines replace; either side can be empty. Counted from 0, without the end. */
export interface ReplacedLines {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

type Ids = readonly number[];
/** A line of the old text, and the same line in the new text. */
type Pair = readonly [number, number];

/** The number of differences up to which the shortest comparison is looked for: its time is the square of them. */
const maxDifferences = 1_500;

/** What replaces what, in the order of the text. It is the shortest description; texts that differ too much have only their ends in common. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): readonly ReplacedLines[] {
  const numbers = new Map<string, number>();
  const getLineId = (line: string) => {
    const known = numbers.get(line);
    if (known === undefined) numbers.set(line, numbers.size);
    return known ?? numbers.size - 1;
  };
  const [old, now] = [before.map(getLineId), after.map(getLineId)];
  const found: ReplacedLines[] = [];
  let [oldStart, newStart] = [0, 0];
  for (const [oldEnd, newEnd] of [...pairLines(old, now), [old.length, now.length] as const]) {
    if (oldEnd > oldStart || newEnd > newStart) found.push({ oldStart, oldEnd, newStart, newEnd });
    [oldStart, newStart] = [oldEnd + 1, newEnd + 1];
  }
  return found;
}

/** Changes that are so near to one another that their context touches, together. */
export function groupByContext(
  replaced: readonly ReplacedLines[],
  context: number,
): readonly (readonly ReplacedLines[])[] {
  const groups: ReplacedLines[][] = [];
  for (const each of replaced) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && each.oldStart - last.oldEnd <= 2 * context) groups.at(-1)?.push(each);
    else groups.push([each]);
  }
  return groups;
}

function pairLines(old: Ids, now: Ids): readonly Pair[] {
  const { head, tail } = commonEnds(old, now);
  // a line that only one side holds is no part of any common text, so it need not be compared
  const keepShared = (ids: Ids, others: ReadonlySet<number>) => {
    const kept: number[] = [];
    for (let at = head; at < ids.length - tail; at++) if (others.has(ids[at] ?? -1)) kept.push(at);
    return kept;
  };
  const places = keepShared(old, new Set(now));
  const otherPlaces = keepShared(now, new Set(old));
  const a = places.map(at => old[at] ?? 0);
  const b = otherPlaces.map(at => now[at] ?? 0);
  const middle = pairShortest(a, b);
  return [
    ...range(head).map(i => [i, i] as const),
    ...middle.map(([x, y]) => [places[x] ?? 0, otherPlaces[y] ?? 0] as const),
    ...range(tail).map(i => [old.length - tail + i, now.length - tail + i] as const),
  ];
}

function range(length: number): readonly number[] {
  return [...Array(length).keys()];
}

/** The pairs of the shortest comparison; none when it needs too many differences. */
function pairShortest(a: Ids, b: Ids): readonly Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [0, 0];
  const parts = diffArrays([...a], [...b], { maxEditLength: maxDifferences });
  for (const { count, added, removed } of parts ?? []) {
    if (!added && !removed) for (let i = 0; i < count; i++) pairs.push([x + i, y + i]);
    if (!added) x += count;
    if (!removed) y += count;
  }
  return pairs;
}
