/** A text file as lines, with all that is needed to write it back byte for byte. */

import { isUtf8 } from 'node:buffer';

export type Terminator = '\n' | '\r\n' | '';

/** Lines without their terminators; the terminator of each; a byte order mark in front or not. */
export interface TextFile {
  readonly bom: boolean;
  readonly lines: readonly string[];
  /** As many as lines; only the last may be empty (no newline at the end of the file). */
  readonly terminators: readonly Terminator[];
}

/** Reads UTF-8 text; anything else (invalid UTF-8, a NUL byte) is binary. An empty file has no lines. */
export function parseTextFile(bytes: Uint8Array): TextFile | 'binary' {
  if (bytes.includes(0) || !isUtf8(bytes)) return 'binary';
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const bom = text.startsWith('\uFEFF');
  return { bom, ...splitLines(bom ? text.slice(1) : text) };
}

/** The exact inverse of parseTextFile. */
export function renderTextFile(file: TextFile): Uint8Array {
  const text = file.lines.map((line, i) => line + (file.terminators[i] ?? '')).join('');
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
