/** A run, and what differs by its kind and by what drives it. */
import { randomBytes } from 'node:crypto';
import type { Policy } from '../agent/context/policy.ts';
import type { TaskTemplate } from '../agent/context/prompt.ts';
import type { ReportSchema } from '../agent/context/report-schema.ts';
import type { LoopParts, LoopRun, LoopState } from '../agent/loop/loop-state.ts';
import type { Ending, Outcome, Phase, Repair } from '../base/outcome.ts';
import type { Task } from '../base/task.ts';
import type { CheckedImage } from '../guard/content/image.ts';
import { redactSecrets } from '../guard/secrets/secrets.ts';
import type { DeliveryMode } from '../hosts/delivery-mode.ts';
import type {
  Attendance,
  Delivery,
  Host,
  ProvenPatch,
  RunEnvironment,
  RunInput,
  TaskPlan,
} from '../hosts/host.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { RunMemory } from '../memory/open-memory.ts';
import type { States } from '../memory/states.ts';
import type { Model } from '../model/turn.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import type { Settings } from '../settings/settings.ts';
import type { SkillManager } from '../skills/skill-manager.ts';
import { tools } from '../tools/index.ts';
import type { ReportKeeper, Tool } from '../tools/tool.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { openRunFolder, type RunFiles, type RunFolder } from '../workspace/files/run-folder.ts';
import type { ShippedAssets } from '../workspace/trusted/shipped.ts';
import type { ReviewCollector } from './kinds/review-collector.ts';
import type { RunServices } from './services/run-services.ts';

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

/** What asked for a run, in which environment, with which settings. */
export interface RunRequest extends OpenedRun {
  readonly environment: RunEnvironment;
  readonly task: Task;
  readonly kind: RunKind;
  readonly engine: Engine;
  readonly mode: DeliveryMode;
  readonly limit: TimeLimit;
  /** Called with each phase that the run enters. */
  readonly onPhase?: (phase: Phase) => void;
  /** What people who may give tasks have said to the run since the last call. */
  readonly takeMessages?: Attendance['takeMessages'];
  /** The changes that turn the head of a reviewed pull request into its base; undefined if they are too large. */
  readonly reviewBase?: (() => Promise<readonly FileChange[] | undefined>) | undefined;
}

/** A run. Its parts are made in this order, and each is made from those before it. */
export interface Run extends LoopRun {
  readonly request: RunRequest;
  readonly policy: Policy;
  /** What commands and tests run with. They follow the patch to another base. */
  services: RunServices;
  /** What changes while the loop turns. */
  readonly state: LoopState;
  readonly loop: RunLoop;
}

/** A run whose services are not open. */
export type LoadedRun = Pick<Run, 'request' | 'policy'>;

/** A run whose loop has no state yet. */
export type ServedRun = Pick<Run, 'request' | 'policy' | 'services'>;

/** A run whose loop is still to be opened. */
export type ReadyRun = Omit<Run, 'loop'>;

/** What the model works with in this run. */
export interface LoopSources extends Pick<LoopParts, 'model' | 'tools' | 'store'> {
  /** Undefined where memory is off or has no place. */
  readonly memory: RunMemory | undefined;
  readonly skills: SkillManager;
  readonly coreTools: readonly string[];
  readonly states: States;
  readonly images: readonly CheckedImage[];
  /** Text of the map of the repository. */
  readonly map: string;
  /** The findings of a review; undefined in other runs. */
  readonly reviewCollector: ReviewCollector | undefined;
  /** The object that the workflow asks for; undefined if it asks for none. */
  readonly report: ReportKeeper | undefined;
  /** Attacks a patch that passed, before it is delivered; undefined without such a look. */
  readonly look: ((result: string) => Promise<string | undefined>) | undefined;
  /** How the embedded engine found its patch; undefined for a model, or without a search. */
  readonly repair: () => Repair | undefined;
}

/** What the loop works with. */
export type RunLoop = LoopParts & LoopSources;

/** What a run is when it has ended. */
export interface FinishedRun {
  readonly outcome: Outcome;
  /** Address of the comment that reports it; absent without one. */
  readonly commentUrl?: string | undefined;
  /** The patch as a unified diff; may be empty. */
  readonly diff: string;
  readonly files: RunFiles;
}

/** How far a run has come. Its outcome is made from what is there, whatever ends the run. */
export interface RunProgress {
  readonly opened: OpenedRun;
  /** Absent if the event comes to no task. */
  readonly environment?: RunEnvironment;
  /** Undefined when the event asks for none. */
  readonly task?: Task;
  policy?: Policy;
  services?: RunServices;
  run?: Run;
  /** The patch as it was proven last. */
  proven?: Omit<ProvenPatch, 'outcome'>;
  /** Set as soon as the result is published. No error changes how the run ended after that. */
  delivered?: Delivery;
}

/** What differs between the kinds of run; each is one file of `kinds/`. */
export interface RunKind {
  readonly name: 'change' | 'plan' | 'approval' | 'answer' | 'review' | 'alert' | 'replay';
  /** False for a run that ends with a plan, an answer or findings: it changes, runs and delivers no patch. */
  readonly changes: boolean;
  /**
   * The test command: `runs`: it must be there and run. `named`: it must be there. `optional`: it is used if it is
   * there. `none`: nothing is tested.
   */
  readonly tests: 'runs' | 'named' | 'optional' | 'none';
  /** False for a run without records and without a folder of kept set-ups. */
  readonly keeps: boolean;
  /** True when the outcome shows the plan, whatever the settings say. */
  readonly showsPlan: boolean;
  /** The tools of this kind among those that the profile allows. */
  readonly tools: (tools: readonly Tool[]) => readonly Tool[];
  /** The text that says what the run ends with; none for a patch. */
  readonly instructions?: TaskTemplate;
  /** What people should know before the run, by the settings. */
  readonly warning?: (settings: Settings) => string | undefined;
  /** The shape of the object that the workflow asks for; absent for a kind that gives none. */
  readonly schema?: (policy: Policy) => ReportSchema | undefined;
  /** Opens what keeps the findings of a review. */
  readonly openBook?: (run: ServedRun) => ReviewCollector;
  /** The ending of a run without a patch. */
  readonly settle: (run: Run, ending: Ending) => Promise<Ending>;
}

/** What drives a run: a file of `engines/`, or a record in place of it. */
export interface Engine {
  readonly name: 'endpoint' | 'builtin' | 'replay';
  /** Who makes the replies, as the outcome names it. */
  readonly provider: (settings: Settings) => string;
  /** True for a model that may find that a task is not about this repository. */
  readonly asksAModel: boolean;
  /** True if it is shown the instructions of the repository, and gets an early end of a verification. */
  readonly readsInstructions: boolean;
  /** True if one of the models of these settings sees images. */
  readonly seesImages: (settings: Settings) => boolean;
  readonly open: (run: ReadyRun) => OpenedEngine;
}

export interface OpenedEngine {
  readonly model: Model;
  /** What people read while a request waits. */
  readonly waiting: string;
  readonly repair: () => Repair | undefined;
}

/**
 * Names of tools and patterns of the shipped constitution. The record is judged by them, and everybody can read them: a
 * secret that is one of their words, such as `secret` or `localhost`, must not change them.
 */
function shippedTexts({ constitution }: ShippedAssets): ReadonlySet<string> {
  const quoted = constitution.match(/"[^"\n]*"/g) ?? [];
  return new Set([...tools.map(tool => tool.name), ...quoted.map(text => text.slice(1, -1))]);
}

/** Hides secrets in texts of the ledger: by no pattern character, since a path is judged again from there. */
function recordScrub(environment: RunEnvironment): (text: string) => string {
  const kept = shippedTexts(environment.shipped);
  return text => (kept.has(text) ? text : redactSecrets(text, environment.secrets, '(secret)'));
}

/** Opens a run with a folder and a ledger of its own. @throws PhotonError `DISK`. */
export function openRun(input: RunInput, environment: RunEnvironment | undefined): OpenedRun {
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
      scrub: environment === undefined ? text => text : recordScrub(environment),
    }),
    scrub: environment?.scrub ?? (text => text),
    note: text => {
      notes.push(text);
    },
    notes: () => notes,
  };
}

/** The host of a run that begins where its plan says, which may be another base than the checkout's. */
export function startAt(host: Host, { start }: TaskPlan): Host {
  return start === undefined
    ? host
    : { ...host, environment: { ...host.environment, git: start.git, start } };
}
