import { describe, expect, it } from 'vitest';
import { openPool, rankCandidates } from '../../../src/repair/candidates/candidate-pool.ts';
import { streamCandidates } from '../../../src/repair/candidates/candidates.ts';
import { candidate } from '../survivors.ts';
import { symbols } from './templates/repairs.ts';

describe('the pool of candidates', () => {
  it('keeps the best, whatever the order, and says below which score none can enter', () => {
    const textOf = new Map([['a.js', 'x']]);
    const pool = openPool(10, textOf);
    expect(pool.floor()).toBe(0);
    for (let i = 0; i < 200_000; i++) {
      const score = (i * 7919) % 200_000;
      pool.add(candidate({ start: 0, end: 1, text: `y${score}` }, { score }));
    }
    expect(pool.ranked().map(c => c.score)).toEqual(
      Array.from({ length: 10 }, (_, i) => 199_999 - i),
    );
    expect(pool.floor()).toBe(199_990);
  });

  it('keeps one of the edits with the same result, and none without a result', () => {
    const textOf = new Map([['a.js', 'ab ab']]);
    const same = [
      candidate({ start: 0, end: 0, text: 'ab ' }, { score: 0.2 }),
      candidate({ start: 3, end: 3, text: 'ab ' }, { score: 0.3 }),
      candidate({ start: 2, end: 2, text: ' ab' }, { score: 0.1 }),
      candidate({ start: 0, end: 5, text: 'ab ab' }, { score: 0.9 }),
      candidate({ start: 0, end: 5, text: 'ab ab ab' }, { score: 0.25 }),
    ];
    expect(rankCandidates(same, textOf).map(c => c.score)).toEqual([0.3]);
  });

  it('takes a function of 1,500 lines in a bounded number of steps', async () => {
    const body = Array.from({ length: 1500 }, (_, i) => `  const v${i} = a + ${i} > b ? b : c;`);
    const text = `function f(a, b, c) {\n${body.join('\n')}\n  return v1;\n}\n`;
    const lines = new Map(body.slice(0, 400).map((_, i) => [i + 2, 1]));
    const pool = openPool(100, new Map([['a.js', text]]));
    let made = 0;
    await symbols.withTree('a.js', text, tree => {
      const bounds = { floor: pool.floor, ended: () => made >= 20_000 };
      const stream = streamCandidates(
        { source: { path: 'a.js', text, lines }, root: tree },
        bounds,
      );
      for (const candidate of stream) {
        made += 1;
        pool.add(candidate);
      }
    });
    expect(pool.ranked()).toHaveLength(100);
    expect(made).toBeLessThan(20_000);
  });
});
