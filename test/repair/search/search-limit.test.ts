/** Where a search ends. */
import { describe, expect, it } from 'vitest';
import { openSearchLimit } from '../../../src/repair/search/search-limit.ts';

describe('its limit', () => {
  it('waits for what is in front before it draws the line', () => {
    const searchLimit = openSearchLimit({ max: 5000, further: 400, ranks: 3000 });
    searchLimit.settle(1, { survived: true, late: false, score: 1 });
    expect(searchLimit.end()).toBe(3000);
    searchLimit.settle(0, { survived: false, late: false, score: 1 });
    for (let rank = 2; rank < 402; rank++)
      searchLimit.settle(rank, { survived: false, late: false, score: 1 });
    expect(searchLimit.end()).toBe(402);
  });

  it('ends where fifty in a row are less than half as likely as a survivor', () => {
    const scoreOf = (rank: number) => (rank <= 10 ? 1 : rank === 40 ? 0.5 : 0.49);
    const searchLimit = openSearchLimit({ max: 5000, further: 400, ranks: 3000 });
    for (let rank = 0; rank < searchLimit.end(); rank++)
      searchLimit.settle(rank, { survived: rank === 10, late: false, score: scoreOf(rank) });
    expect(searchLimit.end()).toBe(91);
  });
});
