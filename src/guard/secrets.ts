/** Known secret values found in text, in the encodings that hide them (THREATS T19). */

/** Needles made from the secrets of a run. */
export interface SecretForms {
  /** Every form that is blanked, longest first. */
  readonly forms: readonly string[];
  /** Windows of each plain value: a clipped secret is found, too. */
  readonly windows: ReadonlySet<string>;
}

const shortest = 6;
const windowSize = 12;

/** Prepares the needles. Values shorter than six characters are left out: they would blank the log. */
export function secretForms(secrets: readonly string[]): SecretForms {
  const values = [...new Set(secrets.flatMap(s => [s.trim(), ...longLines(s)]))].filter(
    s => s.length >= shortest,
  );
  const forms = [...new Set(values.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const windows = new Set(values.flatMap(windowsOf));
  return { forms, windows };
}

/** Text with every form of every secret blanked. */
export function redactSecrets(text: string, { forms }: SecretForms, blank = '***'): string {
  return forms.reduce(
    (out, form) => (out.includes(form) ? out.replaceAll(form, blank) : out),
    text,
  );
}

/** True when a text holds a secret in one of its forms, or twelve characters of one in a row. */
export function findSecret(text: string, { forms, windows }: SecretForms): boolean {
  if (forms.some(form => text.includes(form))) return true;
  if (windows.size === 0) return false;
  for (let i = 0; i + windowSize <= text.length; i++) {
    if (windows.has(text.slice(i, i + windowSize))) return true;
  }
  return false;
}

function longLines(secret: string): string[] {
  return secret.includes('\n')
    ? secret
        .split(/\r?\n/)
        .map(l => l.trim())
        .filter(l => l.length >= windowSize)
    : [];
}

function windowsOf(value: string): string[] {
  const windows: string[] = [];
  for (let i = 0; i + windowSize <= value.length; i++) windows.push(value.slice(i, i + windowSize));
  return windows;
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const reversed = [...value].reverse().join('');
  const json = JSON.stringify(value).slice(1, -1);
  const forms = [
    value,
    ...base64Forms(bytes),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(value),
    json,
    reversed,
  ];
  return forms.filter(f => f.length >= shortest);
}

/** Base64 of a value at each of the three places it can start in a longer text, edges left out. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap(shift => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    const core = encoded.slice(start, end);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
