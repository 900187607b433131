import { describe, expect, it } from 'vitest';
import { findSecret, redactSecrets, redactTexts, secretForms } from '../../src/guard/secrets.ts';

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

  it('of one line have no other lines', () => {
    expect(secretForms(['a secret  with  spaces']).forms).toContain('a secret  with  spaces');
    expect(secretForms(['one line alone']).windows.size).toBe('one line alone'.length - 11);
  });

  it('are found in base64 wherever they begin, without its padding', () => {
    for (const value of ['abcdefg', 'abcdefgh', 'abcdefghi', 'a=b=c=d=e=f'])
      for (const front of ['', 'x', 'xx']) {
        const text = Buffer.from(`${front}${value}yyy`).toString('base64');
        expect(findSecret(text, secretForms([value])), `${front}${value}`).toBe(true);
      }
    expect(secretForms(['abcdefg']).forms.some(f => f.includes('='))).toBe(false);
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

  it('clipped to twelve characters are found at the very end of a text, too', () => {
    const forms = secretForms(['abcdefghijklmnop']);
    expect(findSecret('text cdefghijklmn', forms)).toBe(true);
    expect(findSecret('text cdefghijklm', forms)).toBe(false);
  });
});
