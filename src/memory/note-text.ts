/** Cleans untrusted text before it is stored: visible characters, limited length, no secrets. */
import type { Code } from '../base/codes.ts';
import { readOutside } from '../guard/content/outside-text.ts';
import { findCredentialShape } from '../guard/secrets/credential-shape.ts';

type NoteText =
  | { readonly ok: true; readonly text: string; readonly removed: number }
  | {
      readonly ok: false;
      readonly code: Extract<Code, `RECORD_${string}`>;
      readonly message: string;
    };

interface NoteLimits {
  readonly name: string;
  readonly maxBytes: number;
  readonly holdsSecret: (text: string) => boolean;
}

/**
 * Cleans a text. Searches for secrets before and after hidden characters are removed, since either form
 * could conceal one. Codes: `RECORD_SECRET`, `RECORD_TOO_LARGE`.
 */
export function cleanNote(raw: string, { name, maxBytes, holdsSecret }: NoteLimits): NoteText {
  // rejects very large texts without processing them
  if (raw.length > maxBytes * 4) return tooLarge(name, Buffer.byteLength(raw), maxBytes);
  const { text, removed } = readOutside('record', raw);
  const kept = text.trim();
  const bytes = Buffer.byteLength(kept);
  if (bytes > maxBytes) return tooLarge(name, bytes, maxBytes);
  const shape = findCredentialShape(kept);
  const holds =
    holdsSecret(raw) || holdsSecret(kept)
      ? 'a secret of this run'
      : shape && `what looks like ${shape}`;
  if (holds !== undefined)
    return { ok: false, code: 'RECORD_SECRET', message: `/${name} contains ${holds}` };
  return { ok: true, text: kept, removed };
}

function tooLarge(name: string, bytes: number, maxBytes: number): NoteText {
  const message = `/${name} has ${bytes} bytes; at most ${maxBytes} are allowed`;
  return { ok: false, code: 'RECORD_TOO_LARGE', message };
}

/** A title from the first line of a body. */
export function makeTitle(body: string, maxBytes: number): string {
  const line = (body.split('\n').find(l => l.trim() !== '') ?? '').replace(/\s+/g, ' ').trim();
  let kept = '';
  for (const character of line) {
    if (Buffer.byteLength(kept + character) > Math.min(maxBytes, 100)) return kept.trimEnd();
    kept += character;
  }
  return kept;
}
