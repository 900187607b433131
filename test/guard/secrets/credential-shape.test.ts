/** Credentials that their shape gives away in added lines. */
import { describe, expect, it } from 'vitest';
import { findNewCredential } from '../../../src/guard/secrets/credential-shape.ts';
import { some } from '../credentials.ts';

const capitals = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

describe('a credential in added lines', () => {
  const body = `${some(64)}\n${some(64)}`;
  it.each([
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`],
    ['a private key', `key = "-----BEGIN PRIVATE KEY-----\\n${some(64)}\\n"`],
    ['a GitHub token', `token: ghp_${some(36)}`],
    ['a GitHub token', `github_pat_${some(22)}_${some(59)}`],
    ['a GitLab token', `glpat-${some(20)}`],
    ['an AWS access key', `AKIA${some(16, capitals).toUpperCase()}`],
    ['a Slack token', `xoxb-83724619283-${some(24)}`],
    ['a Google API key', `AIza${some(35)}`],
    ['a Stripe key', `sk_live_${some(24)}`],
    ['an API key', `sk-proj-${some(40)}`],
    ['an npm token', `npm_${some(36)}`],
    ['a signed web token', `eyJ${some(20)}.eyJ${some(20)}.${some(20)}`],
    ['a password in an address', `postgres://shop:${some(12)}@db.shop.net/orders`],
  ])('is seen: %s', (kind, text) => {
    expect(findNewCredential(`const a = '${text}';`, '')).toBe(kind);
    expect(findNewCredential(text, `moved: ${text}`)).toBeUndefined();
  });

  it.each([
    ['the example of AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['a placeholder', 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    ['a placeholder of words', 'sk-your-api-key-goes-here-123'],
    ['zeros', `ghp_${'0'.repeat(36)}`],
    ['a pattern', `ghp_${'aB3'.repeat(12)}`],
    ['the alphabet', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['a style', '.sk-folding-cube-container-wrapper {'],
    ['a test key of Stripe', 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'],
    [
      'the example of jwt.io',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fw',
    ],
    [
      'code that reads keys',
      "if (text.includes('-----BEGIN PRIVATE KEY-----')) return parse(text);",
    ],
    [
      'documentation of keys',
      '-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----',
    ],
    ['a local database', 'postgres://app:s3cretWord@localhost:5432/app'],
    ['a database of compose', 'postgres://app:s3cretWord@db:5432/app'],
    ['an address to fill in', `https://user:\${TOKEN}@example.com/`],
    ['a digest', 'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kx=='],
    ['a commit', '3f786850e387550fdab836ed7e6dc881de23001b'],
    ['an address with a port', 'http://example.com:8080/a@b'],
  ])('is not seen in %s', (_name, text) => {
    expect(findNewCredential(text, '')).toBeUndefined();
  });
});
