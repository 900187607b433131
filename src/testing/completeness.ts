/** Whether a run of the tests came to its end, compared with the run before the patch. Pure. */
import type { RunSummary } from './run-summary.ts';
import type { TestCase } from './test-case.ts';
import type { TestRun } from './test-run.ts';

export interface Expected {
  /** Files of the base that hold tests by what is in them. */
  readonly holdsTests: (path: string) => boolean;
  /** True when fewer cases are what the task asks for, or what the settings let pass. */
  readonly fewer: boolean;
  /** True when the patch changes what runs the tests: another runner may come to its end in place of the one before. */
  readonly otherRunner: boolean;
}

/** What shows that a run ended early, or left cases out; null when nothing does. */
export function whyIncomplete(before: TestRun, ran: TestRun, expected: Expected): string | null {
  return (
    endOfRunners(before.summaries, ran, expected) ??
    falseSuccess(before, ran) ??
    emptyFile(before, ran, expected) ??
    (expected.fewer ? null : missingCases(before, ran))
  );
}

/** Each runner that came to its end before the patch does so again, in the same order, with as many cases. */
function endOfRunners(
  wanted: readonly RunSummary[],
  { summaries, run }: TestRun,
  { fewer, otherRunner }: Expected,
): string | null {
  let at = 0;
  for (const { runner, ran } of wanted) {
    const left = summaries.slice(at);
    const fits = (s: RunSummary) => otherRunner || s.runner === runner;
    const found = left.findIndex(s => fits(s) && (fewer || s.ran >= ran));
    if (found >= 0) {
      at += found + 1;
      continue;
    }
    const others = left.filter(fits).map(s => s.ran);
    return others.length > 0
      ? `${runner} ran ${Math.max(...others)} test cases; before the patch it ran ${ran}.`
      : `The tests ended with exit ${run.exitCode}, but ${runner} never came to its end: its summary is missing.`;
  }
  return null;
}

/** A runner that counts failures and an exit status of success contradict each other. */
function falseSuccess(before: TestRun, ran: TestRun): string | null {
  const failing = (r: TestRun) => r.run.exitCode === 0 && (r.summaries.at(-1)?.failed ?? 0) > 0;
  return failing(ran) && !failing(before)
    ? 'The tests ended with exit 0, but the test runner counts failed cases.'
    : null;
}

/** node:test takes a file that ends its process with 0 for one passed case. */
function emptyFile(before: TestRun, ran: TestRun, { holdsTests }: Expected): string | null {
  const known = new Set(before.emptyFiles);
  const path = ran.emptyFiles.find(p => !known.has(p) && holdsTests(p));
  return path === undefined ? null : `${path} ended before its tests were run.`;
}

function missingCases(before: TestRun, { cases, reportTooLarge, run }: TestRun): string | null {
  if (before.cases === null || reportTooLarge) return null;
  if (cases === null)
    return run.exitCode === 0
      ? 'The run left no report of its test cases, as it did before the patch.'
      : null;
  const ran = (all: typeof cases) => all.filter(isCase).length;
  const wanted = ran(before.cases);
  return ran(cases) < wanted
    ? `${ran(cases)} test cases ran; before the patch ${wanted} did.`
    : null;
}

/** A case that ran. A failure of a file or a hook, or the second one of a case, goes when it is repaired. */
function isCase({ id, status }: TestCase): boolean {
  if (status !== 'failed') return status === 'passed';
  return !/(?:\.[cm]?[jt]sx?|\.py| \(\d+\)|"(?:before|after) (?:each|all)" hook.*)$/.test(id);
}
