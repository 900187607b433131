/** The object that `output-schema` asks for: required of an answer, and of nothing else. */
import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../src/base/outcome.ts';
import { answer } from '../../../src/run/kinds/answer.ts';
import { change } from '../../../src/run/kinds/change.ts';
import { plan } from '../../../src/run/kinds/plan.ts';
import { openReportKeeper, withReport } from '../../../src/run/kinds/report-keeper.ts';
import { review } from '../../../src/run/kinds/review.ts';
import type { LoadedRun, RunKind } from '../../../src/run/stages.ts';

const policy = {
  outputSchema: { findProblems: async () => ['of the answer'] },
  reviewSchema: { findProblems: async () => ['of the review'] },
};
const open = (kind: RunKind) =>
  openReportKeeper({ request: { kind }, policy } as unknown as LoadedRun);
const ending = (more: object) => ({ status: 'answered', code: 'TASK_ANSWERED', ...more }) as Ending;

describe('the object of a run', () => {
  it('has the schema of its kind', async () => {
    expect(await open(answer)?.problems({})).toEqual(['of the answer']);
    expect(await open(change)?.problems({})).toEqual(['of the answer']);
    expect(await open(review)?.problems({})).toEqual(['of the review']);
    expect(open(plan)).toBeUndefined();
  });

  it('is in the ending of an answer, which fails without it', () => {
    const report = open(answer);
    expect(withReport(report, ending({}))).toMatchObject({
      status: 'failed',
      code: 'REVIEW_REPORT_MISSING',
    });
    report?.keep({ risk: 'low' });
    expect(withReport(report, ending({}))).toEqual(ending({ report: { risk: 'low' } }));
    const other = ending({ status: 'abstained' });
    expect(withReport(report, other)).toBe(other);
    expect(withReport(undefined, ending({}))).toEqual(ending({}));
  });
});
