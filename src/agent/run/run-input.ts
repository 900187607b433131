/** What the entry points hand in, and what is opened from it once for each process. */
import type { CleanImage } from '../../guard/content/clean-image.ts';
import type { SecretForms } from '../../guard/secrets/secrets.ts';
import type { KeySource } from '../../model/key-exchange/key-source.ts';
import type { Model } from '../../model/turn.ts';
import type { Phase } from '../../outcome.ts';
import type { Environment } from '../../process/environment.ts';
import type { Programs } from '../../process/programs.ts';
import type { Activity } from '../../sandbox/egress/log-commands.ts';
import type { InputRecord, Settings } from '../../settings/settings.ts';
import type { HeadBranch, Task } from '../../task.ts';
import type { PullDiff } from '../../tools/pull-diff.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { OwnConfig } from '../../workspace/trusted/own-config.ts';
import type { Shipped } from '../../workspace/trusted/shipped.ts';
import type { MemoryPlace } from '../context/open-memory.ts';

/** Everything from outside, as the entry points hand it in. */
export interface RunInput {
  readonly inputs: InputRecord;
  readonly event: {
    readonly name: string;
    readonly payload: unknown;
    readonly taskInput: string;
    /** Skills that the task may use; all of the allowlist when absent. */
    readonly skills?: readonly string[];
    /** Files and folders that the task of a workflow declares as its outputs. */
    readonly outputs?: readonly string[];
    /** `answer`: the task is a question, and nothing is changed. */
    readonly until?: 'answer';
  };
  /** `owner/name`; empty in local use. */
  readonly repository: string;
  readonly apiUrl: string;
  /** Full name of the ref that the workflow runs on, and its commit. */
  readonly ref: string;
  readonly sha: string;
  readonly actor: string;
  readonly workspace: string;
  readonly tempRoot: string;
  /** Folder of `action.yml`. */
  readonly root: string;
  readonly env: Environment;
  /** Photon's own programs, found before anything of the repository is looked at. */
  readonly programs: Programs;
  readonly hosted: boolean;
  /** Configuration of the person at the terminal; an Action has none. */
  readonly ownConfig?: OwnConfig | null;
  readonly hidePaths: readonly string[];
  /** Where a verified patch goes. */
  readonly delivery: 'github' | 'patch' | 'apply';
  /** With `patch`: takes the patch besides the file. */
  readonly taker?: PatchTaker;
  /** Folder of the local records; the checkout when absent. */
  readonly recordsFolder?: string;
  readonly mutationSpacingMs: number;
  /** Set for a replay: the recorded task, and a model that gives the recorded replies. */
  readonly replay?: { readonly task: Task; readonly model: Model };
  /** True: the repository's skills come from the work tree and are read again as they change. */
  readonly watchSkills?: boolean;
  /** Files of the work tree of a person at a terminal that control the run in place of the commit's. An Action has none. */
  readonly settingsFiles?: readonly FileChange[] | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly log: RunLog;
}

/** The base as it is now. The drift is what differs from the base that the run began at. */
export interface NewBase {
  readonly commit: string;
  readonly tree: string;
  readonly drift: readonly FileChange[];
}

/** A caller that takes the patch of the run itself. */
export interface PatchTaker {
  /** Called when there is a verified patch: the base as it is now; null when it has not moved. */
  readonly newBase: () => Promise<NewBase | null>;
  /** Called with the proven patch. */
  readonly take: (changes: readonly FileChange[]) => void;
}

/** Lines for people; the entry point makes them inert and blanks secrets. */
export interface RunLog {
  line(text: string): void;
  /** Opens a group; the one before it is closed. */
  group(title: string): void;
  /** Has the runner mask a secret that arrived during the run, where there is one. */
  mask(secret: string): void;
  /** Sets how secrets are blanked in what is printed. */
  hide(redact: (text: string) => string): void;
  /** Shows what the run does now, where a person watches it. */
  readonly watch?: RunWatch;
}

/** What a person at a terminal sees while a run goes on. */
export interface RunWatch {
  /** Called with each phase that the run enters. */
  phase(phase: Phase): void;
  /** Called as something begins that takes time: a command, or a request to the model. */
  begin(what: string): Activity;
}

/** What every run of a process works in. */
export interface RunEnvironment {
  readonly input: RunInput;
  readonly git: Git;
  readonly shipped: Shipped;
  readonly settings: Settings;
  /** The key of the model that is valid now. */
  readonly modelKey: KeySource;
  /** Grows when a key is renewed: the object stays the same. */
  readonly secrets: SecretForms;
  readonly log: (line: string) => void;
  readonly scrub: (text: string) => string;
  /** Name of the default branch of the repository. @throws PhotonError `GITHUB_REQUEST`. */
  readonly defaultBranch: () => Promise<string>;
  /** Opened at its first use; null where memory is off or has no place. */
  readonly memory: () => Promise<MemoryPlace | null>;
  /** The images of a task, in order; those that cannot be had are left out. */
  readonly images: (task: Task) => Promise<readonly CleanImage[]>;
  /** What the pull request of a task changes. @throws PhotonError `GITHUB_*`. */
  readonly pullDiff: (head: HeadBranch) => Promise<PullDiff>;
}
