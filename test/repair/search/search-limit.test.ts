/** Where a search ends. */
import { describe, expect, it } from 'vitest';
import { maxCandidates, openSearchLimit } from '../../../src/repair/search/search-limit.ts';

describe('its limit', () => {
  it('waits for what is in front before it draws the line', () => {
    const searchLimit = openSearchLimit(3000);
    searchLimit.settle(1, { survived: true, late: false });
    expect(searchLimit.end()).toBe(3000);
    for (const rank of [0, ...Array.from({ length: 20 }, (_, i) => i + 2)])
      searchLimit.settle(rank, { survived: false, late: false });
    expect(searchLimit.end()).toBe(14);
  });

  it('ends where nothing passes', () => {
    const searchLimit = openSearchLimit(3000);
    for (let rank = 0; rank < searchLimit.end(); rank++)
      searchLimit.settle(rank, { survived: false, late: false });
    expect(searchLimit.end()).toBe(maxCandidates);
  });
});
