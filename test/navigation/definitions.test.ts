/** The definitions that the index finds in each language, in places where they are easily missed. */
import { describe, expect, it } from 'vitest';
import { forms, symbols } from './definition-forms.ts';

/** Each symbol as `kind container.name`. */
async function found(path: string, text: string): Promise<readonly string[]> {
  const all = await symbols.listSymbols(path, text);
  return all.map(s => `${s.kind} ${s.container === undefined ? '' : `${s.container}.`}${s.name}`);
}

describe('the index finds definitions', () => {
  it.each(forms)('in %s', async (name, text, expected) => {
    expect((await found(name, text)).join(', ')).toBe(expected);
  });

  /** What no grammar understands, and a definition after it. */
  const broken: readonly (readonly [name: string, text: string, after: string])[] = [
    ['a.ts', 'interface A {\n  <B>(): C\n\n  <D>(): E\n}\nexport interface F { g(): H }\n', 'I F'],
    ['a.go', 'package a\n\nfunc b( {\n}\n\nfunc c() {}\n', 'F c'],
    ['a.c', 'MACRO(a) {\n  int b\n}\n\nint c(int d)\n{\n  return d;\n}\n', 'F c'],
    [
      'a.cs',
      'namespace A {\n  class B {\n    void C( {\n  }\n  class D { void E() {} }\n}\n',
      'M D.E',
    ],
    ['a.rs', 'fn a( {\n\nstruct B { c: u8 }\n\nimpl B { fn d() {} }\n', 'M B.d'],
  ];
  it.each(broken)('after an error in %s: %j', async (name, text, after) => {
    expect(await found(name, text)).toContain(after);
  });

  it('with their own lines, and none in texts or comments after an error', async () => {
    const text = 'let a = (;\n\n/*\nfunction b() {}\n*/\nfunction c() {\n}\n';
    const all = await symbols.listSymbols('a.js', text);
    expect(all.find(s => s.name === 'c')).toMatchObject({ startLine: 6, endLine: 7 });
    expect(all.some(s => s.name === 'b')).toBe(false);
  });
});
