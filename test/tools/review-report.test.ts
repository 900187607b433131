/** review_report keeps the object that the workflow asks for. */
import { describe, expect, it } from 'vitest';
import { reviewReport } from '../../src/tools/review-report.ts';
import { callTool } from './play.ts';

function openKeeper(problems: readonly string[] = []) {
  const kept: unknown[] = [];
  const keeper = {
    problems: async () => problems,
    keep: (report: unknown) => void kept.push(report),
    value: () => kept.at(-1),
  };
  return { kept, keeper };
}

describe('review_report', () => {
  it('keeps an object of the schema', async () => {
    const { kept, keeper } = openKeeper();
    const { text } = await callTool(reviewReport, { report: '{"risk": 1}' }, { report: keeper });
    expect(text).toBe('The report has the shape that was asked for.');
    expect(kept).toEqual([{ risk: 1 }]);
  });

  it.each([
    ['what is no JSON', '{risk', [], /^\/report: no JSON: /],
    ['a secret', '"s3cret"', [], /^\/report: holds a secret$/],
    ['another shape', '{}', ['/risk: is missing'], /^\/risk: is missing$/],
  ])('refuses %s', async (_name, report, problems, says) => {
    const { kept, keeper } = openKeeper(problems);
    const called = await callTool(reviewReport, { report }, { report: keeper });
    expect(called).toEqual({ problems: [expect.stringMatching(says)] });
    expect(kept).toEqual([]);
  });
});
