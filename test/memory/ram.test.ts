/** The memory of a run counts what it holds, and refuses what is too much. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ram, ramKey } from '../../src/memory/ram.ts';

describe('the memory of a run', () => {
  it('knows its size after any changes', () => {
    const key = fc.constantFrom('a', 'bb', 'é');
    const step = fc.tuple(key, fc.option(fc.string({ unit: 'grapheme', maxLength: 5 })));
    fc.assert(
      fc.property(fc.array(step), steps => {
        const ram = new Ram({ entries: 9, bytes: 999 });
        const plain = new Map<string, string>();
        for (const [k, value] of steps) {
          if (value === null) expect(ram.delete(k)).toBe(plain.delete(k));
          else {
            expect(ram.add(k, value)).toBe(plain.has(k) ? 'updated' : 'added');
            plain.set(k, value);
          }
        }
        const bytes = [...plain].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        expect(ram.size()).toEqual({ entries: plain.size, bytes });
        expect(ram.entries()).toEqual([...plain]);
      }),
    );
  });

  it('takes a longer value in place of another when both together would be too much', () => {
    const ram = new Ram({ entries: 1, bytes: 6 });
    ram.add('k', '12345');
    expect(ram.refusal('k', '54321')).toBeUndefined();
    expect(ram.refusal('k', '543210')).toBe('RAM_LIMIT: 7 bytes; at most 6 are allowed');
    expect(ram.refusal('l', '')).toBe('RAM_LIMIT: 2 entries; at most 1 are allowed');
  });

  it('is nearly full beyond four fifths of either limit', () => {
    const ram = new Ram({ entries: 5, bytes: 10 });
    ram.add('k', '1234567');
    expect(ram.nearlyFull()).toBe(false);
    ram.add('k', '12345678');
    expect(ram.nearlyFull()).toBe(true);
    const many = new Ram({ entries: 5, bytes: 1000 });
    for (const key of ['a', 'b', 'c', 'd']) many.add(key, '');
    expect(many.nearlyFull()).toBe(false);
    many.add('e', '');
    expect(many.nearlyFull()).toBe(true);
  });
});

it('a key is a plain name', () => {
  for (const key of ['a', 'A.b_c-1', 'k'.repeat(64)]) expect(key).toMatch(ramKey);
  for (const key of ['', '.a', 'a b', 'a\n', 'k'.repeat(65)]) expect(key).not.toMatch(ramKey);
});
