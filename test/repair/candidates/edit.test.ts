/** Edits of a text by offset. */
import { expect, it } from 'vitest';
import { applyTextEdits, editsFrom, replaceRange } from '../../../src/repair/candidates/edit.ts';

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
