/** Finds and redacts known secrets in text: whole, in pieces, and in common encodings. */
import {
  base64At,
  findPieces,
  type SecretPieces,
  secretPart,
  secretPieces,
} from './secret-pieces.ts';

/** Search terms made from the secrets of a run. */
export interface SecretForms {
  /** Every form to redact, longest first. */
  readonly forms: readonly string[];
  /** Substrings of each plain value, so that a truncated secret is found as well. */
  readonly windows: ReadonlySet<string>;
  /** Pieces in other encodings, which may be split by other characters. */
  readonly pieces: SecretPieces;
}

const shortest = 6;
const windowSize = 12;

/** Prepares the search. Ignores values shorter than six characters: redacting them would make logs unreadable. */
export function secretForms(secrets: readonly string[]): SecretForms {
  const values = [...new Set(secrets.flatMap(s => [s.trim(), ...longLines(s)]))].filter(
    s => s.length >= shortest,
  );
  const forms = [...new Set(values.flatMap(listEncodings))].sort((a, b) => b.length - a.length);
  const windows = new Set(values.flatMap(listWindows));
  return { forms, windows, pieces: secretPieces(values) };
}

/**
 * Redacts every form and every piece of each secret. Keeps the characters between the parts of a piece,
 * so that JSON stays valid.
 */
export function redactSecrets(text: string, secrets: SecretForms, blank = '***'): string {
  const whole = secrets.forms.reduce(
    (out, form) => (out.includes(form) ? out.replaceAll(form, blank) : out),
    text,
  );
  let out = '';
  let from = 0;
  for (const [start, end] of findPieces(whole, secrets.pieces)) {
    out += whole.slice(from, start) + blank;
    from = end;
  }
  return out + whole.slice(from);
}

/** Returns a copy with every string value redacted; field names stay. */
export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map(v => redactTexts(v, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, v]) => [name, redactTexts(v, redact)]),
  ) as T;
}

/** True when a text contains a secret in one of its forms, or about twelve characters of one. */
export function findSecret(text: string, { forms, windows, pieces }: SecretForms): boolean {
  if (forms.some(form => text.includes(form))) return true;
  for (let i = 0; i + windowSize <= text.length; i++) {
    if (windows.has(text.slice(i, i + windowSize))) return true;
  }
  return findPieces(text, pieces).length > 0;
}

function longLines(secret: string): string[] {
  return secret
    .split(/\r?\n/)
    .map(l => l.trim())
    .filter(l => l.length >= windowSize);
}

function listWindows(whole: string): string[] {
  // a host name occurs in many texts; the rest of a URL may be secret
  const value = /^[a-z][a-z0-9+.-]*:\/\//i.test(whole) ? secretPart(whole) : whole;
  const windows: string[] = [];
  for (let i = 0; i + windowSize <= value.length; i++) windows.push(value.slice(i, i + windowSize));
  return windows;
}

function listEncodings(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const reversed = [...value].reverse().join('');
  const json = JSON.stringify(value).slice(1, -1);
  return [
    value,
    ...base64Forms(bytes),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(value),
    json,
    reversed,
  ];
}

function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap(shift => {
    const core = base64At(bytes, shift);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
