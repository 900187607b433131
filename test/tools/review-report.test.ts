/** review_report keeps the object that a review was asked for. */
import { describe, expect, it } from 'vitest';
import { reviewReport } from '../../src/tools/review-report.ts';
import { callTool } from './play.ts';

function reviewCollector(problems: readonly string[] = []) {
  const kept: unknown[] = [];
  const findings = {
    record: async () => '',
    reportProblems: () => problems,
    keepReport: (report: unknown) => void kept.push(report),
  };
  return { kept, findings };
}

describe('review_report', () => {
  it('keeps an object of the schema', async () => {
    const { kept, findings } = reviewCollector();
    const { text } = await callTool(reviewReport, { report: '{"risk": 1}' }, { findings });
    expect(text).toBe('The report has the shape that was asked for.');
    expect(kept).toEqual([{ risk: 1 }]);
  });

  it.each([
    ['what is no JSON', '{risk', [], /^\/report: no JSON: /],
    ['a secret', '"s3cret"', [], /^\/report: holds a secret$/],
    ['another shape', '{}', ['/risk: is missing'], /^\/risk: is missing$/],
  ])('refuses %s', async (_name, report, problems, says) => {
    const { kept, findings } = reviewCollector(problems);
    const called = await callTool(reviewReport, { report }, { findings });
    expect(called).toEqual({ problems: [expect.stringMatching(says)] });
    expect(kept).toEqual([]);
  });
});
