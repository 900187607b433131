/** The marks that git sets around the lines of a conflict, and whether a text resolves them and changes nothing else. */

/** A line that begins or ends a part of a conflict. Text that holds such a line by itself cannot be told from one. */
const anyMark = /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m;

/** True if a text has a line that looks like a mark. */
export function hasMarks(text: string): boolean {
  return anyMark.test(text);
}

/** The lines before, between and behind the conflicts of a marked text, in order. */
function listFixed(marked: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let inside = false;
  for (const line of marked.split('\n')) {
    if (line.startsWith('<<<<<<< ')) inside = true;
    else if (line.startsWith('>>>>>>> ')) {
      inside = false;
      parts.push([]);
    } else if (!inside) parts.at(-1)?.push(line);
  }
  return parts;
}

/**
 * Why a text is no resolution of a marked one: a mark is left, or a line outside of the conflicts changed; undefined if
 * it is one.
 */
export function findUnresolved(marked: string, resolved: string): string | undefined {
  if (hasMarks(resolved)) return 'still has the marks of a conflict';
  const fixed = listFixed(marked);
  const [first = [], last = []] = [fixed[0], fixed.at(-1)];
  const lines = resolved.split('\n');
  const end = lines.length - last.length;
  const kept = startsAt(lines, first, 0) && end >= first.length && startsAt(lines, last, end);
  let from = first.length;
  // the first place of each part leaves the most room for the next one
  for (const part of kept ? fixed.slice(1, -1) : []) {
    while (from + part.length <= end && !startsAt(lines, part, from)) from += 1;
    from += part.length;
  }
  return kept && from <= end ? undefined : 'changes lines outside of the conflict';
}

function startsAt(lines: readonly string[], part: readonly string[], from: number): boolean {
  return part.every((line, i) => lines[from + i] === line);
}
