/** A text file as lines, with all that is needed to write it back byte for byte. */

import { isUtf8 } from 'node:buffer';

export type Terminator = '\n' | '\r\n' | '';

/** Lines without their terminators; the terminator of each; a byte order mark in front or not. */
export interface TextFile {
  /** Given where the file is no UTF-8: each byte is the character of its number, so that all come back. */
  readonly encoding?: 'latin1';
  readonly bom: boolean;
  readonly lines: readonly string[];
  /** As many as lines; only the last may be empty (no newline at the end of the file). */
  readonly terminators: readonly Terminator[];
}

/** Bytes that no text holds in UTF-8 or in Latin-1 and its kin: a program, a picture, a packed file. */
const unwritten = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** True for bytes that are text in UTF-8, which is what JSON and a diff can hold as they are. */
export function isUtf8Text(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

/** Reads text: UTF-8, or else Latin-1 where no control character speaks against it. An empty file has no lines. */
export function parseTextFile(bytes: Uint8Array): TextFile | 'binary' {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8Text(bytes)) {
    const latin = buffer.toString('latin1');
    if (unwritten.test(latin)) return 'binary';
    return { encoding: 'latin1', bom: false, ...splitLines(latin) };
  }
  const text = buffer.toString('utf8');
  const bom = text.startsWith('\uFEFF');
  return { bom, ...splitLines(bom ? text.slice(1) : text) };
}

/** The first character that the encoding of a file cannot hold; null when it holds all. */
export function findUnwritable({ encoding, lines }: TextFile): string | null {
  return encoding === undefined ? null : (/[^\0-\xff]/u.exec(lines.join(''))?.[0] ?? null);
}

/** The exact inverse of parseTextFile, for a file that holds nothing unwritable. */
export function renderTextFile(file: TextFile): Uint8Array {
  const text = file.lines.map((line, i) => line + (file.terminators[i] ?? '')).join('');
  if (file.encoding !== undefined) return Buffer.from(text, file.encoding);
  return Buffer.from((file.bom ? '\uFEFF' : '') + text, 'utf8');
}

/** Splits at LF and CRLF; a lone CR is part of its line, as git sees it. */
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

/** The terminator that most lines of a file have; LF when it has none. */
export function dominantTerminator(file: TextFile): '\n' | '\r\n' {
  const crlf = file.terminators.filter(t => t === '\r\n').length;
  const lf = file.terminators.filter(t => t === '\n').length;
  return crlf > lf ? '\r\n' : '\n';
}
