/** The result of one run of the test command: its end, and its reports. And what runs show together. */

import type { CaseCounts, VerificationRun } from '../../base/outcome.ts';
import { countEach } from '../../base/plural.ts';
import type { RunSummary } from '../../ecosystems/shared/output.ts';
import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import { plainText, readFailures, type WhatRan } from '../reports/run-summary.ts';

export interface TestRun {
  readonly run: VerificationRun;
  /** Its whole output without secrets; absent in a double. */
  readonly output?: string;
  /** Undefined if neither a report nor the output lists every case. */
  readonly cases: readonly TestCase[] | undefined;
  /** True if the cases are from a report or TAP, and not from what a runner prints for people. */
  readonly reported: boolean;
  /** True if the report exceeds the limits. */
  readonly reportTooLarge: boolean;
  readonly summaries: readonly RunSummary[];
  /** Whether any test case ran. */
  readonly ran: WhatRan;
  /** Test files that node:test reports as one passed case. */
  readonly emptyFiles: readonly string[];
  /** The failed cases that the output names; undefined if it does not name them all. */
  readonly failures: readonly string[] | undefined;
  /** The stages of the command that ran one by one, or the whole command. */
  readonly stages: readonly StageRun[];
}

/** The end of one stage of the test command. */
export interface StageRun {
  readonly name: string;
  readonly exitCode: number | undefined;
  /** True if failed test cases explain the exit status. */
  readonly explained: boolean;
  readonly output: string;
}

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

/** The failed cases; undefined if they are not all named. */
export function listFailures(ran: TestRun | undefined): readonly string[] | undefined {
  return ran && (failedCases(ran) ?? ran.failures);
}

/** Counts the passed, failed and skipped cases. */
export function countCases(cases: readonly TestCase[]): CaseCounts {
  const count = (status: TestCase['status']) => cases.filter(c => c.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** True for a process that a signal killed: a shell then returns 128 plus the number of the signal. */
export function isKilled(exitCode: number | null): boolean {
  return exitCode === null || (exitCode > 128 && exitCode <= 192);
}

/** True for a run that neither a limit nor a signal ended. */
export function endedByItself({ limit, exitCode }: VerificationRun): boolean {
  return limit === null && !isKilled(exitCode);
}

/** True if no test case passed in this run, as far as it says. */
export function nothingPassed({ run, cases, summaries }: TestRun): boolean {
  if (run.passed) return false;
  if (cases !== undefined) return cases.every(c => c.status !== 'passed');
  return summaries.every(s => s.ran <= s.failed);
}

/** Cases that failed before and pass with the patch. */
export function turnedGreen(before: TestRun, after: TestRun): readonly string[] {
  const failed = new Set(failedCases(before) ?? []);
  return (after.cases ?? []).filter(c => c.status === 'passed' && failed.has(c.id)).map(c => c.id);
}

/** The cases that pass and that the base does not have, with whether each fails in `alone`: with the tests of the patch only. */
export function newCases(
  before: TestRun,
  after: TestRun,
  alone: TestRun,
): readonly { readonly id: string; readonly failsOnBase: boolean }[] {
  const all = new Set([...(after.cases ?? []), ...(alone.cases ?? [])].map(c => c.id));
  const dropCounter = (id: string) =>
    id.replace(/ \(\d+\)$/, end => (all.has(id.slice(0, -end.length)) ? '' : end));
  const countFailed = (ran: TestRun) => countEach((failedCases(ran) ?? []).map(dropCounter));
  const [failed, old] = [countFailed(alone), countFailed(before)];
  const passes = new Set(alone.cases?.filter(c => c.status === 'passed').map(c => c.id));
  const added = addedCases(before, after)?.filter(c => c.status === 'passed') ?? [];
  return added.map(({ id }) => {
    const name = dropCounter(id);
    const more = (failed.get(name) ?? 0) - (old.get(name) ?? 0);
    failed.set(name, (failed.get(name) ?? 0) - 1);
    return { id, failsOnBase: more > 0 || !passes.has(id) };
  });
}

/** The cases that only the later run has; undefined if a run does not list its cases. */
function addedCases(before: TestRun, after: TestRun): TestRun['cases'] {
  if (before.cases === undefined || after.cases === undefined) return undefined;
  const known = new Set(before.cases.map(c => c.id));
  return after.cases.filter(c => !known.has(c.id));
}

/** Runs of the test command; `base` runs the test on the base, and is not needed for a file that the base lacks. */
interface ShownBy {
  readonly head: TestRun;
  readonly headWithTest: TestRun;
  readonly isNewFile: boolean;
  /** Name of the test file without its ending. */
  readonly stem: string;
  readonly baseWithTest: () => Promise<TestRun>;
  /** True: a test that fails on the base, too, shows something if it fails there in another way. */
  readonly countsOtherFailures?: boolean | undefined;
}

/** What the test shows: how the base answers it, or why it shows nothing. */
export type TestVerdict =
  | { readonly proven: 'passes' | 'new-file' | 'fails-otherwise' }
  | { readonly proven: undefined; readonly why: string };

const no = (why: string): TestVerdict => ({ proven: undefined, why });

/**
 * The test must fail at the head by itself and pass on the base. A test of a file that the base lacks needs a case that
 * passes, too: a test that cannot even run shows nothing.
 */
export async function judgeFailingTest(runs: ShownBy): Promise<TestVerdict> {
  const { head, headWithTest, isNewFile } = runs;
  if (headWithTest.run.limit !== null) return no('the tests reached a limit');
  const added = addedCases(head, headWithTest);
  if (added === undefined) {
    if (head.run.exitCode !== 0) return no('the tests fail at the head without it');
    if (headWithTest.run.exitCode === 0) return no('the test passes at the head');
    if (isNewFile) return no('the test command does not list its cases');
    const base = await runs.baseWithTest();
    if (base.run.exitCode === 0) return { proven: 'passes' };
    if (base.run.limit !== null) return no('the tests reached a limit');
    return runs.countsOtherFailures === true
      ? judgeNamedFailures(runs, base)
      : no('the test fails on the base, too');
  }
  const failed = added.filter(c => c.status === 'failed').map(c => c.id);
  if (failed.length === 0) return no('no case of the test fails at the head');
  if (isNewFile)
    return added.some(c => c.status === 'passed')
      ? { proven: 'new-file' }
      : no('the base lacks the file, so the test needs a case that passes');
  const base = await runs.baseWithTest();
  const passes = (id: string) => base.cases?.some(c => c.id === id && c.status === 'passed');
  if (failed.some(passes)) return { proven: 'passes' };
  const differs = (id: string) => !base.run.limit && failsOtherwise(id, headWithTest, base);
  return runs.countsOtherFailures === true && failed.some(differs)
    ? { proven: 'fails-otherwise' }
    : no('the test fails on the base, too');
}

/** The same where only failures have names, and the base fails without the test, too. */
function judgeNamedFailures(
  { headWithTest, stem }: Pick<ShownBy, 'headWithTest' | 'stem'>,
  base: TestRun,
): TestVerdict {
  const { failures: old } = base;
  const { failures: failed = [] } = headWithTest;
  if (old === undefined) return no('the test fails on the base, too');
  if (failed.some(id => old.includes(id) && failsOtherwise(id, headWithTest, base)))
    return { proven: 'fails-otherwise' };
  // a base that cannot load the test names its file in place of its cases
  const isUnloaded = old.some(id => !failed.includes(id) && id.includes(stem));
  const passes = !isUnloaded && failed.some(id => !old.includes(id));
  return passes ? { proven: 'passes' } : no('the test fails on the base, too');
}

/** True if both runs say why the case fails, in other words than places, addresses and times. */
function failsOtherwise(id: string, ...both: readonly [TestRun, TestRun]): boolean {
  const [head = '', base = ''] = both.map(ran =>
    readFailures(ran)
      .findText(id)
      .split('\n')
      .filter(line => !/^\s*(?:at |File ")/.test(line))
      .join('\n')
      .replace(/:\d+|0x[\da-f]+|[\d.]+ ?m?s\b/gi, ''),
  );
  return head !== '' && base !== '' && head !== base;
}

/**
 * A stage without test cases, such as a lint or a build, that passed before and fails now, or that fails with lines
 * that it did not print before. Otherwise undefined.
 */
export function findWorseStage(
  before: readonly StageRun[],
  after: readonly StageRun[],
): string | undefined {
  for (const { name, exitCode, explained, output } of after) {
    if (exitCode === 0 || explained) continue;
    const known = before.find(s => s.name === name);
    if (known === undefined || known.exitCode === 0)
      return `"${name}" fails with the patch, and not without it.`;
    const line = firstNewLine(known.output, output);
    if (line !== undefined)
      return `"${name}" fails in another way than without the patch: ${line.trim().slice(0, 200)}`;
  }
  return undefined;
}

/** The first line that occurs more often than before, whatever its numbers and the folder of the checkout are. */
function firstNewLine(before: string, after: string): string | undefined {
  const left = countEach(splitLines(before).map(comparable));
  for (const line of splitLines(after)) {
    const count = left.get(comparable(line)) ?? 0;
    if (count === 0) return line;
    left.set(comparable(line), count - 1);
  }
  return undefined;
}

const splitLines = (text: string) =>
  plainText(text)
    .split('\n')
    .filter(line => line.trim() !== '');

function comparable(line: string): string {
  return line
    .trim()
    .slice(0, 1_000)
    .replace(/(?:\/[\w.@+-]+)*(\/[\w.@+-]+\/[\w.@+-]+)/g, '$1')
    .replace(/\d+(?:[.,]\d+)*/g, '#');
}
