/** What was asked: in words, by whom, about which commit. */

import type { Plan } from './outcome.ts';

/** How a task reached Photon. */
export type Trigger =
  | 'task'
  | 'comment'
  | 'label'
  | 'assignment'
  | 'failed-workflow'
  | 'dispatch'
  | 'schedule'
  | 'local';

/** Where an answer goes when the task came out of a conversation. */
export interface Conversation {
  readonly kind: 'issue' | 'pull-request';
  readonly number: number;
  /** The comment that holds the command; absent when the task has no comment of its own. */
  readonly commentId?: number;
  /** `review`: a comment at a line; `review-body`: the words of a whole review. */
  readonly commentKind?: 'issue' | 'review' | 'review-body';
  /** Digest of a review's words, of which GitHub does not tell whether they were edited. */
  readonly commentDigest?: string;
}

/** A place in the code that a review comment stands at. */
export interface CodeLocation {
  readonly path: string;
  /** 1-based; null when the comment is about the whole file, or its lines are gone. */
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** A plan that a person approved: the run may do this and no more. */
export interface ApprovedPlan {
  readonly plan: Plan;
  readonly digest: string;
  readonly by: string;
}

/** The pull request whose head branch the work is about. */
export interface HeadBranch {
  readonly number: number;
  readonly ref: string;
  readonly sha: string;
  /** Base branch of that pull request: trusted files are read from it. */
  readonly base: string;
  /** True when the head is in another repository: its code meets the sandbox only, and is never written to. */
  readonly fork?: boolean;
}

/** One task. Immutable; made by a trigger, before anything untrusted is acted on. */
export interface Task {
  /** Deterministic: the same request on the same base has the same id; `[a-z0-9-]`, at most 60. */
  readonly id: string;
  readonly trigger: Trigger;
  /** The words of the one who asked, hidden characters removed. */
  readonly prompt: string;
  /** What it is about in a few words, when the prompt's first line does not say it: an issue's own title. */
  readonly title?: string;
  /** Text shown beside the prompt as data (issue title and body by people with write access). */
  readonly context: readonly ContextText[];
  readonly askedBy: string;
  /** `owner/name`, or an empty string in local use. */
  readonly repository: string;
  /** Branch that the pull request goes to. */
  readonly baseRef: string;
  readonly conversation?: Conversation;
  readonly headBranch?: HeadBranch;
  /** Name of the maintenance task, for `schedule`. */
  readonly maintenance?: string;
  /** Patterns of the files that the patch may touch; anywhere when absent. */
  readonly paths?: readonly string[];
  /** Labels of the pull request, beside those of the settings. */
  readonly labels?: readonly string[];
  /** Skills of the allowlist that may be used; all of them when absent. */
  readonly skills?: readonly string[];
  /** Where in the code the task was asked; counts as navigation. */
  readonly place?: CodeLocation;
  /** `plan`: the run ends with its plan. `approval`: so it does, and a person must approve the plan. */
  readonly until?: 'plan' | 'approval';
  /** Set when a person approved the plan that this run carries out. */
  readonly approved?: ApprovedPlan;
  /** How many hidden characters were taken out of prompt and context. */
  readonly hiddenRemoved: number;
}

export interface ContextText {
  readonly label: string;
  readonly author: string;
  readonly text: string;
}
