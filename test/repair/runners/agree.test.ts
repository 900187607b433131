/** What a warm run gives a candidate, and what the real run must agree with. */
import { describe, expect, it } from 'vitest';
import { agree, limitsFrom, whyNotWarm } from '../../../src/repair/runners/agree.ts';
import type { CaseResult } from '../../../src/repair/runners/test-runner.ts';

const result = (id: string, status: CaseResult['status']): CaseResult => ({
  id,
  file: 'a.test.js',
  status,
});

describe('the limits of a candidate', () => {
  const time = (cpuMs: number) => ({ cpuMs, wallMs: cpuMs });
  const seen = { cpuMs: 40, loadMs: 10, cases: [result('a', 'passed'), result('b', 'failed')] };

  it('are ten times what the slowest case and the whole take', () => {
    expect(limitsFrom({ ...seen, spent: { a: time(1), b: time(30) } })).toMatchObject({
      caseMs: 400,
      loadMs: 500,
      cpuMs: 1300,
    });
  });

  it('are those of the first run if a file that does not load hides its cases', () => {
    const broken = { ...result('a.test.js', 'failed') };
    expect(limitsFrom({ ...seen, cases: [broken] }).caseMs).toBe(5_000);
  });
});

describe('two runs', () => {
  const one = [result('a', 'passed'), result('b', 'failed')];

  it('agree about the same results in any order, and about no results at all never', () => {
    expect(agree(one, one.toReversed())).toBe(true);
    expect(agree(one, one.slice(1))).toBe(false);
    expect(agree(one, [result('a', 'failed'), result('b', 'failed')])).toBe(false);
    expect(agree([], [])).toBe(false);
  });

  it('name the first case that ended in another way, or why the warm runner ended', () => {
    const other = [result('a', 'passed'), result('b', 'passed')];
    expect(whyNotWarm(one, { cases: other })).toBe(
      '"b" ended in another way in the warm runner than in the real run',
    );
    expect(whyNotWarm(one, { cases: [], why: 'no hooks\n at x' })).toBe(
      'the warm runner ended (no hooks)',
    );
  });
});
