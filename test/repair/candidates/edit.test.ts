/** Edits of a text by offset, and expressions in their plainest form. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyTextEdits,
  editsFrom,
  findLineEdit,
  plainForm,
} from '../../../src/repair/candidates/edit.ts';
import { replaceRange } from '../../../src/repair/candidates/template.ts';

it('edits are applied in any order, inserts and deletions among them', () => {
  const edits = [
    { start: 0, end: 1, text: 'A' },
    { start: 2, end: 2, text: '+' },
    { start: 4, end: 6, text: '' },
  ];
  for (const order of [edits, edits.toReversed()])
    expect(applyTextEdits('abcdef', order)).toBe('Ab+cd');
});

it('edits of a part are those of the whole, moved', () => {
  const { edits, weight } = replaceRange([4, 6], 'x', 0.5);
  expect(weight).toBe(0.5);
  expect(applyTextEdits('cdef', editsFrom(2, edits))).toBe('cdx');
});

it.each([
  ['one line', [{ start: 2, end: 3, text: 'X' }], { startLine: 2, endLine: 2, content: 'X' }],
  ['no difference', [{ start: 2, end: 3, text: 'b' }], undefined],
  [
    'a new line',
    [{ start: 2, end: 2, text: 'X\n' }],
    { startLine: 1, endLine: 1, content: 'a\nX' },
  ],
  [
    'a new first line',
    [{ start: 0, end: 0, text: 'X\n' }],
    { startLine: 1, endLine: 1, content: 'X\na' },
  ],
  ['a line less', [{ start: 2, end: 4, text: '' }], { startLine: 1, endLine: 2, content: 'a' }],
])('%s', (_name, edits, expected) => {
  expect(findLineEdit('a\nb\nc', edits)).toEqual(expected);
});

it('replaced lines give the edited text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, fc.nat(12), fc.nat(12), (before, put, a, b) => {
      const [start, end] = [a, b].map(n => Math.min(n, before.length)).sort((x, y) => x - y);
      const edits = [{ start: start ?? 0, end: end ?? 0, text: put }];
      const after = applyTextEdits(before, edits);
      const edit = findLineEdit(before, edits);
      const lines = before.split('\n');
      if (edit !== undefined)
        lines.splice(
          edit.startLine - 1,
          edit.endLine - edit.startLine + 1,
          ...edit.content.split('\n'),
        );
      expect(lines.join('\n')).toBe(after);
    }),
  );
});

describe('edits as lines', () => {
  const text = 'one\ntwo\nthree\n';
  const at = (from: string, to: string) => {
    const start = text.indexOf(from);
    return findLineEdit(text, [{ start, end: start + from.length, text: to }]);
  };

  it('are the smallest range of lines', () => {
    expect(at('two', '2')).toEqual({ startLine: 2, endLine: 2, content: '2' });
    expect(at('two\n', '')).toEqual({ startLine: 1, endLine: 2, content: 'one' });
    expect(at('one\n', '')).toEqual({ startLine: 1, endLine: 2, content: 'two' });
    expect(at('two', 'new\ntwo')).toEqual({ startLine: 1, endLine: 1, content: 'one\nnew' });
    expect(at('two', 'two')).toBeUndefined();
  });
});

describe('templates', () => {
  it.each([
    ['n * 1 + other', 'n + other'],
    ['f(0 + n)', 'f(n)'],
    ['range(n + 1 - 1, m)', 'range(n, m)'],
    ['n - -1', 'n + 1'],
    ['if (!(a.b === 1)) f();', 'if (a.b !== 1) f();'],
    ['not (a in b)', 'a not in b'],
    ['n * 10 + 0.5', 'n * 10 + 0.5'],
    ['!(a && b)', '!(a && b)'],
  ])('write %s as %s', (text, plain) => {
    expect(plainForm(text)).toBe(plain);
  });
});
