/** Unpacks the block format of Snappy, in which GitHub's storage keeps signed bundles. Pure. */

/** How many bytes after a tag hold the length of a long literal, and the offset of each kind of copy. */
const longLiteral = 60;

/**
 * The unpacked bytes; undefined for what is no Snappy block, or more than `maxBytes` unpacked.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
export function readSnappy(packed: Buffer, maxBytes: number): Buffer | undefined {
  const head = readLength(packed);
  if (head === undefined || head.length > maxBytes) return undefined;
  const out = Buffer.alloc(head.length);
  let [from, to] = [head.end, 0];
  while (from < packed.length) {
    const element = readElement(packed, from);
    if (element === undefined) return undefined;
    const { length, offset, end } = element;
    if (to + length > out.length || (offset ?? 0) > to) return undefined;
    if (offset === undefined) packed.copy(out, to, end - length, end);
    // a copy can overlap what it writes
    else for (let i = to; i < to + length; i++) out[i] = out[i - offset] ?? 0;
    to += length;
    from = end;
  }
  return to === out.length ? out : undefined;
}

/** A length in groups of seven bits, the lowest first. */
function readLength(bytes: Buffer): { readonly length: number; readonly end: number } | undefined {
  let length = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[i] ?? 0x80;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { length, end: i + 1 };
  }
  return undefined;
}

interface Element {
  /** Bytes that it writes. */
  readonly length: number;
  /** How far back a copy begins; undefined for a literal, which ends at `end`. */
  readonly offset?: number;
  /** Where the next element begins. */
  readonly end: number;
}

function readElement(bytes: Buffer, at: number): Element | undefined {
  const tag = bytes[at] ?? 0;
  const [kind, upper, next] = [tag & 3, tag >> 2, at + 1];
  const width = kind === 0 ? Math.max(0, upper - longLiteral + 1) : 2 ** (kind - 1);
  if (next + width > bytes.length) return undefined;
  const number = width === 0 ? 0 : bytes.readUIntLE(next, width);
  const after = next + width;
  if (kind === 0) {
    const length = (width === 0 ? upper : number) + 1;
    return after + length > bytes.length ? undefined : { length, end: after + length };
  }
  const offset = kind === 1 ? (upper >> 3) * 256 + number : number;
  if (offset === 0) return undefined;
  return { length: kind === 1 ? (upper & 7) + 4 : upper + 1, offset, end: after };
}
