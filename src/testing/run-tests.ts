/** Runs the test command once on a clean view, after its set-up, and reads the results. */
import type { VerificationRun } from '../outcome.ts';
import type { CommandEnd, Sandbox } from '../sandbox/sandbox.ts';
import type { FileChange, FileState } from '../workspace/files/change.ts';
import type { ViewMount } from '../workspace/views/view.ts';
import { quoted } from './commands/parse-command.ts';
import { changesSetUp, repeatedSetUp, type SetUpFiles } from './commands/set-up.ts';
import { countCases } from './judge.ts';
import { parseReport } from './reports/parse-report.ts';
import { parseTap } from './reports/parse-tap.ts';
import { filesWithoutCases, readSummaries } from './reports/run-summary.ts';
import type { ReadReport } from './reports/test-case.ts';
import {
  type CommandInView,
  requireStarted,
  runInView,
  type SandboxedView,
  setUpView,
} from './run-in-view.ts';
import type { TestRun } from './test-run.ts';

/** A fresh folder that holds the checkout with exactly the given changes. */
export interface TestView extends ViewMount {
  /** Text of a report in the view; null if it does not exist, `too-large` if it exceeds the limit. */
  readReport(path: string): string | 'too-large' | null;
  /** Writes these states into the view; no command may run in it meanwhile. */
  place(states: ReadonlyMap<string, FileState | null>): Promise<void>;
  close(): Promise<void>;
}

type TestPlace = SandboxedView<TestView>;

/** Options of a run of the tests. */
export interface RunOptions {
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<TestView>;
  readonly command: string;
  /** Empty if there is no set-up. */
  readonly setupCommand: string;
  /** Files of the base that the set-up command reads; called only if there is one. */
  readonly setUpFiles: () => Promise<SetUpFiles>;
  readonly network: 'none' | 'setup' | 'allow';
  /** Path of a report in JUnit XML, jest JSON or TAP; empty if the command writes none. */
  readonly report: string;
  readonly timeoutMs: number;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** Ends the tests as if their time were up. */
  readonly endEarly?: AbortSignal;
}

const outputBytes = 64_000;
const tailChars = 4_000;

/**
 * Runs the tests on the base with these changes.
 * @throws PhotonError `SETUP_FAILED`, `SANDBOX_UNAVAILABLE`, `DISK`, `CANCELLED`.
 */
export async function runTests(
  options: RunOptions,
  changes: readonly FileChange[],
): Promise<TestRun> {
  options.signal.throwIfAborted();
  const sandbox = await options.sandbox();
  // only the base is set up with network, so that a patch cannot send anything out
  const baseFirst = options.setupCommand !== '' && options.network === 'setup';
  const view = await options.openView(sandbox, baseFirst ? [] : changes);
  const place = { sandbox, view };
  try {
    if (options.setupCommand !== '')
      await (baseFirst ? setUpFromBase : setUpPatched)(options, place, changes);
    options.log(`Verify: ${options.command} (${changes.length} changed files)`);
    // an older report must not count as the report of this run
    const command =
      options.report === ''
        ? options.command
        : `rm -f -- ${quoted(options.report)}\n${options.command}`;
    const end = await runInView(
      place,
      viewCommand(options, {
        caller: changes.length === 0 ? 'baseline' : 'verify',
        command,
        network: options.network === 'allow',
      }),
    );
    requireStarted(end, options.scrub);
    return await readRun(options, view, end);
  } finally {
    await view.close();
  }
}

async function readRun(options: RunOptions, view: TestView, end: CommandEnd): Promise<TestRun> {
  const cases = await readCases(options, view, end);
  const known = cases === 'too-large' ? null : cases;
  const run: VerificationRun = {
    command: options.command,
    exitCode: end.exitCode,
    limit: end.limit,
    refusedConnections: end.refusedConnections,
    durationMs: end.durationMs,
    outputTail: options.scrub(end.output).slice(-tailChars),
    passed: end.exitCode === 0,
    ...(known === null ? {} : { cases: countCases(known) }),
  };
  const summaries = readSummaries(end.output);
  const emptyFiles = filesWithoutCases(end.output);
  return { run, cases: known, reportTooLarge: cases === 'too-large', summaries, emptyFiles };
}

/** Sets up the base with the patch, with the network that the settings allow. */
async function setUpPatched(options: RunOptions, place: TestPlace): Promise<void> {
  const network = options.network === 'allow';
  await setUp(options, place, { command: options.setupCommand, network });
}

/** Sets up the base with network, places the patch, and repeats without network what the patch may affect. */
async function setUpFromBase(
  options: RunOptions,
  place: TestPlace,
  changes: readonly FileChange[],
): Promise<void> {
  await setUp(options, place, { command: options.setupCommand, network: true });
  if (changes.length === 0) return;
  await place.view.place(new Map(changes.map(c => [c.path, c.after])));
  const files = await options.setUpFiles();
  const command = changes.some(c => changesSetUp(c, files))
    ? options.setupCommand
    : repeatedSetUp(options.setupCommand, files);
  if (command !== '') await setUp(options, place, { command, network: false });
}

interface Command {
  readonly command: string;
  readonly network: boolean;
}

async function setUp(options: RunOptions, place: TestPlace, run: Command): Promise<void> {
  options.log(`Set up: ${run.command}${run.network ? '' : ' (without network)'}`);
  const offline = options.network === 'setup' && !run.network;
  await setUpView(place, {
    ...viewCommand(options, { ...run, caller: 'setup' }),
    scrub: options.scrub,
    name: offline ? 'With the patch and without network, the set-up command' : 'The set-up command',
  });
}

function viewCommand(
  options: RunOptions,
  run: Command & Pick<CommandInView, 'caller'>,
): CommandInView {
  return {
    ...run,
    timeoutMs: options.timeoutMs,
    maxOutputBytes: outputBytes,
    signal: options.signal,
    endEarly: options.endEarly,
  };
}

/** Cases from the report file if one is named, otherwise from the output. */
async function readCases(
  options: RunOptions,
  view: TestView,
  end: CommandEnd,
): Promise<ReadReport> {
  const report = options.report === '' ? null : view.readReport(options.report);
  if (report === 'too-large') return report;
  if (report !== null) return parseReport(report);
  return end.truncated ? null : parseTap(end.output);
}
