/** State of the GitHub double besides repository, pull requests and comments: issues, teams, jobs. */
import type { Person } from '../github-routes.ts';
import type { AdvisoryState } from './advisories.ts';
import type { CheckState, StatusState, ThreadState } from './threads.ts';

export interface IssueState {
  readonly title?: string;
  readonly user?: Person;
  readonly body?: string;
  readonly state?: 'open' | 'closed';
  readonly assignees?: readonly Person[];
  /** Timeline events as GitHub returns them. */
  readonly timeline?: readonly Record<string, unknown>[];
}

export interface ReviewState {
  readonly id: number;
  readonly pull: number;
  readonly body: string;
  readonly user: Person;
  readonly submittedAt: string;
  /** What it says, and of which commit; a comment when absent. */
  readonly verdict?: 'APPROVED' | 'CHANGES_REQUESTED';
  readonly commit?: string;
}

/** A thread that begins with a finding on lines of a diff. */
export interface FindingThread {
  readonly id: number;
  readonly pull: number;
  /** Head that the comment was made on. */
  readonly commit: string;
  readonly path: string;
  readonly start: number;
  readonly line: number;
  body: string;
  readonly user: Person;
  isResolved: boolean;
}

/** An artifact of a workflow run. */
export interface ArtifactState {
  readonly id: number;
  readonly run: number;
  readonly name: string;
  readonly zip: Buffer;
  readonly expired?: boolean;
  /** True: it is listed, and expires before it is downloaded. */
  readonly expiresSoon?: boolean;
}

/** A run of the workflow `.github/workflows/photon.yml`, which every repository has beside its `ci.yml`. */
export interface WorkflowRunState {
  readonly repository: string;
  readonly id: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Null while it runs. */
  readonly conclusion: string | null;
}

export interface JobState {
  readonly id: number;
  readonly name: string;
  readonly conclusion: 'failure' | 'success';
}

export interface DependencyState {
  readonly change: 'added' | 'removed';
  readonly manifest: string;
  readonly name: string;
  readonly version: string;
}

export interface Attachment {
  readonly bytes: Uint8Array;
  /** Where its signed address leads instead of to the bytes. */
  readonly location?: string;
}

export interface SurfaceState {
  readonly issues: Map<number, IssueState>;
  readonly reviews: ReviewState[];
  /** Threads that findings of a review opened. */
  readonly findings: FindingThread[];
  /** Logins of active members by `organisation/team`; one with a `?` was only invited. */
  readonly teams: Map<string, readonly string[]>;
  readonly jobs: Map<number, readonly JobState[]>;
  readonly logs: Map<number, string>;
  readonly artifacts: ArtifactState[];
  /** Signed bundles by the sha256 of what they are about. */
  readonly attestations: Map<string, readonly unknown[]>;
  /** Repositories of the organisation `octo`, and whether each is archived. */
  readonly organisation: Map<string, boolean>;
  readonly advisories: AdvisoryState[];
  readonly workflowRuns: WorkflowRunState[];
  readonly threads: ThreadState[];
  readonly checks: CheckState[];
  readonly statuses: StatusState[];
  /** Files that texts embed, by the id in their addresses. */
  readonly attachments: Map<string, Attachment>;
  /** What the dependency graph finds between any two commits; null where it is switched off. */
  dependencies: readonly DependencyState[] | null;
  /** True: Actions cannot open pull requests, as in new repositories. */
  pullRequestsForbidden?: boolean;
  /** True: no rule and no check keeps a pull request from its merge. */
  isClean?: boolean;
  /** True: the token may not change workflow files. */
  workflowsForbidden?: boolean;
  /** How the repository takes pull requests, as the token sees it. */
  merging?: Readonly<
    Record<'allow_merge_commit' | 'allow_squash_merge' | 'allow_rebase_merge', boolean>
  >;
  /** The person who owns the token; absent for the token of a bot. */
  self?: Person;
}

export function emptySurface(): SurfaceState {
  return {
    issues: new Map(),
    reviews: [],
    artifacts: [],
    attestations: new Map(),
    organisation: new Map(),
    advisories: [],
    workflowRuns: [],
    findings: [],
    teams: new Map(),
    jobs: new Map(),
    logs: new Map(),
    threads: [],
    checks: [],
    statuses: [],
    attachments: new Map(),
    dependencies: null,
  };
}
