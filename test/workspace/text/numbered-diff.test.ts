/** The rows, numbers and bounds of a numbered diff. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type NumberedDiffOptions,
  renderNumberedDiff,
} from '../../../src/workspace/text/numbered-diff.ts';

const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`);
const changed = ten.toSpliced(4, 1, 'five', 'more').toSpliced(9, 2);
const wide: Omit<NumberedDiffOptions, 'numbers'> = { context: 1, maxBytes: 10_000 };
const render = (after: readonly string[], numbers: 'before' | 'after', options = wide) =>
  renderNumberedDiff(ten, after, { numbers, ...options });

describe('a numbered diff', () => {
  it('numbers the lines of the new text, and shows what is gone', () => {
    expect(render(changed, 'after')).toEqual({
      text: '4\t line 4\n\t-line 5\n5\t+five\n6\t+more\n7\t line 6\n9\t line 8\n\t-line 9\n\t-line 10',
      shown: new Map([
        [4, 'line 4'],
        [5, 'five'],
        [6, 'more'],
        [7, 'line 6'],
        [9, 'line 8'],
      ]),
      left: new Set(),
    });
  });

  it('numbers the lines of the old text where the change is not made', () => {
    const { text, shown } = render(changed, 'before');
    expect(text).toBe(
      '4\t line 4\n5\t-line 5\n\t+five\n\t+more\n6\t line 6\n8\t line 8\n9\t-line 9\n10\t-line 10',
    );
    expect([...shown.keys()]).toEqual([4, 5, 6, 8, 9, 10]);
  });

  it('leaves out a place that does not fit, whole, and counts it', () => {
    const { text, shown, left } = render(changed, 'before', { context: 0, maxBytes: 40 });
    expect(text).toBe('5\t-line 5\n\t+five\n\t+more');
    expect([...shown.keys()]).toEqual([5]);
    expect(left).toEqual(new Set([9]));
  });

  it('shows what fits of a first place that is too long', () => {
    const { text, shown, left } = render(changed, 'before', { context: 0, maxBytes: 12 });
    expect(text).toBe('5\t-line 5');
    expect([...shown.keys()]).toEqual([5]);
    expect(left).toEqual(new Set([5, 9]));
    expect(render(changed, 'after', { context: 0, maxBytes: 0 })).toEqual({
      text: '',
      shown: new Map(),
      left: new Set([5, 9]),
    });
  });

  it('shows only the places that are asked for', () => {
    const only = (first: number, last: number) => first === 9 && last === 10;
    expect(render(changed, 'before', { ...wide, context: 0, only }).text).toBe(
      '9\t-line 9\n10\t-line 10',
    );
  });

  it('cuts a long line, which then does not count as shown', () => {
    const long = 'x'.repeat(401);
    const { text, shown } = renderNumberedDiff(['a', long], ['b', long], {
      numbers: 'after',
      ...wide,
    });
    expect(text).toBe(`\t-a\n1\t+b\n2\t ${'x'.repeat(400)}`);
    expect([...shown.keys()]).toEqual([1]);
  });

  it('is empty where nothing changed', () => {
    expect(render(ten, 'after')).toEqual({ text: '', shown: new Map(), left: new Set() });
  });

  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 });
  it('holds every changed line once, under its number', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 3 }), (before, after, context) => {
        for (const numbers of ['before', 'after'] as const) {
          const numbered = numbers === 'before' ? before : after;
          const diff = renderNumberedDiff(before, after, { numbers, context, maxBytes: 10_000 });
          const rows = diff.text === '' ? [] : diff.text.split('\n');
          for (const [n, line] of diff.shown) expect(numbered[n - 1]).toBe(line);
          const side = (sign: string) => rows.filter(r => r[r.indexOf('\t') + 1] === sign).length;
          // what is left of one side without its own lines is what is left of the other
          expect(before.length - side('-')).toBe(after.length - side('+'));
        }
      }),
    );
  });
});
