/** Text that looks like a credential, whoever's it is: forms that their issuers publish. */

const shapes: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/],
  ['a GitHub token', /\b(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})\b/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}/],
  ['an API key', /\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a signed web token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
  ['a password in an address', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]{1,100}:[^\s/@]{3,100}@/i],
];

/** What kind of credential a text seems to hold; null when none is seen. */
export function findCredentialShape(text: string): string | null {
  return shapes.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
