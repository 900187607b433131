/** A run as its loop sees it, and what changes while the loop turns. An outcome is made from that, whatever ends the run. */
import type { Code } from '../../base/codes.ts';
import type { PackageCheck, SecondLookResult } from '../../base/findings.ts';
import type { Phase, Plan, UsedInstructions, Verification } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import { addEvidence, type Evidence, type EvidenceEvent } from '../../guard/evidence.ts';
import { SeenLines } from '../../guard/seen-lines.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Protocol } from '../../model/protocols/protocol.ts';
import type { XmlProblem } from '../../model/protocols/xml-problems.ts';
import type { Model } from '../../model/turn.ts';
import type { TimeLimit } from '../../process/time-limit.ts';
import type { OfState, Tool, ToolContext } from '../../tools/tool.ts';
import { CommandBook } from '../../workspace/session/command-changes.ts';
import type { SessionStore } from '../../workspace/session/session-store.ts';
import type { ModelConversation } from '../context/model-conversation.ts';
import type { Policy } from '../context/policy.ts';
import { type Budget, nothingSpent, type Spent } from '../limits/budget.ts';
import type { Window } from '../limits/window.ts';

export interface LoopRun {
  readonly request: {
    readonly task: Pick<Task, 'id' | 'repository'>;
    readonly ledger: Ledger;
    readonly limit: Pick<TimeLimit, 'signal' | 'deadline'>;
    readonly input: { readonly now: () => number; readonly log: LoopLog };
  };
  readonly policy: Pick<Policy, 'constitution' | 'profile'> & {
    readonly settings: Omit<Budget, 'deadline'> & Pick<Policy['settings'], 'violations'>;
  };
  readonly state: LoopState;
  readonly loop: LoopParts;
}

/** Whoever prints a line makes it inert first. */
interface LoopLog {
  line(text: string): void;
  group(title: string): void;
}

/** What the loop works with. */
export interface LoopParts {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly context: Omit<ToolContext, OfState>;
  /** Where the session is kept; absent when it lives in memory only. */
  readonly store?: SessionStore | undefined;
  readonly protocol: Protocol;
  readonly conversation: ModelConversation;
  readonly systemPrompt: () => string;
  /** Called before each request. */
  readonly beforeRound?: () => Promise<void>;
  /** Keeps the text of a reply that could not be parsed. */
  readonly keepRejected: (rejected: RejectedReply) => void;
}

/** How many violations a run survives: an input or the user's own configuration may raise the constitution's number. */
export function maxViolations({
  settings,
  constitution,
}: Pick<LoopRun['policy'], 'settings' | 'constitution'>): number {
  return Math.max(constitution.limits.violations, settings.violations);
}

/** A reply that could not be parsed. */
export interface RejectedReply {
  readonly round: number;
  readonly problems: readonly XmlProblem[];
  readonly reply: string;
}

/** What was refused in the round that is played. */
export interface RefusedInRound {
  /** Any call: the round then counts as one correction. */
  any: boolean;
  plan: boolean;
  /** A call for want of a thought. */
  thought: boolean;
  /** What a call of the reply asked for and the patch does not hold, in words; undefined if it holds all. */
  missing: string | undefined;
  /** A call of `finish`. */
  finish: boolean;
  /** The patch that the model may not finish before it has read what its verification says, and why. */
  held: { readonly patchDigest: string; readonly cause: string } | undefined;
}

/** A round in which nothing was refused yet. */
export function nothingRefused(): RefusedInRound {
  const none = { any: false, plan: false, thought: false, finish: false };
  return { ...none, missing: undefined, held: undefined };
}

/** Changed by the loop alone. */
export interface LoopState {
  evidence: Evidence;
  /** The plan in force with its words; the evidence holds its limits. */
  plan: Plan | undefined;
  readonly seen: SeenLines;
  /** The changes of commands that results have shown. */
  readonly commandBook: CommandBook;
  spent: Spent;
  /** Rounds in which calls were refused. */
  corrections: number;
  refusedInRound: RefusedInRound;
  violations: number;
  failedVerifications: number;
  /** Replies with calls and without a thought. */
  thoughtlessReplies: number;
  /** Calls that were refused for their arguments. */
  misfits: number;
  /** Code of the replies that could not be read, after which the run delivered what had passed; undefined without any. */
  unread: Code | undefined;
  /** How often each call had each result since the patch last changed, by their digest. */
  readonly results: Map<string, number>;
  /** Hidden characters in tool results; the model saw their names instead. */
  hiddenShown: number;
  /** Instruction files that have joined the conversation. */
  readonly instructions: UsedInstructions[];
  verification: Verification | undefined;
  /** What is known of the packages that a patch adds, and the digest of that patch. */
  packages: { readonly patchDigest: string; readonly check: PackageCheck | undefined } | undefined;
  /** The second look at the patch; undefined without one. */
  look: SecondLookResult | undefined;
  /** Why the tests cannot run without a patch, until a result has said it; otherwise empty. */
  untold: string;
  /** Context window in tokens; smaller after the endpoint refused a request as too long. */
  window: Window;
  /** Most bytes of the next result. */
  freeBytes: number;
  readonly onPhase: (phase: Phase) => void;
}

/** The state before the first round; `onPhase` is called with each new phase. */
export function startLoop(
  evidence: Evidence,
  onPhase: (phase: Phase) => void = () => {},
): LoopState {
  return {
    onPhase,
    evidence,
    plan: undefined,
    seen: new SeenLines(),
    commandBook: new CommandBook(),
    spent: nothingSpent,
    corrections: 0,
    refusedInRound: nothingRefused(),
    violations: 0,
    results: new Map(),
    failedVerifications: 0,
    thoughtlessReplies: 0,
    misfits: 0,
    unread: undefined,
    hiddenShown: 0,
    instructions: [],
    verification: undefined,
    packages: undefined,
    look: undefined,
    untold: '',
    window: undefined,
    freeBytes: Number.POSITIVE_INFINITY,
  };
}

/** Moves the run to a phase. */
export function enterPhase(loop: LoopState, phase: Phase): void {
  if (phase !== loop.evidence.phase) loop.onPhase(phase);
  loop.evidence = { ...loop.evidence, phase };
}

/** Adds evidence, and what the model sees of it. */
export function addEvents(state: LoopState, events: readonly EvidenceEvent[]): void {
  for (const event of events) {
    state.evidence = addEvidence(state.evidence, event);
    if (event.kind === 'read' || event.kind === 'shown') state.seen.show(event.path, event.text);
    if (event.kind === 'planned') {
      const { kind: _kind, text, ...scope } = event;
      state.plan = { ...scope, ...text };
    }
  }
}
