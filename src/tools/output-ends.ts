/** The ends of what a command printed, as long as a result may be. */

/** Most of an output that one result shows. */
interface ShownLength {
  readonly lines: number;
  readonly bytes: number;
}

/**
 * The first and the last lines of an output within a length, most of them from its end, where a program says how it
 * went. The line between them says which lines are missing and where they are.
 */
export function showEnds(text: string, max: ShownLength): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= max.lines && Buffer.byteLength(text) <= max.bytes) return text;
  const head = takeLines(lines, scale(max, 1 / 4));
  const rest = lines.slice(head.length).toReversed();
  const tail = takeLines(rest, scale(max, 3 / 4)).toReversed();
  const from = head.length + 1;
  const to = lines.length - tail.length;
  const cut = `[cut: lines ${from}-${to} of ${lines.length}; a command that prints less shows them]`;
  const last = tail.length > 0 ? tail : [takeEnd(lines.at(-1) ?? '', Math.floor(max.bytes / 2))];
  return [...head, cut, ...last, ''].join('\n');
}

function scale({ lines, bytes }: ShownLength, part: number): ShownLength {
  return { lines: Math.floor(lines * part), bytes: Math.floor(bytes * part) };
}

/** The first of these lines that a length holds, with the newlines between them. */
export function takeLines(
  lines: readonly string[],
  max: Partial<ShownLength> & Pick<ShownLength, 'bytes'>,
): readonly string[] {
  let bytes = 0;
  const end = lines.findIndex((line, i) => {
    bytes += Buffer.byteLength(line) + 1;
    return i >= (max.lines ?? lines.length) || bytes > max.bytes;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** The end of a line that alone is too long. */
function takeEnd(line: string, bytes: number): string {
  const end = Buffer.from(line)
    .subarray(-bytes)
    .toString('utf8')
    .replace(/^\uFFFD+/u, '');
  return end.length === line.length ? line : `…${end}`;
}
