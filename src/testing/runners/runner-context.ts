/** What a test runner adapter works with: texts of the session, and copies of the checkout to run tests in. */
import type { Running } from '../../process/run-process.ts';
import type { CommandEnd } from '../../sandbox/sandbox.ts';

/** A copy of the checkout behind the walls of the sandbox; what is changed in it stays in it. */
export interface RunnerView {
  /** Runs a shell line to its end in the copy's root folder, without network. */
  run(line: string, timeoutMs: number): Promise<CommandEnd>;
  /** Starts a program that stays. */
  start(argv: readonly string[]): Running;
  /** Sets texts of files between two runs; `null` takes the file away. */
  place(files: ReadonlyMap<string, string | null>): Promise<void>;
  /** Text of a file that a run wrote, bounded; null when there is none. */
  read(path: string): string | null;
  close(): void;
}

/** One test case of a report, as the room of verification reads it. */
export interface ReportedCase {
  readonly id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Of a failure: what the report says of it. */
  readonly message?: string;
  /** The test file, as the report names it. */
  readonly file?: string;
}

export interface RunnerContext {
  /** The project's test command, a shell line; null when verification is waived. */
  readonly testCommand: string | null;
  /** Report that the command writes; empty when there is none. */
  readonly report: string;
  /** Most milliseconds of one run of the tests. */
  readonly testTimeoutMs: number;
  /** How many copies may work at the same time. */
  readonly copies: number;
  /** Paths of regular files as the session has them, in git's order. */
  files(): Promise<readonly string[]>;
  /** Text of a file as the session has it; null when it is no text or not there. */
  text(path: string): Promise<string | null>;
  /** True for a test, or what tests are made of. */
  isTest(path: string): boolean;
  /** Cases of a report or of what a runner printed; null when it is none. */
  readCases(text: string): Promise<readonly ReportedCase[] | null>;
  /** Program text of a runner that Photon ships (`assets/runners/`). */
  runner(name: string): string;
  /** Tells that tests of the checkout never end, so that nothing else waits for them. */
  testsNeverEnd(): void;
  /** Opens a copy, set up as the tests need it. */
  open(): Promise<RunnerView>;
  log(line: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Time after which nothing is started any more, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}
