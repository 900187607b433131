/** A run as values: each stage holds what the one before it holds, and more. */
import { randomBytes } from 'node:crypto';
import { redactSecrets } from '../../guard/secrets/secrets.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import type { LeftBehind } from '../../left-behind.ts';
import type { Delivered, Ending, Outcome, Phase, Staged } from '../../outcome.ts';
import type { BuiltinModel } from '../../repair/engine.ts';
import type { Task } from '../../task.ts';
import { tools } from '../../tools/index.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { openRunFolder, type RunFiles, type RunFolder } from '../../workspace/files/run-folder.ts';
import type { Shipped } from '../../workspace/trusted/shipped.ts';
import type { RunMemory } from '../context/open-memory.ts';
import type { Policy } from '../context/policy.ts';
import type { AgentOptions } from '../loop/loop.ts';
import type { LoopState } from '../loop/loop-state.ts';
import type { DeliveryMode } from './delivery-mode.ts';
import type { ReviewBook } from './review-book.ts';
import type { RunEnvironment, RunInput } from './run-input.ts';
import type { RunServices } from './run-services.ts';

/** A run at its start: enough for an outcome, whatever happens next. */
export interface OpenedRun {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly input: RunInput;
  readonly folder: RunFolder;
  readonly ledger: Ledger;
  /** Blanks secrets in a text. */
  readonly scrub: (text: string) => string;
  /** Adds a note to the outcome. */
  readonly note: (text: string) => void;
  readonly notes: () => readonly string[];
}

/** A run in its environment; the task is null when the event asks for none. */
export interface LocatedRun extends OpenedRun {
  readonly environment: RunEnvironment;
  readonly task: Task | null;
}

/** Called while a run goes on. */
export interface RunHooks {
  /** Called with each phase that the run enters. */
  readonly onPhase?: (phase: Phase) => void;
  /** Called as a round begins, with its number. */
  readonly onRound?: (round: number) => void;
}

/** What asked, in which environment, with which settings. */
export interface RunRequest extends LocatedRun {
  readonly task: Task;
  readonly mode: DeliveryMode;
  readonly hooks: RunHooks;
  /** The changes that turn the head of a reviewed pull request into its base; null if they are too large. */
  readonly reviewBase?: () => Promise<readonly FileChange[] | null>;
}

/** A request with the constitution and the skills that apply to it. */
export interface LoadedRun extends RunRequest {
  readonly policy: Policy;
}

/** A run with its session, sandbox and verifier. */
export interface EquippedRun extends LoadedRun {
  readonly services: RunServices;
  /** What the base moved by since the checkout, when the patch was applied to the newer base. */
  readonly drift: readonly FileChange[];
}

/** A run that is ready for its loop. */
export interface PreparedRun extends EquippedRun {
  /** Null where memory is off or has no place. */
  readonly memory: RunMemory | null;
  /** What changes while the loop turns. */
  readonly state: LoopState;
  /** The embedded engine; null when a model endpoint drives the run. */
  readonly builtin: BuiltinModel | null;
  /** The findings of a review; null in other runs. */
  readonly book: ReviewBook | null;
  /** What the loop works with. */
  readonly loop: AgentOptions;
}

/** A run whose patch was judged as a whole and sealed in the ledger. */
export interface ProvenRun extends PreparedRun {
  readonly changes: readonly FileChange[];
  /** Git tree that the patch makes of the base. */
  readonly tree: string;
}

/** What a run is when it has ended. */
export interface FinishedRun {
  readonly outcome: Outcome;
  /** The patch as a unified diff; empty when there is none. */
  readonly diff: string;
  readonly files: RunFiles;
}

/** Any stage that a run can end at. */
export type RunStage =
  | OpenedRun
  | LocatedRun
  | RunRequest
  | LoadedRun
  | EquippedRun
  | PreparedRun
  | ProvenRun;

/** The furthest stage of a run. Its outcome is made from that, whatever ends the run. */
export interface RunTracker {
  stage: RunStage;
  /** Set as soon as the result is published. No error changes how the run ended after that. */
  delivered?: Delivery;
}

/** Records that a run came to a stage. @returns the stage. */
export function reach<T extends RunStage>(tracker: RunTracker, stage: T): T {
  tracker.stage = stage;
  return stage;
}

/** An ending, where a committed patch was put, and the digest that approves a plan. */
export type Delivery = Ending & {
  readonly delivered?: Delivered;
  readonly staged?: Staged;
  readonly planDigest?: string;
  /** What a delivery that failed left in the repository. */
  readonly left?: LeftBehind | undefined;
};

/**
 * Names of tools and patterns of the shipped constitution. The record is judged by them, and everybody can read them: a
 * secret that is one of their words, such as `secret` or `localhost`, must not change them.
 */
function shippedTexts({ constitution }: Shipped): ReadonlySet<string> {
  const quoted = constitution.match(/"[^"\n]*"/g) ?? [];
  return new Set([...tools.map(tool => tool.name), ...quoted.map(text => text.slice(1, -1))]);
}

/** Hides secrets in texts of the ledger: by no pattern character, since a path is judged again from there. */
function recordScrub(environment: RunEnvironment): (text: string) => string {
  const kept = shippedTexts(environment.shipped);
  return text => (kept.has(text) ? text : redactSecrets(text, environment.secrets, '(secret)'));
}

/**
 * Opens a run with a folder and a ledger of its own.
 * @throws PhotonError `DISK`.
 */
export function openRun(input: RunInput, environment: RunEnvironment | null): OpenedRun {
  const startedAt = input.now();
  const id = `${new Date(startedAt).toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(4).toString('hex')}`;
  const folder = openRunFolder(input.tempRoot, id);
  const notes: string[] = [];
  return {
    id,
    startedAt,
    input,
    folder,
    ledger: openLedger({
      path: folder.ledgerPath,
      run: id,
      caller: input.actor || 'local',
      now: input.now,
      scrub: environment === null ? text => text : recordScrub(environment),
    }),
    scrub: environment?.scrub ?? (text => text),
    note: text => {
      notes.push(text);
    },
    notes: () => notes,
  };
}
