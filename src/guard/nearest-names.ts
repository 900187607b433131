/** Finds the names that somebody who mistyped one may have meant. */
import { basename } from 'node:path/posix';

/** Most letters by which a name may differ: a third of them, but one in a short name and two in a longer one at least. */
const maxDistance = (name: string) =>
  name.length < 4 ? Math.min(1, name.length) : Math.max(2, Math.floor(name.length / 3));

/** The names that differ least from a typed one, best first; none that differs by more than `maxDistance`. */
export function nearestNames(typed: string, names: Iterable<string>, most = 3): readonly string[] {
  const given = typed.slice(0, 64).toLowerCase();
  return [...names]
    .map(name => ({ name, letters: distance(given, name.toLowerCase()) }))
    .filter(({ name, letters }) => letters <= maxDistance(name))
    .sort((a, b) => a.letters - b.letters || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/**
 * The paths that somebody who named a missing one may have meant: files of its name elsewhere, then those of similar names; of
 * each, first those that end as it does.
 */
export function nearestPaths(path: string, paths: readonly string[], most = 3): readonly string[] {
  const name = basename(path).toLowerCase();
  const byName = Map.groupBy(paths, p => basename(p).toLowerCase());
  const similar = nearestNames(name, byName.keys(), most);
  const byEnd = (a: string, b: string) => countSameEnd(b, path) - countSameEnd(a, path);
  return [...new Set([name, ...similar])]
    .flatMap(each => (byName.get(each) ?? []).toSorted(byEnd))
    .slice(0, most);
}

/** Number of folders above two files, from below, that have the same names. */
function countSameEnd(one: string, other: string): number {
  const [a, b] = [one, other].map(p => p.toLowerCase().split('/').slice(0, -1).reverse());
  const different = a?.findIndex((part, i) => part !== b?.[i]) ?? 0;
  return different < 0 ? (a?.length ?? 0) : different;
}

/** Number of letters to add, remove, replace or swap with the next one. */
function distance(one: string, other: string): number {
  let last: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, k) => k);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let k = 1; k <= other.length; k++) {
      const change = (row[k - 1] ?? 0) + (one[i - 1] === other[k - 1] ? 0 : 1);
      const isSwapped =
        i > 1 && k > 1 && one[i - 1] === other[k - 2] && one[i - 2] === other[k - 1];
      const swap = isSwapped ? (last[k - 2] ?? 0) + 1 : change;
      next[k] = Math.min((row[k] ?? 0) + 1, (next[k - 1] ?? 0) + 1, change, swap);
    }
    [last, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
