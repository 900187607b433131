/** How the engine runs tests on changed texts: one signature, a file a way of running. */

/** What a runner says of a case that used its time. */
export const outOfTime = 'ran out of time';

/** A place in a file of the project, 1-based. */
export interface SourceLine {
  readonly path: string;
  readonly line: number;
}

/** One test case as it ended. */
export interface CaseResult {
  /** File, suites and name, joined by ` > `. */
  readonly id: string;
  /** The test file; empty when the report does not name it. */
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Of a failure: the first part of its message, and the project's lines on its stack, top first. */
  readonly message?: string;
  readonly frames?: readonly SourceLine[];
}

/** Lines that ran, by file. `id` is null for what ran while the test file was loaded. */
export interface Coverage {
  readonly id: string | null;
  readonly file: string;
  readonly files: Readonly<Record<string, readonly number[]>>;
}

/** Part of a job: test files, and which cases of them; null takes all. */
export interface Stage {
  readonly tests: readonly string[];
  readonly only: readonly string[] | null;
}

export interface Job {
  /** Texts that differ from the session's. */
  readonly files: Readonly<Record<string, string>>;
  readonly stages: readonly Stage[];
  /** True: end at the first failure. */
  readonly bail: boolean;
  readonly coverage: boolean;
}

export interface JobResult {
  readonly cases: readonly CaseResult[];
  /** `time`: it was ended because it ran too long. `crash`: the code under test ended the process. */
  readonly ended: 'done' | 'time' | 'crash';
  readonly coverage: readonly Coverage[];
  /** Processor time that it took, in milliseconds. */
  readonly cpuMs: number;
  /** Processor time of the slowest case that came to its end, where the runner tells it. */
  readonly slowestMs?: number;
}

/** Runs jobs one after another in a copy of its own. */
export interface TestRunner {
  run(job: Job): Promise<JobResult>;
  close(): void;
}

/** A way to run the tests of a project, found from its test command. */
export interface RunnerAdapter {
  /** Name for people, such as `node:test, warm`. */
  readonly name: string;
  /** How the tests ended as the checkout stands. */
  readonly base: readonly CaseResult[];
  /** Lines by case; empty when the runner cannot tell. */
  readonly coverage: readonly Coverage[];
  /** Most candidates that are tried: the runner's speed in a number that no clock decides. */
  readonly maxCandidates: number;
  /** How many more are tried, at least, once one has passed. */
  readonly further: number;
  /** Opens a runner for candidates. */
  open(): Promise<TestRunner>;
  close(): void;
}
