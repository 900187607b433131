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
    ['an Azure account key', `AccountName=shop;AccountKey=${some(86)}==;Suffix=x`],
    [
      'an Azure shared access signature',
      `https://shop.blob.core.windows.net/a?sv=2024-11-04&se=2026-12-01&sig=${some(43)}%3D`,
    ],
    ['a password in an address', `postgres://shop:${some(12)}@db.shop.net/orders`],
  ])('is seen: %s', (kind, text) => {
    expect(findNewCredential(`const a = '${text}';`, '')).toBe(kind);
    expect(findNewCredential(text, `moved: ${text}`)).toBeUndefined();
  });

  const tokens = [
    ['a GitHub token', `ghp_${some(36)}`],
    ['a GitHub token', `github_pat_${some(22)}_${some(59)}`],
    ['a GitLab token', `glpat-${some(20)}`],
    ...['rt', 'dt', 'ft', 'imt', 'soat'].map(
      kind => ['a GitLab token', `gl${kind}-${some(20)}7`] as const,
    ),
    ['a GitLab token', `glcbt-64_${some(20)}`],
    ['a GitLab token', `glptt-${some(40, '0123456789abcdef')}`],
    ['a GitLab token', `glagent-${some(50)}`],
    ['a GitLab token', `GR1348941${some(20)}`],
    ...['AKIA', 'ABIA', 'ACCA'].map(
      kind => ['an AWS access key', `${kind}${some(16, capitals).toUpperCase()}`] as const,
    ),
    [
      'a Slack token',
      `xapp-1-A0${some(9, capitals).toUpperCase()}-83724619283-${some(64, '0123456789abcdef')}`,
    ],
    ['a Slack token', `xoxb-83724619283-${some(24)}`],
    ['a Google API key', `AIza${some(35)}`],
    ['a Google access token', `ya29.${some(60)}`],
    ['a Stripe key', `sk_live_${some(24)}`],
    ['a SendGrid key', `SG.${some(22)}.${some(43)}`],
    ['an API key', `sk-proj-${some(40)}`],
    ['a Hugging Face token', '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'],
    ['a Hugging Face token', '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'],
    ['an npm token', `npm_${some(36)}`],
    ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${some(60)}`],
    ['a signed web token', `eyJ${some(20)}.eyJ${some(20)}.${some(20)}`],
  ] as const;
  const befores = [
    'A=1\\n',
    '\\t',
    '\\u000a',
    '\\x0a',
    '%0A',
    '\u001b[31m',
    'MY_',
    '"',
    '=',
    '',
    '\n',
  ];
  const afters = ['', '\\n', '"', '\u001b[0m', ' and so on', '&x=1', '</td>'];

  it.each(tokens)(
    'is seen after an escape, a word and a colour, and before them: %s',
    (kind, token) => {
      const missed = befores.flatMap(before =>
        afters
          .filter(after => findNewCredential(before + token + after, '') !== kind)
          .map(after => [before, after]),
      );
      expect(missed).toEqual([]);
    },
  );

  it('is not seen inside words, digests and encoded bytes', () => {
    const digits = some(4_000, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
    const texts = [
      digits,
      digits.toUpperCase(),
      Buffer.from(digits).toString('hex'),
      `the task-0a1b2c3d4e5f6a7b8c9d0e1f and disk-2026-11-27-0123456789abcdef`,
      'shelf_qWmXeRtYuIoPaSdFgHjKlZcVbNpLkJhGfD',
    ];
    for (const text of texts)
      expect(findNewCredential(text, ''), text.slice(0, 80)).toBeUndefined();
  });

  it.each([
    ['the example of AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['a placeholder', 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    ['a placeholder of words', 'sk-your-api-key-goes-here-123'],
    ['zeros', `ghp_${'0'.repeat(36)}`],
    ['a pattern', `ghp_${'aB3'.repeat(12)}`],
    ['the alphabet', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['an image', 'images/2019/hugs-xoxo-indieweb-1.jpg'],
    ['an identifier', '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'],
    ['an identifier in camel case', 'hf_autoModelForSequenceClassificationX'],
    ['a style of GitLab', '.glrt-folding-cube-container-wrapper {'],
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
