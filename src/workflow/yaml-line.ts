/** The line of a value in YAML in block style, found by indentation. */

type Step = string | number;

/**
 * Line (1-based) of the value that a path leads to. Where the path cannot be followed (flow style,
 * a key that is missing) it is the line of the last step that was found.
 */
export function lineOfPath(text: string, path: readonly Step[]): number {
  const lines = text.split('\n').map(l => (/^\s*(#|$)/.test(l) ? '' : l));
  let from = 0;
  let to = lines.length;
  let found = 0;
  for (const step of path) {
    const items = siblings(lines, { from, to, dash: typeof step === 'number' });
    const index = typeof step === 'number' ? step : items.findIndex(i => keyOf(lines[i]) === step);
    const line = items[index];
    if (line === undefined) break;
    found = line;
    from = typeof step === 'number' ? line : line + 1;
    to = items[index + 1] ?? to;
    // the first key of an item stands on the line of its dash
    if (typeof step === 'number') lines[line] = (lines[line] ?? '').replace('-', ' ');
  }
  return found + 1;
}

/** The lines of least indentation in a range: items of a list, or keys of a mapping. */
function siblings(
  lines: readonly string[],
  { from, to, dash }: { readonly from: number; readonly to: number; readonly dash: boolean },
): readonly number[] {
  const range = lines.map((text, i) => ({ text, i })).slice(from, to);
  const fits = range.filter(l => l.text !== '' && /^\s*-(\s|$)/.test(l.text) === dash);
  const least = Math.min(...fits.map(l => indent(l.text)));
  return fits.filter(l => indent(l.text) === least).map(l => l.i);
}

function indent(text: string): number {
  return text.length - text.trimStart().length;
}

function keyOf(text: string | undefined): string | undefined {
  return /^\s*["']?([\w-]+)["']?\s*:/.exec(text ?? '')?.[1];
}
