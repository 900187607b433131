/** Finds and redacts known secrets in text: whole, in pieces, and in common encodings. */

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

/** The pieces to search for among the lower-case letters and digits of a text, by length. */
interface SecretPieces {
  readonly byLength: ReadonlyMap<number, ReadonlySet<string>>;
  /** The beginnings of all pieces, so that one look-up rules out most positions. */
  readonly heads: ReadonlySet<string>;
}

/** Part of a text: start offset, and end offset (exclusive). */
type Range = readonly [number, number];

const headSize = 6;
/** About twelve characters of a secret in each encoding: long enough to rule out chance matches. */
const sizes = { plain: 12, base64: 16, base32: 20, hex: 24, decimal: 24 } as const;

/** Prepares the search for pieces of these values. */
function secretPieces(values: readonly string[]): SecretPieces {
  const byLength = new Map<number, Set<string>>();
  const add = (encoded: string, size: number) => {
    const { letters } = collectLetters(encoded, false);
    const pieces = byLength.get(size) ?? new Set();
    byLength.set(size, pieces);
    for (let i = 0; i + size <= letters.length; i++) {
      const piece = letters.slice(i, i + size);
      // runs of a few characters occur in many texts
      if (new Set(piece).size >= 4) pieces.add(piece);
    }
  };
  for (const value of values.map(secretPart)) {
    const bytes = Buffer.from(value, 'utf8');
    for (const plain of [value, [...value].reverse().join(''), rotate(value)])
      add(plain, sizes.plain);
    for (const shift of [0, 1, 2]) add(base64At(bytes, shift), sizes.base64);
    for (const shift of [0, 1, 2, 3, 4]) add(base32At(bytes, shift), sizes.base32);
    add(bytes.toString('hex'), sizes.hex);
    add([...bytes].join(''), sizes.decimal);
  }
  const all = [...byLength.values()].flatMap(pieces => [...pieces]);
  return { byLength, heads: new Set(all.map(p => p.slice(0, headSize))) };
}

/** The value without its public parts: the host of a URL, the prefix that the issuer gives every token. */
function secretPart(value: string): string {
  return value
    .replace(/^[a-z][a-z0-9+.-]*:\/\/(?:([^/@\s]*)@)?[^/?#\s]+/i, '$1')
    .replace(/^(?:github_pat_|gh[a-z]_|glpat-|npm_|xox[a-z]-|sk-(?:[a-z]+\d*-)*)/, '');
}

/** The ranges of a text that belong to a piece of a secret; characters in between are left out. */
function findPieces(text: string, { byLength, heads }: SecretPieces): readonly Range[] {
  if (heads.size === 0) return [];
  const { letters, starts, ends } = collectLetters(text, true);
  const ranges: [number, number][] = [];
  let done = 0;
  for (let i = 0; i + sizes.plain <= letters.length; i++) {
    if (!heads.has(letters.slice(i, i + headSize))) continue;
    const size = [...byLength].find(([n, pieces]) => pieces.has(letters.slice(i, i + n)))?.[0] ?? 0;
    for (done = Math.max(done, i); done < i + size; done++) {
      const [start, end] = [starts[done] ?? 0, ends[done] ?? 0];
      const last = ranges.at(-1);
      if (last?.[1] === start) last[1] = end;
      else ranges.push([start, end]);
    }
  }
  return ranges;
}

interface Letters {
  /** Letters and digits in lower case. */
  readonly letters: string;
  /** Start offset of each in the text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Escapes that stand for a character, with the base of their number; those without one are skipped. */
const escapeForms: readonly (readonly [RegExp, base?: number])[] = [
  [/\\u\{([0-9a-f]{1,6})\}/, 16],
  [/\\u([0-9a-f]{4})/, 16],
  [/\\x([0-9a-f]{2})/, 16],
  [/%([0-9a-f]{2})/, 16],
  [/&#x([0-9a-f]{1,6});/, 16],
  [/&#([0-9]{1,7});/, 10],
  [/\\([0-3][0-7]{2})/, 8],
  [/0x(?=[0-9a-f]{2}(?![0-9a-z]))/],
  [/\\[nrtbfv]/],
];
const escapes = new RegExp(escapeForms.map(([form]) => form.source).join('|'), 'iy');
const bases = escapeForms.flatMap(([, base]) => base ?? []);

/** The letters and digits of a text; `decode` resolves the escapes of JSON, C, URLs and HTML. */
function collectLetters(text: string, decode: boolean): Letters {
  const letters: string[] = [];
  const [starts, ends]: [number[], number[]] = [[], []];
  const add = (code: number, from: number, to: number) => {
    const letter = normaliseLetter(code);
    if (letter === '') return;
    letters.push(letter);
    starts.push(from);
    ends.push(to);
  };
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const written = decode && mayEscape(code) ? escapeAt(text, at) : undefined;
    const size = written?.size ?? (code > 0xffff ? 2 : 1);
    if (written === undefined) add(code, at, at + size);
    else if (written.code !== undefined) add(written.code, at, at + size);
    at += size;
  }
  return { letters: letters.join(''), starts, ends };
}

/** `\`, `%`, `&` or `0`. */
function mayEscape(code: number): boolean {
  return code === 0x5c || code === 0x25 || code === 0x26 || code === 0x30;
}

function escapeAt(
  text: string,
  at: number,
): { size: number; code: number | undefined } | undefined {
  escapes.lastIndex = at;
  const found = escapes.exec(text);
  if (found === null) return undefined;
  const group = found.findIndex((g, i) => i > 0 && g !== undefined);
  const code = group < 0 ? undefined : Number.parseInt(found[group] ?? '', bases[group - 1]);
  return { size: found[0].length, code };
}

/** A letter or digit in lower case, without its width or style; empty for any other character. */
function normaliseLetter(code: number): string {
  if (code < 0x80) {
    if (code >= 0x41 && code <= 0x5a) return String.fromCharCode(code + 32);
    const isLetter = (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a);
    return isLetter ? String.fromCharCode(code) : '';
  }
  if (code > 0x10ffff) return '';
  const plain = String.fromCodePoint(code).normalize('NFKC').toLowerCase();
  return /^[a-z0-9]$/.test(plain) ? plain : /^[\p{L}\p{N}]/u.test(plain) ? (plain[0] ?? '') : '';
}

function rotate(value: string): string {
  return value.replace(/[a-z]/gi, c => {
    const base = c <= 'Z' ? 65 : 97;
    return String.fromCharCode(((c.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** The Base64 of a value at one of three offsets inside a longer text, without the characters it shares with its neighbours. */
function base64At(bytes: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}

/** The Base32 (RFC 4648) of a value at one of five offsets inside a longer text. */
function base32At(bytes: Buffer, shift: number): string {
  const bits = [...Buffer.concat([Buffer.alloc(shift), bytes])]
    .map(b => b.toString(2).padStart(8, '0'))
    .join('');
  const groups = bits.match(/.{5}/g) ?? [];
  const encoded = groups.map(g => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(g, 2)]);
  return encoded.slice(Math.ceil((shift * 8) / 5)).join('');
}
