/** The repository that a task is for, and what belongs to it in this process. */
import type { PhotonError } from '../../../base/codes.ts';
import type { Git } from '../../../workspace/git/git.ts';
import type { TrustedFiles } from '../../../workspace/trusted/trusted-files.ts';
import type { RunEnvironment, TaskContext } from '../../host.ts';
import type { CommonEnvironment } from '../../open-environment.ts';
import type { GitHub, RequestLimit } from '../api/github.ts';

/** What triggers and commands work with. Functions that need less take a part of it. */
export interface RepositoryContext extends TaskContext {
  /** The GitHub client of this repository. */
  readonly github: GitHub;
  readonly git: Pick<
    Git,
    | 'mergeText'
    | 'markConflicts'
    | 'listTreeEntries'
    | 'withholds'
    | 'fullTree'
    | 'writeFullTree'
    | 'rebased'
  >;
  /** Where the records are; undefined where memory is off. */
  readonly memory: RunEnvironment['memory'];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Why the settings cannot be read; those here are then the shipped ones, and no task runs. */
  readonly failed?: PhotonError;
}

/** GitHub as a process opened it; shared by its runs. */
export interface GitHubEnvironment extends CommonEnvironment, RunEnvironment {
  readonly failed?: RepositoryContext['failed'];
  readonly repository: string;
  readonly github: GitHub;
  /** A second client for reports, which must still work when the run itself was cancelled: then they have 3 s, else 60 s. */
  readonly reporter: (waitMs?: number) => Promise<GitHub>;
  /** The same, whose requests end with one limit, and those about records with another. */
  readonly within: (limit: RequestLimit, records: RequestLimit) => GitHubEnvironment;
  /** Trusted files for a task about this base branch; the default branch's when it is undefined. */
  readonly trusted: (base?: string) => Promise<TrustedFiles>;
  /** Files of the default branch of a repository, this one or another. */
  readonly filesOf: (repository: string) => Promise<TrustedFiles>;
}

/** What GitHub is asked with about a repository. */
export type RepositoryAccess = Pick<RepositoryContext, 'github' | 'settings'>;
