/** Finds the names that somebody who mistyped one may have meant. */

/** The names that differ least from a typed one, best first; none that differs by more than a third of its letters. */
export function nearestNames(typed: string, names: Iterable<string>, most = 3): readonly string[] {
  const given = typed.slice(0, 64).toLowerCase();
  return [...names]
    .map(name => ({ name, letters: distance(given, name.toLowerCase()) }))
    .filter(({ name, letters }) => letters <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.letters - b.letters || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** The paths that somebody who named a missing one may have meant: files of its name elsewhere, then those of similar names. */
export function nearestPaths(path: string, paths: readonly string[], most = 3): readonly string[] {
  const name = fileName(path).toLowerCase();
  const byName = Map.groupBy(paths, p => fileName(p).toLowerCase());
  const similar = nearestNames(name, byName.keys(), most);
  return [...new Set([name, ...similar])].flatMap(each => byName.get(each) ?? []).slice(0, most);
}

/** The last part of a path. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Number of letters to add, remove or replace (Levenshtein distance). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let k = 0; k < other.length; k++)
      next.push(
        Math.min(
          (next[k] ?? 0) + 1,
          (row[k + 1] ?? 0) + 1,
          (row[k] ?? 0) + (letter === other[k] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
