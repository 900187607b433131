/** What can be told from the words and fields of a comment alone. Pure. */
import { createHash } from 'node:crypto';
import type { CodeLocation } from '../../task.ts';

/** Marks of Photon's own: what it posted itself is no command, whoever's name it stands under. */
export const ownMark = /<!-- photon:[a-z]+=/;

/** Short digest of a comment's words. */
export function wordsDigest(body: string): string {
  return createHash('sha256').update(body.replace(/\r\n?/g, '\n')).digest('hex').slice(0, 16);
}

/** Where a comment of a review stands; null for comments that stand at no file. */
export function placeOf(comment: {
  readonly path?: string | undefined;
  readonly line?: number | null | undefined;
  readonly start_line?: number | null | undefined;
}): CodeLocation | null {
  const { path, line: end = null, start_line: start = null } = comment;
  if (path === undefined) return null;
  return { path, startLine: start ?? end, endLine: end };
}
