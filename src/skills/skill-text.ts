/** The bytes of a SKILL.md: where its front matter ends, and whether they are text that may be shown. Pure. */
import { findHiddenCharacter } from '../guard/hidden-text.ts';
import { invalid } from './boundary.ts';

/** Most bytes of a SKILL.md, and of its front matter. */
export const maxSkillBytes = 256 * 1024;
export const maxBoundaryBytes = 16 * 1024;

/** Where the front matter ends, in bytes; null when its end is not among them. */
export function findBoundaryEnd(bytes: Uint8Array): number | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // the mark that gray-matter looks for: a line that begins with it
  const mark = buffer.indexOf('\n---', 3);
  if (mark < 0) return null;
  const end = buffer.indexOf('\n', mark + 4);
  return end < 0 ? buffer.length : end + 1;
}

/**
 * Bytes as text.
 * @throws PhotonError `SKILL_INVALID` for what is not UTF-8, NUL, and characters that nobody sees.
 */
export function decodeVisible(bytes: Uint8Array, path: string): string {
  const text = decode(bytes, path);
  if (text.includes('\0')) throw invalid(`${path}: file: holds a NUL character; expected text`);
  const hidden = findHiddenCharacter(text);
  if (hidden !== null)
    throw invalid(
      `${path}: line ${hidden.line}: holds the hidden character ${hidden.codePoint}; expected visible text`,
    );
  return text;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(`${path}: file: is not UTF-8`);
  }
}

/** Refuses a SKILL.md by its size alone. Throws PhotonError `SKILL_INVALID`. */
export function requireSize(size: number, path: string): void {
  if (size > maxSkillBytes)
    throw invalid(`${path}: file: ${size} bytes; at most ${maxSkillBytes} are read`);
}
