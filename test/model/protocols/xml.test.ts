/** A reply becomes a turn with calls. */
import { describe, expect, it } from 'vitest';
import { read } from './xml-replies.ts';

describe('a reply', () => {
  it('without instructions is prose alone, and one without prose has no reasoning', () => {
    expect(read('I believe that it is fine.').prose).toBe('I believe that it is fine.');
    expect(read('```xml\n<verify></verify>\n```\n').prose).toBe('');
  });
});
