/** One run of the test command on a clean view, behind its set-up; and what the run told. */
import { PhotonError } from '../codes.ts';
import type { VerificationRun } from '../outcome.ts';
import type { CommandEnd, Sandbox } from '../sandbox/sandbox.ts';
import type { FileChange, FileState } from '../workspace/files/change.ts';
import type { ViewMount } from '../workspace/views/view.ts';
import { countCases } from './judge.ts';
import { parseJsonReport } from './report-json.ts';
import { parseJunit } from './report-junit.ts';
import { parseTap } from './report-tap.ts';
import { filesWithoutCases, readSummaries } from './run-summary.ts';
import { changesSetUp, repeatedSetUp, type SetUpFiles } from './set-up.ts';
import type { ReadReport } from './test-case.ts';
import type { TestRun } from './test-run.ts';

/** A fresh folder with the checkout and exactly some changes. */
export interface TestView extends ViewMount {
  /** Text of a report inside the view; null when there is none, `too-large` when it is not read. */
  readReport(path: string): string | 'too-large' | null;
  /** Puts these states into the view, while nothing runs in it. */
  place(states: ReadonlyMap<string, FileState | null>): Promise<void>;
  close(): Promise<void>;
}

/** What a run of the tests needs to know. */
export interface RunOptions {
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<TestView>;
  readonly command: string;
  /** Empty when there is none. */
  readonly setupCommand: string;
  /** What the set-up command reads of the base; asked for when there is one. */
  readonly setUpFiles: () => Promise<SetUpFiles>;
  readonly network: 'none' | 'setup' | 'allow';
  /** Path of a JUnit or JSON report; empty when the command writes none. */
  readonly report: string;
  readonly timeoutMs: number;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** Ends the tests as if their time was up. */
  readonly cut?: AbortSignal;
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
  // with a network, what sets up is the base: a patch has none to send anything over
  const baseFirst = options.setupCommand !== '' && options.network === 'setup';
  const view = await options.openView(sandbox, baseFirst ? [] : changes);
  try {
    if (options.setupCommand !== '')
      await (baseFirst ? setUpFromBase : setUpPatched)(options, { sandbox, view }, changes);
    options.log(`Verify: ${options.command} (${changes.length} changed files)`);
    const end = await inSandbox(
      options,
      { sandbox, view },
      {
        // a report that was there before is none of this run
        command:
          options.report === ''
            ? options.command
            : `rm -f -- ${quoted(options.report)}\n${options.command}`,
        network: options.network === 'allow',
      },
    );
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

interface Ground {
  readonly sandbox: Sandbox;
  readonly view: TestView;
}

/** With the network of the settings, on the base with the patch. */
async function setUpPatched(options: RunOptions, ground: Ground): Promise<void> {
  const network = options.network === 'allow';
  await setUp(options, ground, { command: options.setupCommand, network });
}

/** The base is set up with a network; then the patch comes, and what depends on it is done again without. */
async function setUpFromBase(
  options: RunOptions,
  ground: Ground,
  changes: readonly FileChange[],
): Promise<void> {
  await setUp(options, ground, { command: options.setupCommand, network: true });
  if (changes.length === 0) return;
  await ground.view.place(new Map(changes.map(c => [c.path, c.after])));
  const files = await options.setUpFiles();
  const command = changes.some(c => changesSetUp(c, files))
    ? options.setupCommand
    : repeatedSetUp(options.setupCommand, files);
  if (command !== '') await setUp(options, ground, { command, network: false });
}

interface Command {
  readonly command: string;
  readonly network: boolean;
}

async function setUp(options: RunOptions, ground: Ground, run: Command): Promise<void> {
  options.log(`Set up: ${run.command}${run.network ? '' : ' (without network)'}`);
  const end = await inSandbox(options, ground, run);
  if (end.exitCode === 0) return;
  const how = end.limit !== null ? `its ${end.limit} limit` : `exit ${end.exitCode}`;
  const where =
    options.network === 'setup' && !run.network
      ? 'With the patch and without network, the set-up command'
      : 'The set-up command';
  throw new PhotonError(
    'SETUP_FAILED',
    `${where} ended with ${how}:\n${options.scrub(end.output).slice(-1500)}`,
  );
}

async function inSandbox(
  options: RunOptions,
  { sandbox, view }: Ground,
  run: Command,
): Promise<CommandEnd> {
  const end = await sandbox.run({
    argv: ['sh', '-c', run.command],
    view,
    cwd: '.',
    network: run.network,
    timeoutMs: options.timeoutMs,
    maxOutputBytes: outputBytes,
    signal: options.cut ? AbortSignal.any([options.signal, options.cut]) : options.signal,
  });
  if (end.cancelled && !options.signal.aborted) return { ...end, limit: 'time', cancelled: false };
  if (end.cancelled)
    throw options.signal.reason instanceof PhotonError
      ? options.signal.reason
      : new PhotonError('CANCELLED');
  // what never ran has not failed
  if (!end.began && end.limit === null) throw unstarted(options.scrub(end.output));
  return end;
}

function unstarted(output: string): PhotonError {
  const full = /No space left on device|Read-only file system/.test(output);
  return new PhotonError(
    full ? 'DISK' : 'SANDBOX_UNAVAILABLE',
    `The sandbox could not start the command: ${output.trim().slice(-500)}`,
  );
}

/** Cases by the report file when one is named, else by what was printed. */
async function readCases(
  options: RunOptions,
  view: TestView,
  end: CommandEnd,
): Promise<ReadReport> {
  const report = options.report === '' ? null : view.readReport(options.report);
  if (report === 'too-large') return report;
  if (report !== null)
    return (await parseJunit(report)) ?? parseJsonReport(report) ?? parseTap(report);
  return end.truncated ? null : parseTap(end.output);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
