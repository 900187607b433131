/** What was asked: in words, by whom, about which commit. */

/** How a task reached Photon. */
export type Trigger = 'task' | 'comment' | 'schedule' | 'local';

/** Where an answer goes when the task came out of a conversation. */
export interface Conversation {
  readonly kind: 'issue' | 'pull-request';
  readonly number: number;
  /** The comment that holds the command; absent when the task has no comment of its own. */
  readonly commentId?: number;
  readonly commentKind?: 'issue' | 'review';
}

/** The pull request whose head branch the work is about. */
export interface HeadBranch {
  readonly number: number;
  readonly ref: string;
  readonly sha: string;
  /** Base branch of that pull request: trusted files are read from it. */
  readonly base: string;
  /** True when the branch is in another repository: it is never written to. */
  readonly fork?: boolean;
}

/** One task. Immutable; made by a trigger, before anything untrusted is acted on. */
export interface Task {
  /** Deterministic: the same request on the same base has the same id; `[a-z0-9-]`, at most 60. */
  readonly id: string;
  readonly trigger: Trigger;
  /** The words of the one who asked, hidden characters removed. */
  readonly prompt: string;
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
  /** How many hidden characters were taken out of prompt and context. */
  readonly hiddenRemoved: number;
}

export interface ContextText {
  readonly label: string;
  readonly author: string;
  readonly text: string;
}
