/** The object that a workflow asks for: kept while a run goes on, and required of the answer that it ends with. */
import { codes } from '../../base/codes.ts';
import type { Ending } from '../../base/outcome.ts';
import type { ReportKeeper } from '../../tools/tool.ts';
import type { LoadedRun } from '../stages.ts';

/** Opens what keeps the object; undefined if the workflow asks this kind of run for none. */
export function openReportKeeper({
  request: { kind },
  policy,
}: LoadedRun): ReportKeeper | undefined {
  const schema = kind.schema?.(policy);
  if (schema === undefined) return undefined;
  let kept: unknown;
  return {
    problems: schema.findProblems,
    keep: report => {
      kept = report;
    },
    value: () => kept,
  };
}

/** The ending with the object, which an answer and a review need. A review holds it beside its findings. */
export function withReport(report: ReportKeeper | undefined, ending: Ending): Ending {
  if (report === undefined || ending.status !== 'answered') return ending;
  const code = 'REVIEW_REPORT_MISSING';
  if (report.value() === undefined)
    return { ...ending, status: 'failed', code, message: codes[code].meaning };
  return ending.review === undefined ? { ...ending, report: report.value() } : ending;
}
