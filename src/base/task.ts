/** Defines a task: what was requested, by whom, and for which commit. */
import type { DiffLines } from './findings.ts';
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

/** The comment that contains a command. */
export interface CommandComment {
  /** `review`: a comment on a line; `review-body`: the text of a whole review. */
  readonly kind: 'issue' | 'review' | 'review-body';
  readonly id: number;
  /** Digest of the text of a review: GitHub does not report whether a review was edited. */
  readonly digest?: string | undefined;
}

/** The conversation that a task came from, where the reply goes. */
export interface Conversation {
  readonly kind: 'issue' | 'pull-request';
  readonly number: number;
  /** Absent for a label, an assignment or a review that a workflow asks for. */
  readonly comment?: CommandComment;
}

/** The lines of code that a review comment refers to. */
export interface CodeLocation {
  readonly path: string;
  /** 1-based; null when the comment is about the whole file, or its lines no longer exist. */
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** An approved plan, which the run may not exceed. */
export interface ApprovedPlan {
  readonly plan: Plan;
  readonly digest: string;
  readonly by: string;
}

/** The pull request whose head branch the task works on. */
export interface HeadBranch {
  readonly number: number;
  readonly ref: string;
  readonly sha: string;
  /** Base branch of that pull request: trusted files are read from it. */
  readonly base: string;
  /** True when the head is in another repository: its code runs in the sandbox only, and Photon never pushes to it. */
  readonly fork?: boolean;
}

/** A dependency whose version a pull request changes. */
export interface DependencyUpdate {
  readonly name: string;
  /** Version or range before the pull request, and with it. */
  readonly from: string;
  readonly to: string;
  /** As GitHub names it: npm, pip, cargo … */
  readonly ecosystem: string;
}

/** The finding of a scanner that a task repairs, as far as the finding is recognised by it. */
export interface AlertTarget {
  readonly tool: string;
  readonly rule: string;
  readonly path: string;
  /** 1-based; null if the finding is about the whole file. */
  readonly startLine: number | null;
  /** Its fingerprints; empty if the scanner writes none. */
  readonly identity: string;
  readonly message: string;
}

/** The pull request that a review is about. */
export interface ReviewTask {
  readonly number: number;
  /** The lines that its diff shows. */
  readonly lines: readonly DiffLines[];
}

/** One task. Immutable; made by a trigger, before Photon acts on untrusted input. */
export interface Task {
  /** Deterministic: the same request on the same base has the same id; `[a-z0-9-]`, at most 60. */
  readonly id: string;
  readonly trigger: Trigger;
  /** The text of the request, without hidden characters. */
  readonly prompt: string;
  /** Short title, such as that of an issue, when the first line of the prompt is not a title. */
  readonly title?: string;
  /** Text shown with the prompt as data, such as title and body of an issue by people with write access. */
  readonly context: readonly ContextText[];
  /** Text that is shown behind the context and decides nothing: the conversation, and what a pull request holds. */
  readonly background?: readonly ContextText[];
  /** Addresses of the images that the shown texts embed, in order; GitHub's own attachments alone. */
  readonly images?: readonly string[];
  readonly askedBy: string;
  /** `owner/name`, or an empty string in local use. */
  readonly repository: string;
  /** Base branch of the pull request. */
  readonly baseRef: string;
  readonly conversation?: Conversation;
  readonly headBranch?: HeadBranch;
  /** What the dependency bot's pull request on that branch updates; absent for other pull requests. */
  readonly updates?: readonly DependencyUpdate[];
  /** True for a step of a watch on that pull request: its patch becomes a commit on the branch. */
  readonly keepsGreen?: boolean;
  /** Name of the maintenance task, for `schedule`. */
  readonly maintenance?: string;
  /** Patterns of the files that the patch may change; all files when absent. */
  readonly paths?: readonly string[];
  /** Labels for the pull request, in addition to those of the settings. */
  readonly labels?: readonly string[];
  /** Allowed skills that this task may use; all when absent. */
  readonly skills?: readonly string[];
  /** Files and folders (with `/` at the end) that the task of a workflow declares as its outputs. */
  readonly outputs?: readonly string[];
  /** The code that the request refers to; counts as navigation. */
  readonly place?: CodeLocation;
  /** The finding of a scanner that must be gone; absent for other tasks. */
  readonly alert?: AlertTarget;
  /**
   * Where a run that changes nothing ends. `plan`: with its plan. `approval`: it also waits for a person to
   * approve the plan. `answer`: with an answer. `review`: with findings about the pull request.
   */
  readonly until?: 'plan' | 'approval' | 'answer' | 'review';
  /** The model that carries it out; absent for that of the settings. */
  readonly model?: string;
  /** What a review is about; present exactly for `review`. */
  readonly review?: ReviewTask;
  /** The approved plan that this run carries out, if there is one. */
  readonly approved?: ApprovedPlan;
  /** Number of hidden characters that were removed from prompt and context. */
  readonly hiddenRemoved: number;
}

export interface ContextText {
  readonly label: string;
  readonly author: string;
  readonly text: string;
}
