/** Decides whether a run of the tests is complete, compared with the run before the patch. Pure. */
import type { RunSummary } from '../../ecosystems/shared/output.ts';
import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import type { TestRun } from './test-run.ts';

export interface CaseExpectations {
  /** True for a file of the base whose text defines tests. */
  readonly holdsTests: (path: string) => boolean;
  /** True if the task asks for fewer cases, or the settings accept them. */
  readonly fewer: boolean;
  /** True if the patch changes how the tests are started, so that another runner may replace the earlier one. */
  readonly otherRunner: boolean;
}

/** Explains why a run is incomplete: it ended early or left cases out. Undefined if it is complete. */
export function whyIncomplete(
  before: TestRun,
  ran: TestRun,
  expected: CaseExpectations,
): string | undefined {
  return (
    endOfRunners(before.summaries, ran, expected) ??
    falseSuccess(before, ran) ??
    emptyFile(before, ran, expected) ??
    (expected.fewer ? undefined : missingCases(before, ran))
  );
}

/** Checks that each runner that ended before the patch ends again, in the same order, with at least as many cases. */
function endOfRunners(
  wanted: readonly RunSummary[],
  { summaries, run }: TestRun,
  { fewer, otherRunner }: CaseExpectations,
): string | undefined {
  let at = 0;
  for (const { runner, ran, failed } of wanted) {
    // a runner that ran nothing has nothing to leave out
    if (ran === 0 && failed === 0) continue;
    const left = summaries.slice(at);
    const fits = (s: RunSummary) => otherRunner || s.runner === runner;
    const found = left.findIndex(s => fits(s) && (fewer || s.ran >= ran));
    if (found >= 0) {
      at += found + 1;
      continue;
    }
    const others = left.filter(fits).map(s => s.ran);
    return others.length > 0
      ? `${runner} ran ${Math.max(...others)} test cases; before the patch, it ran ${ran}.`
      : `The tests ended with exit ${run.exitCode}, but ${runner} did not finish: its summary is missing.`;
  }
  return undefined;
}

/** Checks that a runner that counts failures does not end with the exit status of success. */
function falseSuccess(before: TestRun, ran: TestRun): string | undefined {
  const failing = (r: TestRun) => r.run.exitCode === 0 && (r.summaries.at(-1)?.failed ?? 0) > 0;
  return failing(ran) && !failing(before)
    ? 'The tests ended with exit 0, but the test runner counted failed cases.'
    : undefined;
}

/** Checks for a test file that ended its process with 0, which node:test reports as one passed case. */
function emptyFile(
  before: TestRun,
  ran: TestRun,
  { holdsTests }: CaseExpectations,
): string | undefined {
  const known = new Set(before.emptyFiles);
  const path = ran.emptyFiles.find(p => !known.has(p) && holdsTests(p));
  return path === undefined ? undefined : `${path} ended before its tests ran.`;
}

function missingCases(
  before: TestRun,
  { cases, reportTooLarge, run }: TestRun,
): string | undefined {
  if (before.cases === undefined || reportTooLarge) return undefined;
  if (cases === undefined)
    return run.exitCode === 0 && before.reported
      ? 'The run wrote no report of its test cases. The run before the patch wrote one.'
      : undefined;
  const ran = (all: typeof cases) => all.filter(isCase).length;
  const wanted = ran(before.cases);
  return ran(cases) < wanted
    ? `${ran(cases)} test cases ran; before the patch, ${wanted} ran.`
    : undefined;
}

/** True for a case that ran. A failure of a file or a hook, or the second of a case, disappears with its repair. */
function isCase({ id, status }: TestCase): boolean {
  if (status !== 'failed') return status === 'passed';
  return !/(?:\.[cm]?[jt]sx?|\.py| \(\d+\)|"(?:before|after) (?:each|all)" hook.*)$/.test(id);
}
