/** Finds the name that a mistyped one was meant to be. */

/** `Did you mean X?` behind a space; empty if no name is near. */
export function didYouMean(given: string, names: readonly string[], lead = ''): string {
  const near = nearestName(given, names);
  return near === undefined ? '' : ` Did you mean ${lead}${near}?`;
}

/** The nearest name, at most a third of its characters away; undefined if there is none. */
function nearestName(given: string, names: readonly string[]): string | undefined {
  const word = given.slice(0, 40).toLowerCase();
  const [best] = names
    .filter(name => name !== '')
    .map(name => ({ name, away: distance(word, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.away - b.away);
  if (best !== undefined) return best.name;
  const starting = names.filter(name => word.length > 2 && name.toLowerCase().startsWith(word));
  return starting.length === 1 ? starting[0] : undefined;
}

/** How many characters must be added, removed, changed or swapped with the next one. */
function distance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (last[j - 2] ?? 0) + 1 : change;
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change, swap);
    }
    [last, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
