/** Facts and ending of a run to its outcome. Pure. */
import { codes, PhotonError, withSystemCode } from '../../codes.ts';
import type { Constitution } from '../../guard/policy/constitution.ts';
import type { LeftBehind } from '../../left-behind.ts';
import { type Change, idOf } from '../../memory/change.ts';
import { parserVersions } from '../../model/protocol.ts';
import type {
  Delivered,
  Ending,
  Engine,
  Outcome,
  RecordChange,
  Repair,
  Staged,
} from '../../outcome.ts';
import type { Task } from '../../task.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { Policy } from '../context/policy.ts';
import { costOf, costOfModel, nothingSpent } from '../limits/budget.ts';
import { describePatch } from '../loop/final-check.ts';
import type { LoopState } from '../loop/loop-state.ts';
import { keepsChanges } from './keep-memory.ts';

/** All that is known of a run when it ends; null for what it did not reach. */
export interface RunFacts {
  readonly runId: string;
  readonly photon: string;
  readonly task: Task | null;
  readonly repository: string;
  /** Address of the workflow run; empty outside of Actions. */
  readonly page: string;
  readonly baseCommit: string;
  readonly policy: Policy | null;
  readonly engine: Engine;
  readonly model: string;
  readonly provider: string;
  /** How the embedded engine found its patch; null when it did not search. */
  readonly repair: Repair | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly state: LoopState | null;
  readonly changes: readonly FileChange[];
  readonly patchDigest: string;
  readonly tree: string;
  readonly sandbox: Outcome['sandbox'];
  readonly ledger: { readonly entries: number; readonly head: string };
  readonly notes: readonly string[];
  /** What the run adds to the records if it commits. */
  readonly proposal?: {
    readonly mode: 'reviewed' | 'yolo';
    readonly changes: readonly Change[];
    readonly digest: string;
  };
}

const nothing: Delivered = { kind: 'none', operation: 'none' };

/** What an ending adds to the facts. */
export interface EndingFacts {
  /** Default: the hint of the code. */
  readonly hint?: string | undefined;
  readonly delivered?: Delivered | undefined;
  readonly staged?: Staged | undefined;
  /** Digest that approves the plan; absent when there is nothing to approve. */
  readonly planDigest?: string | undefined;
  readonly left?: LeftBehind | undefined;
}

/** The outcome of an ending. */
export function outcomeOf(ending: Ending, facts: RunFacts, more: EndingFacts = {}): Outcome {
  const { task, policy, state } = facts;
  const constitution: Pick<Constitution, 'version'> | undefined = policy?.constitution;
  return {
    ...ending,
    schema: 1,
    runId: facts.runId,
    photon: facts.photon,
    task: {
      id: task?.id ?? '',
      trigger: task?.trigger ?? '',
      askedBy: task?.askedBy ?? '',
      maintenance: task?.maintenance,
    },
    repository: facts.repository,
    page: facts.page === '' ? undefined : facts.page,
    base: { ref: task?.baseRef ?? '', commit: facts.baseCommit },
    constitution: {
      version: constitution?.version ?? '',
      sha256: policy?.constitutionSha256 ?? '',
    },
    prompt: promptOf(policy),
    instructions:
      state === null || state.instructions.length === 0 ? undefined : state.instructions,
    engine: facts.engine,
    model: facts.model,
    provider: facts.provider,
    repair: facts.repair ?? undefined,
    startedAt: new Date(facts.startedAt).toISOString(),
    durationMs: facts.endedAt - facts.startedAt,
    usage: usageOf(state, policy),
    ...planOf(facts, more.planDigest),
    patch: {
      files:
        policy === null || task === null
          ? []
          : describePatch(facts.changes, policy.constitution, {
              taskPrompt: task.prompt,
              outputs: task.outputs,
              verification: state?.verification ?? null,
            }),
      digest: facts.patchDigest,
      tree: facts.tree,
    },
    verification: state?.verification ?? null,
    decisions: [...(state?.decisions.values() ?? [])],
    degraded: state?.degraded ?? false,
    skills: usedSkills(state, policy),
    ...recordsOf(ending, facts),
    sandbox: facts.sandbox,
    hiddenRemoved: (task?.hiddenRemoved ?? 0) + (state?.hiddenShown ?? 0),
    notes: facts.notes,
    ledger: facts.ledger,
    delivered: more.delivered ?? nothing,
    staged: more.staged,
    left: more.left,
    hint: more.hint ?? codes[ending.code].hint,
  };
}

/** The plan, when a setting shows it or a person decides about it. */
function planOf(
  { policy, task, state }: RunFacts,
  planDigest: string | undefined,
): Pick<Outcome, 'plan' | 'planDigest'> {
  const plan = state?.evidence.plan;
  const stops = task?.until === 'plan' || task?.until === 'approval';
  const shown = policy?.settings.showPlan || stops || task?.approved !== undefined;
  if (!shown || !plan) return {};
  return { plan, planDigest };
}

/** The skills that were active at some time, and how much each was used. */
function usedSkills(state: LoopState | null, policy: Policy | null): Outcome['skills'] {
  const versions = new Map(policy?.skills.map(s => [s.name, s.version]));
  return [...(state?.evidence.skillUse ?? [])].map(([name, use]) => ({
    name,
    version: versions.get(name) ?? '',
    ...use,
  }));
}

function promptOf(policy: Policy | null): Outcome['prompt'] {
  if (policy === null)
    return { agent: '', version: '', sha256: '', protocol: '', parser: '', memory: '' };
  const { agentName: agent, version, sha256, protocol, memory } = policy.profile;
  return { agent, version, sha256, protocol, parser: parserVersions[protocol], memory };
}

function recordsOf({ status }: Ending, { proposal }: RunFacts): Pick<Outcome, 'records'> {
  if (proposal === undefined || !keepsChanges(status, proposal.mode)) return {};
  const { mode, digest, changes } = proposal;
  return { records: { mode, digest, changes: changes.map(shownChange) } };
}

/** A change as a reviewer reads it. */
function shownChange(change: Change): RecordChange {
  const { op } = change;
  const about = { operation: op, id: idOf(change) };
  switch (op) {
    case 'add':
      return {
        ...about,
        kind: change.kind,
        title: change.title,
        text: change.body,
        tags: change.tags,
      };
    case 'confirm':
      return {
        ...about,
        kind: 'pattern',
        title: change.title,
        text: change.body,
        tags: change.tags,
      };
    case 'update': {
      const { title = '', body, seen, tags = [] } = change;
      return { ...about, kind: '', title, text: body, tags, seen };
    }
    case 'issue': {
      const text = [change.text, change.metadata].filter(t => t !== '').join('\n');
      return { ...about, kind: '', title: '', text, tags: [] };
    }
    default:
      return { ...about, kind: '', title: '', text: '', tags: [] };
  }
}

function usageOf(state: LoopState | null, policy: Policy | null): Outcome['usage'] {
  const spent = state?.spent ?? nothingSpent;
  const prices = policy?.settings.modelPrices ?? {};
  const cost = costOf(prices, spent);
  return {
    rounds: spent.rounds,
    toolCalls: state?.toolCalls ?? 0,
    inputTokens: spent.inputTokens,
    cachedTokens: spent.models.reduce((sum, m) => sum + m.cachedTokens, 0),
    outputTokens: spent.outputTokens,
    cost,
    models: spent.models.map(used => {
      const own = costOfModel(prices, used);
      const priceFrom = prices[used.model]?.from;
      return {
        ...used,
        cost: own === undefined || !priceFrom ? undefined : own,
        priceFrom: own === undefined || !priceFrom ? undefined : priceFrom,
      };
    }),
  };
}

/** The ending of an error: always `failed`, with the code of the error. */
export function endingOfError(
  thrown: unknown,
  phase: Ending['phase'],
): { ending: Ending; hint: string } {
  const error = withSystemCode(thrown);
  if (error instanceof PhotonError) {
    return {
      ending: { status: 'failed', code: error.code, phase, message: error.message },
      hint: error.hint,
    };
  }
  const code = 'INTERNAL';
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    ending: { status: 'failed', code, phase, message: message.slice(0, 500) },
    hint: codes[code].hint,
  };
}
