/** An expression in its plainest form. */
import { describe, expect, it } from 'vitest';
import { plainForm } from '../../../src/repair/candidates/plain-form.ts';

describe('templates', () => {
  it.each([
    ['n * 1 + other', 'n + other'],
    ['f(0 + n)', 'f(n)'],
    ['range(n + 1 - 1, m)', 'range(n, m)'],
    ['len(items[1:])', 'len(items) - 1'],
    ['list.slice(1).length', 'list.length - 1'],
    ['n - -1', 'n + 1'],
    ['if (!(a.b === 1)) f();', 'if (a.b !== 1) f();'],
    ['not (a in b)', 'a not in b'],
    ['n * 10 + 0.5', 'n * 10 + 0.5'],
    ['!(a && b)', '!(a && b)'],
  ])('write %s as %s', (text, plain) => {
    expect(plainForm(text)).toBe(plain);
  });
});
