/** Survivors are ranked. */
import { describe, expect, it } from 'vitest';
import { type Choice, rankSurvivors, undecided } from '../../../src/repair/choose/choose.ts';
import { differ, survivor, textOf, unread } from '../survivors.ts';

describe('the choice among survivors', () => {
  it('prefers one that reads a variable that nothing read to a smaller one', () => {
    const reads = survivor('one - moons', 1, unread('moons', ''));
    const ranked = rankSurvivors([survivor('two', 0, unread('', 'moons')), reads], textOf);
    expect(ranked.map(c => c.rank)).toEqual([1, 0]);
    expect(rankSurvivors([survivor('two'), survivor('one - moons', 1)], textOf)[0]?.rank).toBe(0);
  });

  it('is decided by such a variable', () => {
    const [other] = rankSurvivors([survivor('two', 1, { against: differ })], textOf);
    const best = (about: Partial<Choice>) =>
      rankSurvivors([survivor('moons', 0, about)], textOf)[0];
    const read = best(unread('moons', ''));
    const plain = best({});
    if (read === undefined || plain === undefined || other === undefined) throw new Error('none');
    expect(undecided(read, [other])).toEqual([]);
    expect(undecided(plain, [other])).toEqual([other]);
  });
});
