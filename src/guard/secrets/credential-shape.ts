/** Recognises credentials by the formats that their issuers publish. */

/**
 * Before a credential stands no letter and no digit, unless they end an escape: `\n`, `\x0a`, `%0A`, or a colour of the
 * terminal.
 */
const start =
  /(?<![A-Za-z0-9])|(?<=\\[nrtbfv0]|(?:\\x|%)[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,12}m)/
    .source;

/** A shape that begins at a start; its own case counts. */
const from = (pattern: RegExp) => new RegExp(`(?:${start})${pattern.source}`);

const shapes: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ['a GitHub token', /(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/],
  ['a GitLab token', /glpat-[A-Za-z0-9_-]{20,}/],
  // a CSS class such as glrt-some-wide-column has no digits
  [
    'a GitLab token',
    from(/gl(?:rt|dt|cbt|ptt|ft|imt|agent|soat)-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}/),
  ],
  ['a GitLab token', from(/GR1348941[A-Za-z0-9_-]{20}/)],
  ['an AWS access key', from(/(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/)],
  ['an Azure account key', /AccountKey=[A-Za-z0-9+/]{86}==/],
  ['an Azure shared access signature', /\bs[epv]=[^\s"'<>]*?\bsig=[A-Za-z0-9%+/]{40,}/],
  ['a Slack token', /xox[abeoprs]-\d[A-Za-z0-9-]{9,}/],
  ['a Slack token', from(/xapp-\d-[A-Z0-9]{8,}-\d+-[A-Za-z0-9]{40,}/)],
  [
    'a Slack webhook',
    /hooks\.slack\.com\/services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{16,}/,
  ],
  ['a Google API key', from(/AIza[A-Za-z0-9_-]{35}/)],
  ['a Google access token', from(/ya29\.[A-Za-z0-9_-]{20,}/)],
  ['a Stripe key', from(/[rs]k_live_[A-Za-z0-9]{20,}/)],
  ['a SendGrid key', from(/SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{40,}/)],
  // a CSS class such as sk-folding-cube-wrapper has no digits
  ['an API key', from(/sk-(?=[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*\d)(?:[a-z]+-)*[A-Za-z0-9_-]{20,}/)],
  // an identifier such as hf_autoModelForTasks changes its case less often
  [
    'a Hugging Face token',
    from(/(?:hf|api_org)_(?=(?:[a-z]*[A-Z]){8})(?=(?:[A-Z]*[a-z]){8})[A-Za-z]{34}(?![A-Za-z0-9_])/),
  ],
  ['an npm token', /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/],
  ['a PyPI token', /pypi-AgE[A-Za-z0-9_-]{50,}/],
  ['a signed web token', /eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  [
    'a password in an address',
    /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{1,100}:[^\s/@]{3,100}@[^\s/:]+/i,
  ],
];

/** The kind of credential that a text appears to contain, or undefined. */
export function findCredentialShape(text: string): string | undefined {
  return shapes.find(([, pattern]) => pattern.test(text))?.[0];
}

/**
 * The kind of credential that added lines contain. Ignores documentation examples, placeholders, key
 * headers without a key, and passwords of databases on the local machine.
 * @param before the text before the change; a credential in it is not new.
 */
export function findNewCredential(added: string, before: string): string | undefined {
  for (const { kind, text } of shapesIn(added)) if (!before.includes(text)) return kind;
  return undefined;
}

/** The texts that have the form of a credential, without the dummies; of a private key its header alone. */
export function credentialShapesIn(text: string): readonly string[] {
  return [...shapesIn(text)].map(found => found.text);
}

function* shapesIn(whole: string): Generator<{ readonly kind: string; readonly text: string }> {
  for (const [kind, pattern] of shapes)
    for (const found of whole.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      const [text] = found;
      const around = whole.slice(found.index, found.index + text.length + 200);
      if (!isDummy(kind, text, around)) yield { kind, text };
    }
}

/** True for a value that stands for the real one. */
export function isPlaceholder(value: string): boolean {
  return isMadeUp(value) || new Set(value).size < 5;
}

const placeholder = /example|dummy|fake|placeholder|changeme|redacted|your|1234567|abcdefg/i;
const gap = /<|[${]\{|%s|\*{3}|x{6}|\.{3}|0{8}/i;
const isMadeUp = (text: string) => placeholder.test(text) || gap.test(text);
/** The example token of jwt.io: `{"sub":"1234567890"`. */
const exampleToken = 'eyJzdWIiOiIxMjM0NTY3ODkw';
const ownMachine = /@(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|[a-z][a-z0-9_-]*)$/i;
const anyPassword = /:(?:pass(?:word|wd)?|postgres|root|secret|admin|user|test|guest|pw|pwd)@/i;

function isDummy(kind: string, found: string, around: string): boolean {
  if (kind === 'a private key')
    // a header without key data, as in documentation and in code that parses keys
    return !/^[^\n]*?-----(?:\s|\\n|["'+])*(?:[A-Za-z0-9+/=]{40,})/.test(
      around.replace(/^-----BEGIN/, ''),
    );
  if (isMadeUp(found) || found.includes(exampleToken)) return true;
  if (kind === 'a password in an address') return ownMachine.test(found) || anyPassword.test(found);
  // made-up values repeat few characters: aaaa…, abab…
  return new Set(found.slice(6)).size < 8;
}
