import { describe, expect, it } from 'vitest';
import { renderEvaluation } from '../../src/evaluation/report.ts';
import {
  compareEvaluations,
  joinEvaluations,
  parseEvaluation,
  summariseEvaluation,
  wilson,
} from '../../src/evaluation/result.ts';
import { evaluation, result } from './results.ts';

describe('the report', () => {
  const mixed = evaluation([
    result('a', { refusals: { PLAN_SCOPE: 2 } }),
    result('b', { verdict: 'wrong', cost: 0.25, rounds: 8, refusals: { PLAN_SCOPE: 1 } }),
    result('c', { verdict: 'abstained', confined: false }),
  ]);

  it('joins parts, and refuses those of another configuration', () => {
    const one = evaluation([result('a')], {
      dropped: { flaky: 1 },
      open: [{ id: 'b', reason: 'x' }],
    });
    const two = evaluation([result('b')], { dropped: { flaky: 2 } });
    expect(joinEvaluations([one, two])).toMatchObject({
      looked: 16,
      dropped: { flaky: 3 },
      open: [],
      results: [{ id: 'a' }, { id: 'b' }],
    });
    expect(() => joinEvaluations([one, { ...two, key: 'other' }])).toThrow(
      'different configurations',
    );
  });

  it('is read again from its own text, and nothing else is', () => {
    expect(parseEvaluation(JSON.stringify({ ...mixed, summary: {} }), 'f')).toEqual(mixed);
    for (const text of ['', '[]', '{"results":[]}', JSON.stringify({ ...mixed, schema: 2 })])
      expect(() => parseEvaluation(text, 'f')).toThrow(
        expect.objectContaining({ code: 'EVALUATION_INVALID' }),
      );
  });

  it('counts, and names what it does not know', () => {
    expect(summariseEvaluation(mixed)).toMatchObject({
      tasks: 3,
      cost: 1.25,
      medianRounds: 4,
      refusals: [{ rule: 'PLAN_SCOPE', count: 3, tasks: 2 }],
      unconfined: 1,
    });
    expect(summariseEvaluation(evaluation([result('a', { cost: null })])).cost).toBe(null);
    expect(renderEvaluation(mixed, undefined)).toContain('could have read the fix');
  });

  it('compares the tasks that both played', () => {
    const other = evaluation([result('a', { verdict: 'failed' }), result('b'), result('z')]);
    expect(compareEvaluations(mixed, other)).toEqual({
      tasks: 2,
      bothSolved: 0,
      onlyFirst: ['a'],
      onlySecond: ['b'],
      neither: 0,
    });
  });
});

describe('the statistics', () => {
  // Wilson (1927); the values are those of R's binom.confint(method = 'wilson')
  it.each([
    [8, 10, 0.4902, 0.9433],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [1, 4, 0.0456, 0.6994],
  ])('give %d of %d the interval %d to %d', (count, total, low, high) => {
    const interval = wilson(count, total);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  it('know nothing without tasks', () => {
    expect(wilson(0, 0)).toEqual({ share: 0, low: 0, high: 1 });
  });
});
