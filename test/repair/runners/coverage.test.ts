/** Of which cases of a large suite the lines are recorded. */
import { describe, expect, it } from 'vitest';
import { localise } from '../../../src/repair/localise/localise.ts';
import { casesToCover, withLeftOut } from '../../../src/repair/runners/coverage.ts';
import type { CaseResult, Coverage } from '../../../src/repair/runners/test-runner.ts';

const suite = (count: number, failing: (i: number) => boolean): readonly CaseResult[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `t${i % 2}.js > ${i}`,
    file: `t${i % 2}.js`,
    status: failing(i) ? 'failed' : 'passed',
  }));

describe('the cases whose lines are recorded', () => {
  it('are all of a small suite', () => {
    expect(casesToCover(suite(1000, i => i === 1))).toBeUndefined();
  });

  it('are the failing ones of a large suite, and a share of the others from every file', () => {
    const chosen = casesToCover(suite(20_000, i => i === 19_999)) ?? [];
    expect(chosen[0]).toBe('t1.js > 19999');
    expect(chosen).toHaveLength(401);
    expect(new Set(chosen).size).toBe(401);
    expect(chosen.filter(id => id.startsWith('t0.js'))).toHaveLength(200);
  });

  it('bound the work if every case fails, and the others lead nowhere', () => {
    const cases = suite(20_000, () => true);
    const chosen = casesToCover(cases);
    expect(chosen).toHaveLength(200);
    const ran = (chosen ?? []).map(
      (id): Coverage => ({ id, file: id.split(' > ')[0] ?? '', files: { 'src/a.js': [1, 2] } }),
    );
    const coverage = withLeftOut(ran, cases, chosen);
    const suspects = localise({ cases, coverage, mayChange: path => path.startsWith('src/') });
    expect(suspects).toEqual([1, 2].map(line => ({ path: 'src/a.js', line, score: 1 })));
  });
});
