/** Runs the test command once on a clean view and reads the results. */
import { PhotonError } from '../base/codes.ts';
import type { VerificationRun } from '../base/outcome.ts';
import { plural, sum } from '../base/plural.ts';
import { unrunnableBy } from '../ecosystems/commands/runnable.ts';
import type { CommandStage } from '../ecosystems/commands/stages.ts';
import type { ReadReport, TestCase } from '../ecosystems/shared/test-case.ts';
import { shell } from '../process/shell.ts';
import type { CommandEnd } from '../sandbox/sandbox.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { ViewMount } from '../workspace/views/view.ts';
import { countCases, isKilled, type StageRun, type TestRun } from './judge/test-run.ts';
import { describeForm, parseReport, readOutput } from './reports/parse-report.ts';
import { parseTap } from './reports/parse-tap.ts';
import {
  countSummaries,
  filesWithoutCases,
  findFailedCases,
  readSummaries,
  type WhatRan,
  whatRan,
} from './reports/run-summary.ts';
import { requireStarted, runInView, type SandboxedView } from './set-up/run-in-view.ts';
import type { OpenSetUp } from './set-up/set-up-views.ts';

/** A fresh folder that holds the checkout with exactly the given changes. */
interface TestView extends ViewMount {
  /** Text of a report in the view; undefined if it does not exist, `too-large` if it exceeds the limit. */
  readReport(path: string): string | 'too-large' | undefined;
  close(): Promise<void>;
}

/** Options of a run of the tests. */
export interface RunOptions {
  /** Opens a view after its set-up. */
  readonly open: OpenSetUp<TestView>;
  readonly command: string;
  /** The command in the words of the log; undefined for the command itself. */
  readonly title?: string | undefined;
  /** Runs these instead of the command, each whatever the one before it returned; absent or one: the command. */
  readonly stages?: readonly CommandStage[];
  readonly network: 'none' | 'setup' | 'allow';
  /** Path of a report in a format that `parseReport` reads; empty if the command writes none. */
  readonly report: string;
  readonly timeoutMs: number;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Enough for the lines of some 10,000 cases. */
const outputBytes = 1_000_000;
const tailChars = 4_000;

/** The end of an output from the begin of a line. */
function lastLines(output: string): string {
  const tail = output.slice(-tailChars);
  return tail === output ? tail : tail.slice(tail.slice(0, -1).indexOf('\n') + 1);
}

/**
 * Runs the tests on the base with these changes.
 * @throws PhotonError `TEST_COMMAND_UNRUNNABLE` for a run without changes; `SETUP_FAILED`, `SANDBOX_UNAVAILABLE`,
 * `DISK`, `CANCELLED`.
 */
export async function runTests(
  options: RunOptions,
  changes: readonly FileChange[],
): Promise<TestRun> {
  options.signal.throwIfAborted();
  const place = await options.open(changes, options.signal);
  const { view } = place;
  try {
    const on = changes.length === 0 ? 'no patch' : plural(changes.length, 'changed file');
    // what a titled run adds to the view are no files of the patch
    options.log(`Verify: ${options.title ?? `${options.command} (${on})`}`);
    const ends = await runStages(options, place, changes);
    const ran = await readRun(options, view, ends);
    if (changes.length === 0) {
      requireRunnable(ran);
      requireReadable(options.report, view, ran);
    }
    return ran;
  } finally {
    await view.close();
  }
}

interface StageEnd extends CommandEnd {
  readonly name: string;
  /** True for the first stage after which the report exists. */
  readonly wroteReport: boolean;
}

/** Runs the command, or its stages one after the other, up to a limit that ends one. */
async function runStages(
  options: RunOptions,
  place: SandboxedView<TestView>,
  changes: readonly FileChange[],
): Promise<readonly StageEnd[]> {
  const { stages = [], command, report } = options;
  const ends: StageEnd[] = [];
  let timeoutMs = options.timeoutMs;
  for (const stage of stages.length > 1 ? stages : [{ name: command, line: command }]) {
    // an older report must not count as the report of this run
    const clean = report === '' || ends.length > 0 ? '' : shell.removing(report);
    const end = await runInView(place, {
      caller: changes.length === 0 ? 'baseline' : 'verify',
      command: `${clean}${stage.line}`,
      network: options.network === 'allow',
      timeoutMs,
      maxOutputBytes: outputBytes,
      signal: options.signal,
    });
    requireStarted(end, options.scrub);
    const isNew = report !== '' && !ends.some(e => e.wroteReport);
    const wroteReport = isNew && place.view.readReport(report) !== undefined;
    ends.push({ ...end, name: stage.name, wroteReport });
    if (end.limit !== undefined) break;
    // a stage for which no time is left reaches the limit
    timeoutMs = Math.max(1, timeoutMs - end.durationMs);
  }
  return ends;
}

async function readRun(
  options: RunOptions,
  view: TestView,
  ends: readonly StageEnd[],
): Promise<TestRun> {
  const output =
    ends.length === 1
      ? (ends[0]?.output ?? '')
      : ends.map(e => `> ${e.name}\n${e.output}`).join('\n');
  const refused = ends.map(e => e.refusedConnections).filter(n => n !== undefined);
  const failed = ends.find(e => isKilled(e.exitCode ?? null)) ?? ends.find(e => e.exitCode !== 0);
  const truncated = ends.some(e => e.truncated);
  const named = truncated ? undefined : readOutput(output);
  const reported = await readCases(options, view, truncated ? '' : output);
  const tooLarge = reported === 'too-large';
  const root = `${view.path}/`;
  const known = (tooLarge ? undefined : (reported ?? named?.cases))?.map(c =>
    c.file?.startsWith(root) ? { ...c, file: c.file.slice(root.length) } : c,
  );
  const shown = options.scrub(output);
  const run: VerificationRun = {
    command: options.command,
    exitCode: (failed === undefined ? 0 : failed.exitCode) ?? null,
    limit: ends.find(e => e.limit !== undefined)?.limit ?? null,
    refusedConnections: refused.length === 0 ? null : sum(refused),
    durationMs: sum(ends.map(e => e.durationMs)),
    outputTail: lastLines(shown),
    passed: failed === undefined,
    cases: known ? countCases(known) : countSummaries(truncated ? '' : output, !failed),
    failedCases:
      failed && listFailed(options.scrub, { cases: known, output: shown }, named?.failures),
  };
  return {
    run,
    output: shown,
    cases: known,
    reported: reported !== undefined && !tooLarge,
    reportTooLarge: tooLarge,
    summaries: readSummaries(output),
    // a report that is too large is no empty one
    ran: tooLarge ? manyCases : whatRan(known, output),
    emptyFiles: filesWithoutCases(output),
    failures: named?.failures,
    stages: ends.map(end => buildStageRun(end, known)),
  };
}

function listFailed(
  scrub: RunOptions['scrub'],
  ran: Pick<TestRun, 'cases' | 'output'>,
  named: TestRun['failures'],
): VerificationRun['failedCases'] {
  const ids = ran.cases?.filter(c => c.status === 'failed').map(c => c.id) ?? named;
  const found = findFailedCases(ran, ids);
  return found?.map(({ name, text }) => ({ name: scrub(name), text: scrub(text) }));
}

const manyCases: WhatRan = { kind: 'cases' };

function buildStageRun(
  { name, exitCode, output, wroteReport }: StageEnd,
  known: readonly TestCase[] | undefined,
): StageRun {
  const tap = parseTap(output);
  const cases = wroteReport ? known : tap === 'too-large' ? undefined : tap;
  const counted = readSummaries(output).some(s => s.failed > 0);
  const explained = counted || cases?.some(c => c.status === 'failed') === true;
  return { name, exitCode, explained, output };
}

function requireRunnable({ run, cases, summaries }: TestRun): void {
  const found = cases === undefined && summaries.length === 0 ? unrunnableBy(run) : undefined;
  if (found !== undefined)
    throw new PhotonError('TEST_COMMAND_UNRUNNABLE', found.why, { hint: found.cure });
}

/** @throws PhotonError `VERIFY_REPORT_FORM` for a report in another form: it would decide nothing. */
function requireReadable(
  path: string,
  view: TestView,
  { reported, reportTooLarge }: TestRun,
): void {
  if (path === '' || reported || reportTooLarge) return;
  const text = view.readReport(path);
  const form = text === undefined || text === 'too-large' ? undefined : describeForm(text);
  if (form !== undefined)
    throw new PhotonError('VERIFY_REPORT_FORM', `verify.report names ${path}, which is ${form}.`);
}

/** Cases from the report file if one is named, otherwise from TAP in the output. */
async function readCases(options: RunOptions, view: TestView, output: string): Promise<ReadReport> {
  const report = options.report === '' ? undefined : view.readReport(options.report);
  if (report === 'too-large') return report;
  return report === undefined ? parseTap(output) : parseReport(report);
}
