/** What the text and the fields of a comment alone say. Pure. */
import { createHash } from 'node:crypto';
import type { CodeLocation } from '../../../base/task.ts';

/** A mark of Photon's. A text with a mark was posted by Photon and is no command, whatever account posted it. */
export const ownMark = /<!-- photon:[a-z]+=/;

/** Short digest of a comment's text. */
export function textDigest(body: string): string {
  return createHash('sha256').update(body.replace(/\r\n?/g, '\n')).digest('hex').slice(0, 16);
}

/** Location of a review comment; undefined for comments that are not about a file. */
export function findLocation(comment: {
  readonly path?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly start_line?: number | null | undefined;
}): CodeLocation | undefined {
  const { path, line: end, start_line: start } = comment;
  if (path == null) return undefined;
  return { path, startLine: start ?? end ?? null, endLine: end ?? null };
}
