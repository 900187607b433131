/** Pieces of secrets: found and blanked in each encoding, and nothing else taken for one. */
import { describe, expect, it } from 'vitest';
import {
  findSecret,
  redactSecrets,
  redactTexts,
  secretForms,
} from '../../../src/guard/secrets/secrets.ts';
import { randomOf } from '../../seed.ts';

const random = randomOf('secret pieces');
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const letters = Array.from({ length: 36 }, () => alphabet[Math.floor(random() * 62)]).join('');
const secret = `ghp_${letters}`;
const forms = secretForms([secret]);

const piece = letters.slice(9, 28);
const codes = [...piece].map(c => c.charCodeAt(0));
const hex = (c: number) => c.toString(16).padStart(2, '0');
const base32 = (text: string) =>
  (
    [...Buffer.from(text)]
      .map(b => b.toString(2).padStart(8, '0'))
      .join('')
      .match(/.{5}/g) ?? []
  )
    .map(g => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(g, 2)])
    .join('');
const chunks = (size: number) => piece.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];

/** What a piece of a secret is written as. */
const written: readonly (readonly [string, string])[] = [
  ['as it is', piece],
  ['in capitals', piece.toUpperCase()],
  ['turned around', [...piece].reverse().join('')],
  ['with spaces', [...piece].join(' ')],
  ['with dots', [...piece].join('.')],
  ['over lines', chunks(4).join('\n')],
  [
    'over lines of a program',
    chunks(5)
      .map(c => `  '${c}' +`)
      .join('\n'),
  ],
  ['as a list', JSON.stringify(chunks(3))],
  ['over lines of JSON', chunks(6).join('\\n')],
  ['with zero-width spaces', [...piece].join('\u200b')],
  ['at full width', [...piece].map(c => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)).join('')],
  ['in hex', codes.map(hex).join('')],
  ['in hex with colons', codes.map(hex).join(':')],
  ['as bytes', codes.map(c => `0x${hex(c)}`).join(', ')],
  ['in escapes of C', codes.map(c => `\\x${hex(c)}`).join('')],
  ['in octal', codes.map(c => `\\${c.toString(8).padStart(3, '0')}`).join('')],
  ['in escapes of JSON', codes.map(c => `\\u00${hex(c)}`).join('')],
  ['in escapes of JavaScript', codes.map(c => `\\u{${hex(c)}}`).join('')],
  ['in a URL', codes.map(c => `%${hex(c)}`).join('')],
  ['in entities', codes.map(c => `&#${c};`).join('')],
  ['in entities of hex', codes.map(c => `&#x${hex(c)};`).join('')],
  ['as numbers', codes.join(', ')],
  ['in base64', Buffer.from(piece).toString('base64')],
  ['in base64, one on', Buffer.from(`x${piece}`).toString('base64')],
  ['in base64, two on', Buffer.from(`xy${piece}`).toString('base64')],
  ['in base64 for URLs', Buffer.from(`x${piece}`).toString('base64url')],
  ['in base64 over lines', Buffer.from(piece).toString('base64').replace(/.{7}/g, '$&\n')],
  ['in base32', base32(piece)],
  ['in base32, three on', base32(`xyz${piece}`)],
  [
    'in rot13',
    piece.replace(
      /[a-z]/gi,
      c => alphabet[(((alphabet.indexOf(c) % 26) + 13) % 26) + (c > 'Z' ? 26 : 0)] ?? c,
    ),
  ],
];

describe('a piece of a secret', () => {
  it.each(written)('is found and blanked: %s', (_name, text) => {
    // no letter or digit in front, which could happen to be the next one of the secret
    const around = `«» = …; // ${text} ;`;
    expect(findSecret(around, forms)).toBe(true);
    const blanked = redactSecrets(around, forms);
    expect(findSecret(blanked, forms)).toBe(false);
    expect(blanked).toMatch(/^«» = …; .*\*\*\*.* ;$/s);
  });

  it('is blanked in JSON that stays JSON', () => {
    const value = {
      plan: chunks(4),
      text: `"${chunks(5).join('"\n\t"')}\\`,
      kept: [1, true, null],
    };
    const blanked = redactSecrets(JSON.stringify(value), forms);
    expect(Object.keys(JSON.parse(blanked))).toHaveLength(3);
    expect(findSecret(blanked, forms)).toBe(false);
    expect(redactTexts(value, text => redactSecrets(text, forms))).toMatchObject({
      plan: value.plan,
      kept: value.kept,
    });
  });
});

describe('what is no secret', () => {
  const job = secretForms([
    secret,
    'https://pipelines.actions.githubusercontent.com/4f0c8d2e7b/idtoken/1c9a7e5b3d?api-version=2.0',
    `github_pat_11${letters}`,
  ]);
  it.each([
    ['a host of GitHub', 'https://raw.githubusercontent.com/o/r and pipelines.actions.github.com'],
    ['how tokens begin', 'A token begins with github_pat_ or ghp_, then letters follow.'],
    ['a placeholder', 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    ['a run of one letter', 'a'.repeat(60)],
    [
      'a digest',
      'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    ],
    ['an alphabet', alphabet],
    ['eight characters of one', letters.slice(0, 8)],
    ['numbers', Array.from({ length: 300 }, (_, i) => i * 37).join(', ')],
  ])('stays as it is: %s', (_name, text) => {
    expect(findSecret(text, job)).toBe(false);
    expect(redactSecrets(text, job)).toBe(text);
  });
});
