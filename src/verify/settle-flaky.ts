/** Runs tests again to find the cases that pass and fail on the same files, and decides which run counts. */
import type { Verification } from '../base/outcome.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { findSameFailures } from './judge/judge.ts';
import type { TestRun } from './judge/test-run.ts';
import { failedCases, flakyCases, turnedGreen } from './judge/test-run.ts';

/** The settings that decide whether tests run again. */
interface RepeatOptions {
  readonly require: Verification['require'];
  /** How often tests run on the same files, at least once. */
  readonly reruns: number;
  /** Undefined if nothing is looked for. */
  readonly measure: unknown;
}

/** True if cases fail on the base and can be told apart, so that runs of the same files are compared. */
const isRepeated = ({ reruns, measure }: RepeatOptions, before: TestRun): boolean =>
  reruns > 1 &&
  measure !== undefined &&
  before.run.limit === null &&
  (failedCases(before) ?? []).length > 0;

/** Runs of the test command on the same files as an earlier run. */
interface RepeatedRuns {
  readonly beforeAgain: () => Promise<readonly TestRun[]>;
  readonly run: (changes: readonly FileChange[]) => Promise<TestRun>;
  /** At least the cases that failed before, with these changes. */
  readonly failingAgain: (changes: readonly FileChange[]) => Promise<TestRun>;
}

/** True if the second run has every case that failed in the first. */
export function repeatsFailed(first: TestRun, second: TestRun): boolean {
  const ran = new Set((second.cases ?? []).map(c => c.id));
  return (failedCases(first) ?? []).every(id => ran.has(id));
}

/** Runs the tests of the base again if cases fail there and can be told apart. @returns the further runs. */
export async function repeatFailing(
  options: RepeatOptions,
  baseline: () => Promise<TestRun>,
  run: () => Promise<TestRun>,
): Promise<readonly TestRun[]> {
  const further: TestRun[] = [];
  if (!isRepeated(options, await baseline())) return further;
  while (further.length < options.reruns - 1) further.push(await run());
  return further;
}

/** True if a run with the patch may pass, as far as it shows without a comparison of each case. */
export function mayPass(
  { require }: Pick<RepeatOptions, 'require'>,
  before: TestRun,
  ran: TestRun,
): boolean {
  if (ran.run.exitCode === 0) return true;
  if (require === 'no-regression') return !before.run.passed;
  return require === 'pass' && findSameFailures(before, ran) !== undefined;
}

interface FlakyFacts {
  readonly changes: readonly FileChange[];
  readonly before: TestRun;
  readonly first: TestRun;
  /** The tests that ran first with the same changes; undefined if none did. */
  readonly early: TestRun | undefined;
}

/** The run with the patch that counts, and the cases that decide nothing. */
export async function settleFlaky(
  { reruns, measure, require }: RepeatOptions,
  runs: RepeatedRuns,
  { changes, before, first, early }: FlakyFacts,
) {
  const onBase = await runs.beforeAgain();
  const known = flakyCases([before, ...onBase]);
  if (measure === undefined || changes.length === 0)
    return { after: first, flaky: known, warnings: [] };
  const failed = failedCases(first) ?? [];
  const excusable = failed.length > 0 && failed.every(id => known.includes(id));
  // what ran first ran again in the whole suite
  const hasRun = !excusable && early !== undefined && repeatsFailed(before, early);
  const tried = hasRun ? [first, early] : [first];
  const green = mayPass({ require }, before, first) ? turnedGreen(before, first) : [];
  if (excusable || green.length > 0)
    // to excuse a failure, the whole command has to succeed once
    while (tried.length < reruns)
      tried.push(await (excusable ? runs.run(changes) : runs.failingAgain(changes)));
  const flaky = [...new Set([...known, ...flakyCases(tried)])];
  const after = (excusable ? tried.find(t => t.run.exitCode === 0) : undefined) ?? first;
  const listIds = (ids: readonly string[]) => ids.slice(0, 5).join('; ');
  const chance = green.length > 0 && green.every(id => flaky.includes(id));
  const warnings = [
    chance
      ? `The tests that failed before are flaky, so they do not show that the patch repairs anything: ${listIds(green)}.`
      : undefined,
    flaky.length > known.length
      ? `With the patch, these tests pass and fail on the same files: ${listIds(flaky.filter(id => !known.includes(id)))}.`
      : undefined,
  ].filter(item => item !== undefined);
  return { after, flaky, warnings };
}
