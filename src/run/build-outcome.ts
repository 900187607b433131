/** The outcome of a run, from its ending and what it has come to. */
import type { Policy } from '../agent/context/policy.ts';
import { computeCost, costOfModel, nothingSpent } from '../agent/limits/budget.ts';
import type { LoopState } from '../agent/loop/loop-state.ts';
import { codes, PhotonError, withSystemCode } from '../base/codes.ts';
import type { DeliveryResult, Ending, Outcome, RecordChange } from '../base/outcome.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import type { Delivery } from '../hosts/host.ts';
import { type Change, getRecordId } from '../memory/change.ts';
import { parserVersions } from '../model/protocols/protocol.ts';
import { pickEngine } from './engines/index.ts';
import { describePatch } from './final-check.ts';
import { buildProposal, keepsChanges } from './keep-memory.ts';
import type { PreparedRun, RunProgress } from './stages.ts';

const nothing: DeliveryResult = { kind: 'none', operation: 'none' };

/** Characters of the task that the outcome keeps. */
const maxTaskChars = 500;

/** What an ending adds to the facts; the default hint is that of the code. */
export interface EndingFacts
  extends Pick<Delivery, 'delivered' | 'staged' | 'planDigest' | 'left'> {
  readonly hint?: string;
}

/** The outcome of an ending, from what the run has come to. */
export function buildOutcome(
  ending: Ending,
  progress: RunProgress,
  more: EndingFacts = {},
): Outcome {
  const { opened, environment, policy, services, run } = progress;
  const { input, startedAt } = opened;
  const task = progress.task;
  const state = run?.state;
  const session = (run?.services ?? services)?.session;
  const settings = environment?.settings;
  const constitution: Pick<Constitution, 'version'> | undefined = policy?.constitution;
  return {
    ...ending,
    schema: 1,
    runId: opened.id,
    photon: environment?.shipped.version ?? '',
    task: {
      id: task?.id ?? '',
      trigger: task?.trigger ?? '',
      askedBy: task?.askedBy ?? '',
      text: opened
        .scrub(task?.prompt ?? '')
        .slice(0, maxTaskChars)
        .toWellFormed(),
      maintenance: task?.maintenance,
    },
    repository: input.repository,
    page: input.page || undefined,
    // a patch that was applied to a newer base lies over that base
    base: {
      ref: task?.baseRef ?? '',
      commit: session?.git.commit ?? environment?.git.commit ?? '',
    },
    constitution: {
      version: constitution?.version ?? '',
      sha256: policy?.constitutionSha256 ?? '',
    },
    prompt: describePrompt(policy),
    instructions: state && state.instructions.length > 0 ? state.instructions : undefined,
    engine: settings?.engine ?? 'openai',
    model: settings?.model ?? '',
    provider: settings === undefined ? '' : pickEngine(settings, input).provider(settings),
    repair: run?.repair(),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: input.now() - startedAt,
    usage: buildUsage(state, policy),
    ...getPlan(run, more.planDigest),
    patch: {
      files:
        policy === undefined || task === undefined
          ? []
          : describePatch(session?.changes() ?? [], policy.constitution, {
              taskPrompt: task.prompt,
              outputs: task.outputs,
              verification: state?.verification,
            }),
      digest: session?.patchDigest() ?? '',
      tree: progress.proven?.tree ?? '',
    },
    verification: state?.verification ?? null,
    decisions: [...(state?.decisions.values() ?? [])],
    degraded: state?.degraded ?? false,
    skills: usedSkills(state, policy),
    ...describeRecords(ending, run),
    sandbox: services?.sandboxState() ?? { launcher: 'none', guarantees: [] },
    hiddenRemoved: (task?.hiddenRemoved ?? 0) + (state?.hiddenShown ?? 0),
    notes: [...opened.notes(), ...(services?.navigation.servers?.notes() ?? [])],
    ledger: opened.ledger.head(),
    delivered: more.delivered ?? nothing,
    staged: more.staged,
    left: more.left,
    hint: more.hint ?? codes[ending.code].hint,
  };
}

/** The plan, when a setting shows it or a person decides about it. */
function getPlan(
  run: PreparedRun | undefined,
  planDigest: string | undefined,
): Pick<Outcome, 'plan' | 'planDigest'> {
  if (run === undefined) return {};
  const { plan } = run.state.evidence;
  const { kind, policy, task } = run;
  const shown = policy.settings.showPlan || kind.showsPlan || task.approved !== undefined;
  if (!shown || !plan) return {};
  return { plan, planDigest };
}

/** The skills that were active at some time, and how much each was used. */
function usedSkills(state: LoopState | undefined, policy: Policy | undefined): Outcome['skills'] {
  const versions = new Map(policy?.skills.map(s => [s.name, s.version]));
  return [...(state?.evidence.skillUse ?? [])].map(([name, use]) => ({
    name,
    version: versions.get(name) ?? '',
    ...use,
  }));
}

function describePrompt(policy: Policy | undefined): Outcome['prompt'] {
  if (policy === undefined)
    return { agent: '', version: '', sha256: '', protocol: '', parser: '', memory: '' };
  const { agentName: agent, version, sha256, protocol, memory } = policy.profile;
  return { agent, version, sha256, protocol, parser: parserVersions[protocol], memory };
}

/** What the run adds to the records if it commits. */
function describeRecords(
  { status }: Ending,
  run: PreparedRun | undefined,
): Pick<Outcome, 'records'> {
  if (run === undefined) return {};
  const { changes, digest } = buildProposal(run);
  const mode = run.policy.settings.memoryMode === 'yolo' ? 'yolo' : 'reviewed';
  if (changes.length === 0 || !keepsChanges(status, mode)) return {};
  return { records: { mode, digest, changes: changes.map(shownChange) } };
}

/** A change as a reviewer reads it. */
function shownChange(change: Change): RecordChange {
  const about = {
    operation: change.op,
    id: getRecordId(change),
    kind: '',
    title: '',
    text: '',
    tags: [],
  };
  switch (change.op) {
    case 'add':
    case 'confirm': {
      const { title, body: text, tags } = change;
      return { ...about, kind: change.op === 'add' ? change.kind : 'pattern', title, text, tags };
    }
    case 'update': {
      const { title = '', body: text, seen, tags = [] } = change;
      return { ...about, title, text, tags, seen };
    }
    case 'issue':
      return { ...about, text: [change.text, change.metadata].filter(t => t !== '').join('\n') };
    default:
      return about;
  }
}

function buildUsage(state: LoopState | undefined, policy: Policy | undefined): Outcome['usage'] {
  const spent = state?.spent ?? nothingSpent;
  const prices = policy?.settings.modelPrices ?? {};
  const cost = computeCost(prices, spent);
  return {
    rounds: spent.rounds,
    toolCalls: state?.toolCalls ?? 0,
    inputTokens: spent.inputTokens,
    cachedTokens: spent.models.reduce((sum, m) => sum + m.cachedTokens, 0),
    outputTokens: spent.outputTokens,
    cost,
    models: spent.models.map(used => {
      const cost = costOfModel(prices, used);
      const priceFrom = prices[used.model]?.from;
      return cost === undefined || !priceFrom ? used : { ...used, cost, priceFrom };
    }),
  };
}

/** The ending of an error: `failed` with the code of the error, and `abstained` where a person stopped the run. */
export function endingOfError(
  thrown: unknown,
  phase: Ending['phase'],
): { ending: Ending; hint: string } {
  const error = withSystemCode(thrown);
  if (error instanceof PhotonError) {
    const status = error.code === 'STOPPED_BY_PERSON' ? 'abstained' : 'failed';
    return {
      ending: { status, code: error.code, phase, message: error.message },
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
