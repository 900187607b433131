/** What the doors hand in, and what is opened from it once a process. */
import type { SecretForms } from '../../guard/secrets.ts';
import type { Model } from '../../model/turn.ts';
import type { Environment } from '../../process/environment.ts';
import type { Programs } from '../../process/programs.ts';
import type { InputRecord, Settings } from '../../settings/settings.ts';
import type { Task } from '../../task.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { OwnConfig } from '../../workspace/trusted/own-config.ts';
import type { Shipped } from '../../workspace/trusted/shipped.ts';
import type { MemoryPlace } from '../context/open-memory.ts';

/** Everything from outside, as the doors hand it in. */
export interface RunInput {
  readonly inputs: InputRecord;
  readonly event: {
    readonly name: string;
    readonly payload: unknown;
    readonly taskInput: string;
    /** Skills that the task may use; all of the allowlist when absent. */
    readonly skills?: readonly string[];
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
  /** Folder that `action.yml` stands in. */
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
  /** With `patch`: who takes it besides the file. */
  readonly taker?: PatchTaker;
  /** Folder of the local records; the checkout when absent. */
  readonly recordsFolder?: string;
  readonly mutationSpacingMs: number;
  /** Set when a recorded run is run again: its task, and its replies in place of a model. */
  readonly replay?: { readonly task: Task; readonly model: Model };
  /** True: the repository's skills are those of the work tree, read again as they change. */
  readonly watchSkills?: boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly log: RunLog;
}

/** What a base has become since a run began; the drift is what differs from the base that it began at. */
export interface NewBase {
  readonly commit: string;
  readonly tree: string;
  readonly drift: readonly FileChange[];
}

/** Whoever starts a run and takes its patch itself. */
export interface PatchTaker {
  /** Asked when there is a verified patch: the base as it is now, null while it is the same. */
  readonly newBase: () => Promise<NewBase | null>;
  /** Handed the proven patch. */
  readonly take: (changes: readonly FileChange[]) => void;
}

/** Lines for people; the door makes them inert and blanks secrets. */
export interface RunLog {
  line(text: string): void;
  /** Opens a group; the one before it is closed. */
  group(title: string): void;
  /** Told once what must never be printed. */
  hide(redact: (text: string) => string): void;
}

/** The ground that every run of a process stands on. */
export interface Ground {
  readonly input: RunInput;
  readonly git: Git;
  readonly shipped: Shipped;
  readonly settings: Settings;
  readonly secrets: SecretForms;
  readonly log: (line: string) => void;
  readonly scrub: (text: string) => string;
  /** Opened at its first use; null where memory is off or has no place. */
  readonly memory: () => Promise<MemoryPlace | null>;
}
