/** The interface of test runner adapters: each runs tests on changed texts in its own way. */

/** The message of a case that reached its time limit. */
export const outOfTime = 'ran out of time';

/** A line of a file of the project, counted from 1. */
export interface SourceLine {
  readonly path: string;
  readonly line: number;
}

/** The result of one test case. */
export interface CaseResult {
  /** File, suites and name, joined by ` > `. */
  readonly id: string;
  /** The test file; empty if the report does not name it. */
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** For a failure: the beginning of its message, and the project's lines on its stack, top first. */
  readonly message?: string;
  readonly frames?: readonly SourceLine[];
  /** The values that the failed assertion compared, as texts. */
  readonly compared?: ComparedValues;
}

/** The value that a test got, and the one that it expects. */
export interface ComparedValues {
  readonly actual: string;
  readonly expected: string;
}

/** The lines that ran, by file. `id` is undefined for lines that ran while the test file was loaded. */
export interface Coverage {
  readonly id: string | undefined;
  readonly file: string;
  readonly files: Readonly<Record<string, readonly number[]>>;
}

/** Part of a job: test files, and the cases of them to run; undefined runs all. */
export interface Stage {
  readonly tests: readonly string[];
  readonly only: readonly string[] | null;
}

/** Time of a case, in milliseconds: of the processor, and of the clock on the wall. */
export interface CaseTime {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** In milliseconds: processor time of loading the tests, of a case, and of a job; wall-clock time of a case and of a job. */
export interface JobLimits {
  readonly loadMs: number;
  readonly caseMs: number;
  readonly cpuMs: number;
  readonly waitMs: number;
  readonly wallMs: number;
}

export interface Job {
  /** Texts that differ from the session. */
  readonly files: Readonly<Record<string, string>>;
  readonly stages: readonly Stage[];
  /** True to end at the first failure. */
  readonly bail: boolean;
  /** Cases whose failures end nothing, for a runner that cannot leave them out. */
  readonly flaky?: ReadonlySet<string>;
  /** True to find the lines that run: by case, or of the whole run where each candidate takes a process. */
  readonly coverage: boolean;
}

export interface JobResult {
  readonly cases: readonly CaseResult[];
  /** `time`: the time limit ended the job. `crash`: the code under test ended the process. */
  readonly ended: 'done' | 'time' | 'crash';
  readonly coverage: readonly Coverage[];
  /** Processor time of the job, in milliseconds. */
  readonly cpuMs: number;
  /** Processor time of the file that took longest to load, in milliseconds, if the runner measures it. */
  readonly loadMs?: number;
  /** What the cases that ended took, by id, if the runner measures it and the job did not end at the first failure. */
  readonly spent?: Readonly<Record<string, CaseTime>>;
  /** Why the code under test ended the process, or what makes the runner slow, as far as it knows. */
  readonly why?: string;
  /** Names of the built-in objects and variables that the job left changed in a thread, if the runner shares one. */
  readonly changed?: readonly string[];
}

/** Runs jobs one after another in its own copy. */
export interface TestRunner {
  run(job: Job): Promise<JobResult>;
  close(): void;
}

/** A way to run the tests of a project, found from its test command. */
export interface RunnerAdapter {
  /** The name in messages, such as `node:test, warm`. */
  readonly name: string;
  /** Why each candidate takes a process, where a runner could have stayed open. */
  readonly slow?: string;
  /** The results of the tests without a change. */
  readonly base: readonly CaseResult[];
  /** Cases of the base that ended otherwise in another run of the same code, beside cases that fail in each run. */
  readonly flaky?: ReadonlySet<string>;
  /** Lines by case; empty if the runner cannot record them for each. */
  readonly coverage: readonly Coverage[];
  /** Maximum candidates to try: reflects the speed of the runner without depending on a clock. */
  readonly maxCandidates: number;
  /** Minimum number of candidates to try after the first that passes. */
  readonly further: number;
  /** Opens a runner for candidates. */
  open(): Promise<TestRunner>;
  close(): void;
}
