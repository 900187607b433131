/** What is known of the tests of a project, and how candidates run: each in a new process, as the project runs its tests. */

/** A line of a file of the project, counted from 1. */
export interface SourceLine {
  readonly path: string;
  readonly line: number;
}

/** The result of one test case. */
export interface CaseResult {
  /** Suites and name, joined by ` > `, or what the runner prints. */
  readonly id: string;
  /** The test file; empty if the runner does not name it. */
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** For a failure: the beginning of its message, and the project's lines on its stack, top first. */
  readonly message?: string;
  readonly frames?: readonly SourceLine[];
}

/** Lines by path. */
export type Lines = ReadonlyMap<string, ReadonlySet<number>>;

/** The lines that ran; empty if the runner does not tell. */
export interface RanLines {
  /** Those of the failing cases. */
  readonly failing: Lines;
  /** Those of the other cases. */
  readonly others: Lines;
}

export interface RunResult {
  readonly cases: readonly CaseResult[];
  /** `time`: a limit ended the run. `crash`: something beside the cases failed. */
  readonly ended: 'done' | 'time' | 'crash';
}

/** Runs candidates one after another in its own copy. */
export interface TestRunner {
  /** Runs the failing cases with these texts, and then, if they pass, the whole command. */
  run(files: Readonly<Record<string, string>>): Promise<RunResult>;
  close(): void;
}

/** How the tests of a project run, found from its test command. */
export interface RunnerAdapter {
  /** The name in messages, such as `node --test`. */
  readonly name: string;
  /** The results of the tests without a change, without those that differ from run to run. */
  readonly base: readonly CaseResult[];
  readonly ran: RanLines;
  /** Opens a runner for candidates. */
  open(): Promise<TestRunner>;
}
