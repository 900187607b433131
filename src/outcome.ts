/** The one way a run ended, as data. Everything after it (delivery, report) carries it out. */

import type { Code } from './codes.ts';
import type { DeliveryKind } from './delivery-settings.ts';

/** The six statuses; there is no seventh (SPEC, first table). */
export const statuses = [
  'committed',
  'rolled_back',
  'abstained',
  'needs_clarification',
  'failed',
  'no_change',
] as const;

export type Status = (typeof statuses)[number];

/** How grave an ending is: of several runs in one job the gravest is the job's. */
export const severity: Readonly<Record<Status, number>> = {
  no_change: 0,
  committed: 1,
  needs_clarification: 2,
  abstained: 3,
  rolled_back: 4,
  failed: 5,
};

/** Phases of the pipeline (constitution §2). */
export const phases = [
  'INPUT',
  'PLAN',
  'NAVIGATE',
  'READ',
  'PATCH',
  'VERIFY',
  'COMMIT',
  'ROLLBACK',
] as const;

export type Phase = (typeof phases)[number];

/** What a command that starts no run is answered with. Every word is Photon's own. */
export interface CommandAnswer {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly table?: {
    readonly head: readonly string[];
    /** A cell `#12` refers to that issue or pull request; every other cell is shown as code. */
    readonly rows: readonly (readonly string[])[];
  };
}

/** How a run of the agent ended, before anything is delivered. */
export interface Ending {
  readonly status: Status;
  readonly code: Code;
  readonly phase: Phase;
  /** One or two sentences of Photon's own; never the model's prose. */
  readonly message: string;
  /** Words of the model that the status itself carries: the reason to abstain, the question. */
  readonly statement?: string;
  /** What was wrong and what was changed, in the model's words; shown escaped, never obeyed. */
  readonly summary?: string;
  /** Choices of a clarification. */
  readonly choices?: readonly string[];
  readonly answer?: CommandAnswer;
}

/** A command that was run to prove something, and how it went. */
export interface CommandResult {
  readonly command: string;
  /** Exit status as the kernel gave it; null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  /** What it used more of than it may; null when no limit ended it. */
  readonly limit: Limit | null;
  readonly durationMs: number;
  /** How often something inside tried to reach a network that was not there; null: not counted. */
  readonly refusedConnections: number | null;
  /** The last part of what it printed, bounded, secrets removed. */
  readonly outputTail: string;
}

export interface CaseCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One run of the test command on one view, judged. */
export interface VerificationRun extends CommandResult {
  readonly passed: boolean;
  readonly cases?: CaseCounts;
}

/** What the project's own tests say of the patch (SPEC §11). */
export interface Verification {
  readonly require: 'pass' | 'no-regression' | 'none';
  readonly passed: boolean;
  /** Why it did not pass. */
  readonly code?: Code;
  /** What shows that, where the runs themselves do not say it. */
  readonly reason?: string;
  readonly baseline?: VerificationRun;
  readonly after?: VerificationRun;
  /** The patch with the tests as the base has them; there when the patch touches tests. */
  readonly withBaseTests?: VerificationRun;
  /** Test cases that passed before and fail now (`no-regression`). */
  readonly regressions: readonly string[];
  /** What a reviewer has to know before believing the patch; its pull request is a draft. */
  readonly warnings?: readonly string[];
  /** Files of the patch that decide what the tests are or how they run. */
  readonly testFiles?: readonly {
    readonly path: string;
    /** `tests`: a test; `means`: something else that the tests run with. */
    readonly kind: 'tests' | 'means';
    readonly reason: string;
  }[];
  /** Digest of the patch that was verified. */
  readonly patchDigest: string;
}

/** One file of the patch. */
export interface PatchedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  readonly added: number;
  readonly removed: number;
  /** Why people must look at it first; absent for ordinary files. */
  readonly flag?: string;
}

/** What a command may not use without end: seconds, processes, bytes of memory, disk and output. */
export type Limit = 'time' | 'processes' | 'memory' | 'disk' | 'output';

/** A wall of the sandbox, and whether the probe saw it hold. */
export interface Guarantee {
  readonly name:
    | 'network'
    | 'reads'
    | 'writes'
    | 'peek'
    | 'sockets'
    | 'survivors'
    | 'privilege'
    | 'resources';
  readonly holds: boolean;
}

/** What a run intends to change (constitution §4). */
export interface Plan {
  readonly entrySymbols: readonly string[];
  /** Paths that a patch may touch. */
  readonly affectedFiles: readonly string[];
  readonly scope: string;
  readonly maxChangedLines: number;
}

/** What the guard answered other than `pass`, and how often. */
export interface DecisionCount {
  readonly code: Code;
  readonly state: 'abstain' | 'violation' | 'degrade';
  /** Section of the constitution that says so. */
  readonly section: string;
  readonly tool: string;
  readonly count: number;
}

export interface Usage {
  readonly rounds: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the currency of the price list; absent when the model has no price. */
  readonly cost?: number;
}

/** A skill that was active at some time in a run. */
export interface UsedSkill {
  readonly name: string;
  /** As its SKILL.md states it; empty when it states none. */
  readonly version: string;
  readonly activations: number;
  /** Rounds in which it was active. */
  readonly rounds: number;
  /** Calls that ran of tools which it granted. */
  readonly calls: number;
}

/** Where the result was put. */
export interface Delivered {
  readonly kind: DeliveryKind | 'applied' | 'none';
  readonly branch?: string;
  readonly commit?: string;
  /** True when GitHub signed the commit; absent where no commit was made. */
  readonly commitsVerified?: boolean;
  readonly pullRequestNumber?: number;
  readonly pullRequestUrl?: string;
  /** Page that opens a pull request of the branch, where Photon opened none. */
  readonly compareUrl?: string;
  readonly operation: 'created' | 'updated' | 'closed' | 'none';
}

/** What a staged run would have delivered. */
export interface Staged {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly draft: boolean;
}

/** A change of a long-term record, as a reviewer reads it. */
export interface RecordChange {
  readonly operation: string;
  readonly id: string;
  /** `note`, `constraint` or `pattern`; empty where the change does not say. */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Version that an update saw. */
  readonly seen?: number;
}

/** One edit that the embedded engine tried and that passes every test. */
export interface RepairEdit {
  /** Name of its template, as in docs/builtin.md. */
  readonly template: string;
  /** What was changed, in words. */
  readonly kind: string;
  /** The publications that describe this kind of repair. */
  readonly source: string;
  readonly path: string;
  /** Name of the function that was changed; empty or absent outside of one. */
  readonly symbol?: string;
  /** 1-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** How the embedded engine came to its patch, or how far it came. */
export interface Repair {
  /** Test cases that failed before. */
  readonly failing: number;
  /** Suspicious lines, most suspicious first, with Ochiai's score. */
  readonly suspects: readonly {
    readonly path: string;
    readonly line: number;
    readonly score: number;
  }[];
  /** Edits that could be tried, and those that were. */
  readonly candidates: number;
  readonly tried: number;
  readonly perSecond: number;
  /** The edit that was taken; absent when none passed. */
  readonly edit?: RepairEdit;
  /** How many other edits pass every test, and the first of them. */
  readonly others: number;
  readonly alternatives: readonly RepairEdit[];
  /** What a reviewer has to know before believing the patch. */
  readonly warnings: readonly string[];
}

/** What drives a run: a model behind an OpenAI-compatible endpoint, or the embedded engine. */
export type Engine = 'openai' | 'builtin';

/** The outcome of one run; written to `outcome.json`. Version 1 of its shape. */
export interface Outcome extends Ending {
  readonly schema: 1;
  readonly runId: string;
  readonly photon: string;
  readonly task: {
    readonly id: string;
    readonly trigger: string;
    readonly askedBy: string;
    /** Name of the maintenance task that it was a run of. */
    readonly maintenance?: string;
  };
  readonly repository: string;
  /** Address of the workflow run, where its files lie; absent outside of Actions. */
  readonly page?: string;
  readonly base: { readonly ref: string; readonly commit: string };
  readonly constitution: { readonly version: string; readonly sha256: string };
  /** The agent profile, how replies were carried, and which reader took them. */
  readonly prompt: {
    readonly agent: string;
    readonly version: string;
    readonly sha256: string;
    readonly protocol: string;
    readonly parser: string;
    readonly memory: string;
  };
  readonly engine: Engine;
  readonly model: string;
  /** There only when the embedded engine searched. */
  readonly repair?: Repair;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly usage: Usage;
  /** There when the setting show-plan asks for it, when the run ended with its plan, and when a person approved it. */
  readonly plan?: Plan;
  /** What `/photon approve` takes to have exactly this plan carried out. */
  readonly planDigest?: string;
  readonly patch: {
    readonly files: readonly PatchedFile[];
    readonly digest: string;
    readonly tree: string;
  };
  readonly verification: Verification | null;
  readonly decisions: readonly DecisionCount[];
  /** True when a tool failed after the guard had passed it. */
  readonly degraded: boolean;
  /** Changes of the records, where the run proposes some. */
  readonly records?: {
    readonly mode: 'reviewed' | 'yolo';
    /** sha256 that binds the pull request to them. */
    readonly digest: string;
    readonly changes: readonly RecordChange[];
  };
  readonly skills: readonly UsedSkill[];
  readonly sandbox: { readonly launcher: string; readonly guarantees: readonly Guarantee[] };
  readonly hiddenRemoved: number;
  readonly notes: readonly string[];
  readonly ledger: { readonly entries: number; readonly head: string };
  readonly delivered: Delivered;
  /** There only when the setting staged held the delivery back. */
  readonly staged?: Staged;
  readonly hint: string;
}

/**
 * The exit status of the process: 0 for success and neutral endings, 1 for failures.
 * `fail-on-abstain` makes the neutral ones (abstained, needs_clarification) failures.
 */
export function exitStatus(status: Status, failOnAbstain: boolean): 0 | 1 {
  switch (status) {
    case 'committed':
    case 'no_change':
      return 0;
    case 'abstained':
    case 'needs_clarification':
      return failOnAbstain ? 1 : 0;
    case 'rolled_back':
    case 'failed':
      return 1;
  }
}
