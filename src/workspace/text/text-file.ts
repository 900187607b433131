/** A text file as lines, with everything needed to write it back byte for byte. */
import { isUtf8 } from 'node:buffer';

export type Terminator = '\n' | '\r\n' | '';

/** The lines without terminators, the terminator of each line, and whether the file has a byte order mark. */
export interface TextFile {
  /** Set when the file is not UTF-8; each byte maps to one character, so that no byte is lost. */
  readonly encoding?: 'latin1';
  readonly bom: boolean;
  readonly lines: readonly string[];
  /** One for each line; only the last can be empty (no newline at the end of the file). */
  readonly terminators: readonly Terminator[];
}

/** Control characters that occur in binary files, but not in UTF-8 or Latin-1 text. */
const binaryControls = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** True for UTF-8 text, which JSON and a diff can contain unchanged. */
export function isUtf8Text(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

/** The characters of UTF-8 text, or else of Latin-1 text without binary control characters. */
export function decodeText(
  bytes: Uint8Array,
): { readonly encoding: 'utf8' | 'latin1'; readonly text: string } | 'binary' {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8Text(bytes)) return { encoding: 'utf8', text: buffer.toString('utf8') };
  const text = buffer.toString('latin1');
  return binaryControls.test(text) ? 'binary' : { encoding: 'latin1', text };
}

/** Parses UTF-8 text, or else Latin-1 text without binary control characters. An empty file has no lines. */
export function parseTextFile(bytes: Uint8Array): TextFile | 'binary' {
  const read = decodeText(bytes);
  if (read === 'binary') return read;
  const { text } = read;
  if (read.encoding === 'latin1') return { encoding: 'latin1', bom: false, ...splitLines(text) };
  const bom = text.startsWith('\uFEFF');
  return { bom, ...splitLines(bom ? text.slice(1) : text) };
}

/** The first character that the encoding of the file cannot represent, or undefined. */
export function findUnwritable({ encoding, lines }: TextFile): string | undefined {
  return encoding === undefined ? undefined : /[^\0-\xff]/u.exec(lines.join(''))?.[0];
}

/** The exact inverse of `parseTextFile`, for a file whose characters its encoding can represent. */
export function renderTextFile(file: TextFile): Uint8Array {
  const text = file.lines.map((line, i) => line + (file.terminators[i] ?? '')).join('');
  if (file.encoding !== undefined) return Buffer.from(text, file.encoding);
  return Buffer.from((file.bom ? '\uFEFF' : '') + text, 'utf8');
}

/** Splits at LF and CRLF; a lone CR is part of its line, as in git. */
export function splitLines(text: string): Pick<TextFile, 'lines' | 'terminators'> {
  const lines: string[] = [];
  const terminators: Terminator[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const crlf = end > start && text[end - 1] === '\r';
    lines.push(text.slice(start, end < 0 ? text.length : crlf ? end - 1 : end));
    terminators.push(end < 0 ? '' : crlf ? '\r\n' : '\n');
    if (end < 0) break;
    start = end + 1;
  }
  return { lines, terminators };
}

/** The most frequent terminator of a file; LF when it has none. */
export function dominantTerminator(file: TextFile): '\n' | '\r\n' {
  const crlf = file.terminators.filter(t => t === '\r\n').length;
  const lf = file.terminators.filter(t => t === '\n').length;
  return crlf > lf ? '\r\n' : '\n';
}
