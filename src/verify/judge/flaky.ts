/** Test cases that pass and fail on the same files: they decide nothing. Pure. */
import type { TestRun } from './test-run.ts';

/** Ids of the cases that passed in one of these runs of the same files and failed in another. */
export function flakyCases(runs: readonly TestRun[]): readonly string[] {
  const seen = new Map<string, Set<string>>();
  for (const { cases } of runs)
    for (const { id, status } of cases ?? [])
      seen.set(id, (seen.get(id) ?? new Set<string>()).add(status));
  return [...seen].filter(([, s]) => s.has('passed') && s.has('failed')).map(([id]) => id);
}

/** Ids of the failed cases; undefined if the run does not list its cases. */
export function failedCases({ cases }: TestRun): readonly string[] | undefined {
  return cases?.filter(c => c.status === 'failed').map(c => c.id);
}

/** Cases that failed before and pass with the patch. */
export function turnedGreen(before: TestRun, after: TestRun): readonly string[] {
  const failed = new Set(failedCases(before) ?? []);
  return (after.cases ?? []).filter(c => c.status === 'passed' && failed.has(c.id)).map(c => c.id);
}

/** Cases that the base does not have. */
export function newCases(before: TestRun, after: TestRun): readonly string[] {
  if (before.cases === undefined || after.cases === undefined) return [];
  const known = new Set(before.cases.map(c => c.id));
  return after.cases.filter(c => c.status === 'passed' && !known.has(c.id)).map(c => c.id);
}
