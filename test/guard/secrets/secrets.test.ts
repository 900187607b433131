import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findSecret,
  redactSecrets,
  redactTexts,
  secretForms,
} from '../../../src/guard/secrets/secrets.ts';
import { randomOf } from '../../seed.ts';

describe('secrets', () => {
  it('shorter than six characters are left alone, in every form', () => {
    const { forms, windows } = secretForms(['abcde', ' a ']);
    expect([forms, windows.size]).toEqual([[], 0]);
    expect(secretForms(['abcdef']).forms).toContain('abcdef');
    expect(secretForms(['abcdef']).forms.every(f => f.length >= 6)).toBe(true);
    expect(findSecret('abcde', secretForms(['abcde']))).toBe(false);
  });

  it('of several lines are found by each long one, whatever stands around it', () => {
    const forms = secretForms(['first line of it\r\n   second line of it  \nshort']);
    expect(findSecret('a second line of it b', forms)).toBe(true);
    expect(redactSecrets('x second line of it y', forms)).toBe('x *** y');
    expect(forms.forms).toContain('second line of it');
    expect(forms.forms).not.toContain('short');
  });

  it('of the least length are found in hex of either case', () => {
    const forms = secretForms(['jklmno']);
    for (const text of ['6a6b6c6d6e6f', '6A6B6C6D6E6F'])
      expect(redactSecrets(`x ${text} y`, forms)).toBe('x *** y');
  });

  it('that are mostly punctuation are found when they are clipped, too', () => {
    const forms = secretForms(['a!b#c$d^e&f*g(h)']);
    expect(findSecret('text b#c$d^e&f*g( more', forms)).toBe(true);
    expect(findSecret('b#c$d^e&f*g(', forms)).toBe(true);
    expect(findSecret('b#c$d^e&f*g', forms)).toBe(false);
    expect(findSecret('b#c$d^e&f*g', secretForms([]))).toBe(false);
  });

  it('that are a URL say nothing of its host', () => {
    const forms = secretForms(['https://hooks.example.com/services/T0aB1/XyZ123abcDEF9']);
    expect(findSecret('see https://hooks.example.com/ for more', forms)).toBe(false);
    expect(findSecret('the end is T0aB1/XyZ123a', forms)).toBe(true);
  });

  it('are redacted in every text of a value, and nothing else changes', () => {
    const value = { key: 'k', list: ['k', 1, null, { deep: 'k' }], on: true, none: undefined };
    expect(redactTexts(value, text => `<${text}>`)).toStrictEqual({
      key: '<k>',
      list: ['<k>', 1, null, { deep: '<k>' }],
      on: true,
      none: undefined,
    });
    expect(redactTexts(null, text => text)).toBeNull();
  });
});

describe('secrets, more of them', () => {
  it('are prepared longest first, trimmed, and not when they are short', () => {
    const { forms, windows } = secretForms([' longer-secret ', 'sixsix', 'fives', 'sixsix']);
    expect(forms).toContain('longer-secret');
    expect(forms).toContain('sixsix');
    expect(forms).not.toContain('fives');
    expect(forms).not.toContain(' longer-secret ');
    expect(forms.map(f => f.length)).toEqual([...forms.map(f => f.length)].sort((a, b) => b - a));
    expect(new Set(forms).size).toBe(forms.length);
    expect(forms.every(f => f.length >= 6)).toBe(true);
    expect([...windows]).toEqual(['longer-secre', 'onger-secret']);
  });

  it('of one line are one value, of several the long lines, too', () => {
    const { forms } = secretForms(['first line!!\r\n  second line  \nshort\nexactly12345']);
    for (const line of ['first line!!', 'exactly12345']) expect(forms).toContain(line);
    expect(forms).not.toContain('second line');
    expect(forms).not.toContain('short');
    expect(secretForms(['one line only']).forms.filter(f => f.includes(' '))).toEqual([
      'one line only',
      [...'one line only'].reverse().join(''),
    ]);
  });

  it('are found in the first and in the last twelve characters of a text, and in none shorter', () => {
    const forms = secretForms(['abcdefghijklmnopqrst']);
    expect(findSecret('cdefghijklmn', forms)).toBe(true);
    expect(findSecret('..........cdefghijklmn', forms)).toBe(true);
    expect(findSecret('ijklmnopqrst', forms)).toBe(true);
    expect(findSecret('abcdefghijkl', forms)).toBe(true);
    expect(findSecret('cdefghijklm', forms)).toBe(false);
    expect(findSecret('anything at all', secretForms([]))).toBe(false);
    expect(findSecret('x sevenxx x', secretForms(['sevenxx']))).toBe(true);
  });

  it('are blanked as asked', () => {
    const forms = secretForms(['s3cr3t-value']);
    expect(redactSecrets('a s3cr3t-value b s3cr3t-value', forms)).toBe('a *** b ***');
    expect(redactSecrets('a s3cr3t-value', forms, '(secret)')).toBe('a (secret)');
    expect(redactSecrets('plain', forms)).toBe('plain');
  });

  it('are known as JSON, as a part of a URL and in both alphabets of base64', () => {
    const value = 'a"b\\c/d?e>f~g>>??';
    const { forms } = secretForms([value]);
    expect(forms).toContain(JSON.stringify(value).slice(1, -1));
    expect(forms).toContain(encodeURIComponent(value));
    for (const shift of [0, 1, 2]) {
      const whole = Buffer.concat([
        Buffer.alloc(shift, 'x'),
        Buffer.from(value),
        Buffer.from('xyz'),
      ]);
      expect(
        forms.some(f => whole.toString('base64').includes(f)),
        `${shift}`,
      ).toBe(true);
      expect(
        forms.some(f => whole.toString('base64url').includes(f)),
        `${shift} url`,
      ).toBe(true);
    }
    expect(forms.some(f => f.includes('-') || f.includes('_'))).toBe(true);
    expect(forms.every(f => !f.includes('='))).toBe(true);
  });
});

describe('secrets and their forms', () => {
  const secret = 'ghp_Zx81LqTtYwNcV04fRbQe77';
  const forms = secretForms([
    secret,
    'tiny',
    '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n',
  ]);
  const encodings = [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(`x${secret}`).toString('base64'),
    Buffer.from(`xy${secret}z`).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    encodeURIComponent(secret),
    [...secret].reverse().join(''),
    'MIIEvQIBADANBgkq',
  ];

  it.each(encodings)('%j is blanked and found', encoded => {
    expect(redactSecrets(`<${encoded}>`, forms)).not.toContain(encoded);
    expect(findSecret(`text ${encoded} text`, forms)).toBe(true);
  });

  it('are gone from any text that they were put into', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...encodings), fc.string(), (a, encoded, b) => {
        expect(redactSecrets(a + encoded + b, forms).includes(secret)).toBe(false);
      }),
    );
  });
});

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
  ['as numbers', codes.join(', ')],
  ['in base64', Buffer.from(piece).toString('base64')],
  ['in base64, one on', Buffer.from(`x${piece}`).toString('base64')],
  ['in base64 for URLs', Buffer.from(`x${piece}`).toString('base64url')],
  ['in base64 over lines', Buffer.from(piece).toString('base64').replace(/.{7}/g, '$&\n')],
  ['in base32', base32(piece)],
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
