import { describe, expect, it } from 'vitest';
import { joinEvaluations, parseEvaluation } from '../../src/evaluation/result.ts';
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
});
