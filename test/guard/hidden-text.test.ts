import { describe, expect, it } from 'vitest';
import { removeHiddenText } from '../../src/guard/hidden-text.ts';

describe('a text that was made to keep its cleaning busy', () => {
  it('of comments whose removal joins the next one is cut where they begin', () => {
    const levels = 50_000;
    const text = `shown ${'<'.repeat(levels)}${'!-- -->'.repeat(levels)} obey`;
    const found = removeHiddenText(text);
    expect(found.text).toMatch(/^shown <+$/);
    expect(found.text).not.toContain('obey');
    expect(found.text.length + found.removed).toBe(text.length);
  });

  it('with few such levels is cleaned to its end', () => {
    expect(removeHiddenText('a <<<!-- x -->!-- y -->!-- z --> b')).toEqual({
      text: 'a  b',
      removed: 30,
    });
  });

  it('of marks on one letter keeps 30 of them, and every letter with fewer', () => {
    // unsorted marks: to put a million of them in order takes minutes
    const { text, removed } = removeHiddenText(`a${'\u0300\u0316'.repeat(500_000)} e\u0301`);
    expect(removed).toBe(1_000_000 - 30);
    expect(text).toMatch(/^\p{L}\p{M}{29} \u00e9$/u);
  });
});
