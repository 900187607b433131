/** A plan that waits for approval: sealed into the comment that shows it, and opened again by its digest. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Plan } from '../../outcome.ts';
import type { Task } from '../../task.ts';

/** All that an approval is about: what was asked, what is planned, and on which commit. */
export interface WaitingPlan {
  readonly task: Task;
  readonly plan: Plan;
  readonly baseCommit: string;
}

export interface Seal {
  /** Twenty hexadecimal digits; only who holds the key can make one. */
  readonly digest: string;
  /** Hidden mark of the comment. */
  readonly mark: string;
}

/** Where the comment stands: a seal is good there alone. */
export interface SealPlace {
  readonly key: string;
  readonly repository: string;
  readonly number: number;
}

const maxEncoded = 40_000;
const maxDecoded = 1_000_000;
const marked = /<!-- photon:plan=([A-Za-z0-9_-]{1,40000}) -->/;

/**
 * Seals a plan. The digest is keyed (by a secret that only runs of Photon here hold), so that no
 * comment of another bot, and nobody who edits Photon's, can make one for another plan. Null when it
 * is too long for a comment.
 */
export function sealPlan(waiting: WaitingPlan, place: SealPlace): Seal | null {
  const encoded = deflateRawSync(JSON.stringify(waiting)).toString('base64url');
  if (encoded.length > maxEncoded) return null;
  return { digest: digestOf(encoded, place), mark: `<!-- photon:plan=${encoded} -->` };
}

/** The plan in a comment when it has this digest in this place; null otherwise. */
export function openPlan(body: string, digest: string, place: SealPlace): WaitingPlan | null {
  const encoded = marked.exec(body)?.[1];
  if (encoded === undefined || !/^[0-9a-f]{20}$/.test(digest)) return null;
  const made = Buffer.from(digestOf(encoded, place));
  if (!timingSafeEqual(made, Buffer.from(digest))) return null;
  // sealed by this very program: the seal was looked at first
  const text = inflateRawSync(Buffer.from(encoded, 'base64url'), { maxOutputLength: maxDecoded });
  return JSON.parse(text.toString('utf8')) as WaitingPlan;
}

function digestOf(encoded: string, { key, repository, number }: SealPlace): string {
  return createHmac('sha256', createHmac('sha256', key).update('photon plan seal').digest())
    .update(`photon-plan:1\0${repository}\0${number}\0${encoded}`)
    .digest('hex')
    .slice(0, 20);
}
