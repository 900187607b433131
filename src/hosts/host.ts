/** Where a run is started from and where its result goes: what each host is handed, and what it does. */
import type { TaskTexts } from '../agent/context/task-texts.ts';
import type { PhotonError } from '../base/codes.ts';
import type { Advisory, PackageVersion } from '../base/findings.ts';
import type {
  DeliveryResult,
  Ending,
  LeftBehind,
  Outcome,
  Phase,
  Plan,
  StagedDelivery,
  Verification,
} from '../base/outcome.ts';
import type { HeadBranch, Task } from '../base/task.ts';
import type { CheckedImage } from '../guard/content/image.ts';
import type { SecretForms } from '../guard/secrets/secrets.ts';
import type { MemorySource } from '../memory/open-memory.ts';
import type { KeySource } from '../model/keys/key-source.ts';
import type { Model } from '../model/turn.ts';
import type { LastText } from '../process/end-busy.ts';
import type { Environment } from '../process/environment.ts';
import type { Programs } from '../process/programs.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import type { Activity } from '../sandbox/egress/log-commands.ts';
import type { InputRecord, Settings } from '../settings/settings.ts';
import type { PullDiff } from '../tools/pull-diff.ts';
import type { MarkedFile } from '../workspace/commits/reapply.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { RunFolder } from '../workspace/files/run-folder.ts';
import type { Git } from '../workspace/git/git.ts';
import type { OwnConfig } from '../workspace/trusted/own-config.ts';
import type { ShippedAssets } from '../workspace/trusted/shipped.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import type { DeliveryMode, DeliveryWay } from './delivery-mode.ts';

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
    /** What the run did that the question is about, or what the run asked that goes on. */
    readonly earlier?:
      | { readonly label: 'earlier_run_label' | 'question_label'; readonly text: string }
      | undefined;
    /** What a person says to the run that goes on. */
    readonly reply?: string | undefined;
  };
  /** Opens what started this process: the terminal, or GitHub. */
  readonly host: OpenHost;
  /** `owner/name`; a local run has no such name. */
  readonly repository: string;
  /** Address of the workflow run; empty outside of Actions. */
  readonly page: string;
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
  readonly ownConfig?: OwnConfig;
  readonly hidePaths: readonly string[];
  /** Where a verified patch goes. */
  readonly delivery: DeliveryWay;
  /** With `patch`: takes the patch besides the file. */
  readonly patchReceiver?: PatchReceiver;
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
  /** Where another thread says how a run ended whose own thread was too busy to say it. */
  readonly lastTexts?: (ending: Ending, outcomePath: string) => readonly LastText[];
}

/** The base as it is now. The drift is what differs from the base that the run began at. */
export interface NewBase {
  readonly commit: string;
  readonly tree: string;
  readonly drift: readonly FileChange[];
}

/** The base that a run begins at, where it is not the commit of the checkout. */
export interface StartBase {
  readonly git: Git;
  /** What differs from the checkout. */
  readonly drift: readonly FileChange[];
  /** What the commit of the run merges; absent if it merges nothing. */
  readonly merge?: BranchMerge;
}

/** A branch that the commit of a run merges into its head. The patch resolves the conflicts. */
export interface BranchMerge {
  /** The commit that is merged: the second parent. */
  readonly commit: string;
  /** Tree of the head, without the merge. */
  readonly tree: string;
  /** What the merge changes in the head. */
  readonly changes: readonly FileChange[];
  /** Those of them whose text has marks around conflicts. */
  readonly marked: readonly MarkedFile[];
}

/** A caller that takes the patch of the run itself. */
interface PatchReceiver {
  /** Called when there is a verified patch: the base as it is now; undefined when it has not moved. */
  readonly newBase: () => Promise<NewBase | undefined>;
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
  /** Where the run begins, if not at the checkout; then `git` is at it, too. */
  readonly start?: StartBase | undefined;
  /** Branch that results go to unless a setting or a pull request names another. */
  readonly baseRef: string;
  /** Commit of the checkout. */
  readonly baseCommit: string;
  /** The texts that a trigger adds to a task. */
  readonly taskTexts: TaskTexts;
  readonly shipped: ShippedAssets;
  readonly settings: Settings;
  /** The key of the model that is valid now. */
  readonly modelKey: KeySource;
  /** Grows when a key is renewed: the object stays the same. */
  readonly secrets: SecretForms;
  readonly log: (line: string) => void;
  readonly scrub: (text: string) => string;
  /** Opened at its first use; undefined where memory is off or has no place. */
  readonly memory: () => Promise<MemorySource | undefined>;
  /** The images of a task, in order; those that cannot be had are left out. */
  readonly images: (task: Task) => Promise<readonly CheckedImage[]>;
  /** What the pull request of a task changes. @throws PhotonError `GITHUB_*`. */
  readonly pullDiff: (head: HeadBranch) => Promise<PullDiff>;
  /** The advisories about versions of packages; undefined without a database to ask. @throws PhotonError `GITHUB_*`. */
  readonly findAdvisories:
    | ((versions: readonly PackageVersion[]) => AsyncIterable<Advisory>)
    | undefined;
}

/** Where the tasks of a process are: the checkout, its settings, and who started it. */
export interface TaskContext
  extends Pick<
    RunEnvironment,
    'baseRef' | 'baseCommit' | 'settings' | 'taskTexts' | 'log' | 'scrub'
  > {
  readonly input: Pick<RunInput, 'event' | 'workspace' | 'env'>;
  readonly git: Pick<Git, 'listTreeEntries'>;
  /** `owner/name`; a local run has no such name. */
  readonly repository: string;
  /** Login of the caller: the person or bot that caused this process to start. */
  readonly askedBy: string;
}

/** Opens a host for a process, or says in one line why this process starts no run. */
export type OpenHost = (input: RunInput, folder: RunFolder) => Promise<Host | DeclinedEvent>;

/** Why an event starts no run. */
export interface DeclinedEvent {
  readonly declined: string;
}

/** How a task ended before its run began. */
export interface TaskRefusal extends Pick<Ending, 'status' | 'code' | 'message' | 'commandAnswer'> {
  readonly delivered?: DeliveryResult;
  /** What changed although it failed. */
  readonly left?: LeftBehind | undefined;
  /** The error that it is the ending of, which says more than its code. */
  readonly error?: PhotonError;
}

/** A task to run, or one that ended before its run. */
export interface TaskPlan {
  /** Undefined when there is nothing to run and nobody to answer. */
  readonly task: Task | undefined;
  readonly refused?: TaskRefusal | undefined;
  /** Where the run begins, if not at the checkout. */
  readonly start?: StartBase | undefined;
}

/** A planned task that exists in any case, to run or to answer. */
export interface TaskFromTrigger extends TaskPlan {
  readonly task: Task;
}

/** An ending, where a committed patch was put, and the digest that approves a plan. */
export type Delivery = Ending & {
  readonly delivered?: DeliveryResult;
  readonly staged?: StagedDelivery;
  readonly planDigest?: string;
  /** What a delivery that failed left in the repository. */
  readonly left?: LeftBehind | undefined;
};

/** Where an outcome was reported. */
export interface Reported {
  /** Address of the comment. */
  readonly url?: string;
  /** Says that it could not be reported: the outcome stands. */
  readonly note?: string;
}

/** What a host does with tasks and results. */
export interface Host {
  readonly environment: RunEnvironment;
  /** The tasks of what started this process. People without write access get none. */
  readTrigger(): Promise<readonly TaskPlan[]>;
  /** Trusted files for a task about this base branch; the default branch's when it is undefined. */
  trusted(base?: string): Promise<TrustedFiles>;
  /** The same host for one task, or for none, whose requests end with one limit, and those about records with another. */
  within(task: Task | undefined, limit: TimeLimit, records: TimeLimit): Host;
  /** Attends a run from its first phase to its delivery. */
  attend(run: AttendedRun): Attendance;
  /** Reports an outcome where its task was requested. */
  report(
    run: { readonly opened: { readonly id: string }; readonly task?: Task | undefined },
    outcome: Outcome,
  ): Promise<Reported>;
  /** Called after the last run of the process. It fails no run. */
  conclude(results: readonly { readonly outcome: Outcome }[]): Promise<void>;
  close(): Promise<void>;
}

/** A run as its host sees it. */
export interface AttendedRun {
  readonly id: string;
  readonly task: Task;
  readonly mode: DeliveryMode;
  /** False for a run that ends with a plan, an answer or findings. */
  readonly changes: boolean;
  /** Adds a note to the outcome. */
  readonly note: (text: string) => void;
  /** Ends the run with this reason. */
  readonly stop: (reason: PhotonError) => void;
}

/** What a person says to a run at work. */
export interface PersonMessage {
  readonly by: string;
  /** Without what a reader cannot see; `hidden` counts what was removed. */
  readonly text: string;
  readonly hidden: number;
  /** Address of the comment. */
  readonly url: string;
}

/** What a host does for one run. */
export interface Attendance {
  /** Rejects if the host would not take the result. */
  readonly ready: Promise<void>;
  /** Shows a phase that the run enters. */
  readonly onPhase?: ((phase: Phase) => void) | undefined;
  /** What people who may give tasks have said to the run since the last call. */
  readonly takeMessages?: (() => readonly PersonMessage[]) | undefined;
  /** The changes that turn the head of a reviewed pull request into its base; undefined if they are too large. */
  readonly reviewBase?: (() => Promise<readonly FileChange[] | undefined>) | undefined;
  /**
   * Brings a verified patch to its target: on the base as it is now, or not at all.
   * @throws PhotonError `GITHUB_*`, `BASE_MOVED`, `BRANCH_*`, `PUBLISH_MISMATCH`, `DISK`, and those of the patch.
   */
  publish(patch: VerifiedPatch): Promise<Delivery>;
  /** Posts what a run leaves besides a patch: findings, or a plan to approve. @throws PhotonError `GITHUB_*`. */
  post(ending: Delivery, plan: Plan | undefined): Promise<Delivery>;
  /** Waits for what is still to be shown. */
  close(): Promise<void>;
}

/** A verified patch on its way to its target. The run behind it can follow a base that moves. */
export interface VerifiedPatch {
  readonly run: string;
  readonly task: Task;
  readonly mode: DeliveryMode;
  readonly ending: Ending;
  readonly note: (text: string) => void;
  /** The checkout with the commit that the patch lies on now. */
  git(): Git;
  /** The branch that its commit merges; absent for a patch alone. */
  readonly merge: BranchMerge | undefined;
  /** True if tests judge it. */
  readonly hasVerifier: boolean;
  verification(): Verification | undefined;
  changes(): readonly FileChange[];
  /**
   * Moves it to a newer base, and verifies it there. @returns how the run ends there; undefined when it goes on.
   * @throws PhotonError `BASE_CONFLICT`, `BASE_MOVED`, `SETUP_FAILED`, `GIT`.
   */
  moveTo(base: NewBase): Promise<Ending | undefined>;
  /**
   * Judges it as a whole, and seals it in the ledger, within the time of the run.
   * @throws PhotonError `PATH_*`, `SECRET_IN_PATCH`, `EXECUTION_INVALID`, `BUDGET_TIME`, `CANCELLED`.
   */
  prove(): Promise<ProvenPatch>;
  /** Records where it is. No error changes how the run ended after that. */
  delivered(delivery: Delivery): Delivery;
}

/** A patch that was judged as a whole and sealed in the ledger. */
export interface ProvenPatch {
  readonly changes: readonly FileChange[];
  /** Git tree that the patch makes of the base. */
  readonly tree: string;
  readonly outcome: Outcome;
}
