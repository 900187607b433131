/** Decodes a SKILL.md: finds the end of its front matter and rejects hidden characters. */
import { decodePolicyText } from '../guard/policy/policy-text.ts';
import { invalid } from './skill.ts';

/** Maximum bytes of a SKILL.md, and of its front matter. */
const maxSkillBytes = 256 * 1024;
export const maxBoundaryBytes = 16 * 1024;

/** Names of the file of a skill; where both are there, the first one counts. */
const fileNames = ['SKILL.md', 'skill.md'] as const;

/** True for the path of a SKILL.md, or of a skill.md. */
export function isSkillFile(path: string): boolean {
  return fileNames.some(name => path === name || path.endsWith(`/${name}`));
}

/** The paths of these that are the file of a skill, one of a folder. */
export function findSkillFiles(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return paths.filter(path => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return fileNames.find(name => all.has(folder + name)) === path.slice(folder.length);
  });
}

/** Byte offset where the front matter ends; undefined when these bytes do not contain the end. */
export function findBoundaryEnd(bytes: Uint8Array): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // gray-matter ends the front matter at a line that begins with this mark
  const mark = buffer.indexOf('\n---', 3);
  if (mark < 0) return undefined;
  const end = buffer.indexOf('\n', mark + 4);
  return end < 0 ? buffer.length : end + 1;
}

/**
 * Decodes text, without its byte order mark.
 * @throws PhotonError `SKILL_INVALID` for other encodings than UTF-8, NUL and hidden characters.
 */
export function decodeVisible(bytes: Uint8Array, path: string): string {
  try {
    return decodePolicyText(bytes, path).replace(/^\ufeff/, '');
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

/** Refuses a SKILL.md that is too large. Throws PhotonError `SKILL_INVALID`. */
export function requireSize(size: number, path: string): void {
  if (size > maxSkillBytes)
    throw invalid(`${path}: file: ${size} bytes; at most ${maxSkillBytes} are allowed`);
}
