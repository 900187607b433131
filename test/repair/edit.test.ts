import { expect, it } from 'vitest';
import { applyTextEdits, editsFrom, replaceRange } from '../../src/repair/edit.ts';

it('edits are applied by offset, in whatever order they come', () => {
  const edits = [
    { start: 4, end: 5, text: 'C' },
    { start: 0, end: 1, text: 'AA' },
    { start: 5, end: 5, text: '!' },
  ];
  expect(applyTextEdits('a b c', edits)).toBe('AA b C!');
  expect(applyTextEdits('a b c', edits.toReversed())).toBe('AA b C!');
});

it('edits of a text are those of a part of it', () => {
  const [edit] = replaceRange([4, 5], 'C').edits;
  const part = editsFrom(2, edit === undefined ? [] : [edit]);
  expect(applyTextEdits('b c', part)).toBe('b C');
});
