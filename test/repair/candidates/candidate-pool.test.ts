import { describe, expect, it } from 'vitest';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { openPool, rankCandidates } from '../../../src/repair/candidates/candidate-pool.ts';
import { type Candidate, streamCandidates } from '../../../src/repair/candidates/candidates.ts';
import { templates } from '../../../src/repair/candidates/templates/index.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { root } from '../../harness.ts';

const template = templates[0] ?? expect.fail('no template');

const candidateOf = (start: number, end: number, text: string, score: number): Candidate => ({
  path: 'a.js',
  line: 1,
  edits: [{ start, end, text }],
  template,
  score,
  suspicion: 1,
  risk: '',
});

describe('the pool of candidates', () => {
  it('keeps the best, whatever the order, and says below which score none can enter', () => {
    const textOf = new Map([['a.js', 'x']]);
    const pool = openPool(10, textOf);
    expect(pool.floor()).toBe(0);
    for (let i = 0; i < 200_000; i++) {
      const score = (i * 7919) % 200_000;
      pool.add(candidateOf(0, 1, `y${score}`, score));
    }
    expect(pool.ranked().map(c => c.score)).toEqual(
      Array.from({ length: 10 }, (_, i) => 199_999 - i),
    );
    expect(pool.floor()).toBe(199_990);
  });

  it('keeps one of the edits with the same result, and none without a result', () => {
    const textOf = new Map([['a.js', 'ab ab']]);
    const same = [
      candidateOf(0, 0, 'ab ', 0.2),
      candidateOf(3, 3, 'ab ', 0.3),
      candidateOf(2, 2, ' ab', 0.1),
      candidateOf(0, 5, 'ab ab', 0.9),
      candidateOf(0, 5, 'ab ab ab', 0.25),
    ];
    expect(rankCandidates(same, textOf).map(c => c.score)).toEqual([0.3]);
  });

  it('takes a function of 1,500 lines in a bounded number of steps', async () => {
    const body = Array.from({ length: 1500 }, (_, i) => `  const v${i} = a + ${i} > b ? b : c;`);
    const text = `function f(a, b, c) {\n${body.join('\n')}\n  return v1;\n}\n`;
    const lines = new Map(body.slice(0, 400).map((_, i) => [i + 2, 1]));
    const pool = openPool(100, new Map([['a.js', text]]));
    const symbols = openSymbols(openShipped(root));
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
