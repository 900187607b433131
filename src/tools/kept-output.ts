/** What commands printed beyond the length of a result: kept for the run, and read in parts with read_code_block. */
import type { LineRange } from '../guard/claim.ts';

/** The long outputs of one run, by number from 1. */
export class KeptOutputs {
  readonly #texts = new Map<number, string>();
  #kept = 0;
  #bytes = 0;

  /** Keeps an output; the oldest ones go when together they exceed 8 MB. @returns its name, such as `output:1`. */
  keep(text: string): string {
    this.#kept += 1;
    this.#texts.set(this.#kept, text);
    this.#bytes += text.length;
    for (const [number, old] of this.#texts) {
      if (this.#bytes <= maxKept || number === this.#kept) break;
      this.#texts.delete(number);
      this.#bytes -= old.length;
    }
    return `output:${this.#kept}`;
  }

  /** The text of a kept output; undefined for an unknown name. */
  find(name: string): string | undefined {
    return this.#texts.get(getNumber(name) ?? 0);
  }
}

const maxKept = 8_000_000;

function getNumber(name: string): number | undefined {
  const [, number] = /^output:([1-9]\d{0,5})$/.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** True for the name of a kept output, whether it is still there or not. */
export function isOutputName(name: string): boolean {
  return getNumber(name) !== undefined;
}

/** Most of an output that one result shows. */
interface ShownLength {
  readonly lines: number;
  readonly bytes: number;
}

/**
 * The first and the last lines of an output within a length, most of them from its end, where a program says how it
 * went. The line between them says which lines are missing and where they are.
 */
export function showEnds(text: string, max: ShownLength, kept: KeptOutputs): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= max.lines && Buffer.byteLength(text) <= max.bytes) return text;
  const name = kept.keep(text);
  const head = takeLines(lines, scale(max, 1 / 4));
  const rest = lines.slice(head.length).toReversed();
  const tail = takeLines(rest, scale(max, 3 / 4)).toReversed();
  const from = head.length + 1;
  const to = lines.length - tail.length;
  const cut = `[cut: lines ${from}-${to} of ${lines.length}; read_code_block shows them: file_path ${name}, start_line, end_line]`;
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

/** Numbered lines of a kept output, within a length. */
export function showOutput(
  name: string,
  text: string | undefined,
  about: { readonly range: LineRange | undefined; readonly max: ShownLength },
): string {
  if (text === undefined)
    return `${name}: there is no output of this name, or it is no longer kept.`;
  const { range, max } = about;
  const lines = text.replace(/\n$/, '').split('\n');
  const { startLine, endLine } = range ?? { startLine: 1, endLine: lines.length };
  const wanted = lines.slice(startLine - 1, endLine);
  const rows = takeLines(
    wanted.map((line, i) => `${startLine + i}\t${takeEnd(line, max.bytes - 20)}`),
    max,
  );
  const last = startLine + rows.length - 1;
  const cut =
    rows.length < wanted.length
      ? `\n[cut: L${last + 1}-${startLine + wanted.length - 1} not shown]`
      : '';
  return `${name} L${startLine}-${last} of ${lines.length}\n${rows.join('\n')}${cut}`;
}
