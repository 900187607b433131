/** The outcome of a run, from its ending and what it has come to. */
import type { Policy } from '../agent/context/policy.ts';
import type { LoopState } from '../agent/loop/loop-state.ts';
import { countDecisions, isDegraded, readUsage } from '../audit/derive-outcome.ts';
import { codes, PhotonError, withSystemCode } from '../base/codes.ts';
import { digest, hashJson } from '../base/digest.ts';
import type { DeliveryResult, Ending, Outcome, RecordChange } from '../base/outcome.ts';
import { plural } from '../base/plural.ts';
import { isObject } from '../base/schema-issue.ts';
import type { Task } from '../base/task.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import type { Delivery, RunInput } from '../hosts/host.ts';
import { type Change, getRecordId } from '../memory/change.ts';
import { parserVersions } from '../model/protocols/protocol.ts';
import type { Settings } from '../settings/settings.ts';
import { pickEngine } from './engines/index.ts';
import { describeFiles } from './final-check.ts';
import { buildProposal, keepsChanges } from './keep-memory.ts';
import type { OpenedRun, Run, RunProgress } from './stages.ts';

const nothing: DeliveryResult = { kind: 'none', operation: 'none' };

/** Characters of the task that the outcome keeps. */
const maxTaskChars = 500;

/** What an ending adds to the facts; the default hint is that of the code. */
interface EndingFacts extends Pick<Delivery, 'delivered' | 'staged' | 'planDigest' | 'left'> {
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
  const described = describeSettings(environment?.settings, input);
  const entries = opened.ledger.entries();
  const usage = readUsage(entries, described);
  const isUnanswered = ending.code === 'BUDGET_TIME' && run !== undefined && usage.rounds === 0;
  const constitution: Pick<Constitution, 'version'> | undefined = policy?.constitution;
  return {
    ...ending,
    schema: 1,
    runId: opened.id,
    ...describeStart({ startedAt, input, environment }),
    task: { ...nameTask(task, opened.scrub), startedBy: opened.ledger.caller },
    // a patch that was applied to a newer base lies over that base
    base: {
      ref: task?.baseRef ?? '',
      commit: session?.git.commit ?? environment?.git.commit ?? '',
      merged: environment?.start?.merge?.commit,
    },
    constitution: {
      version: constitution?.version ?? '',
      sha256: policy?.constitutionSha256 ?? '',
    },
    prompt: describePrompt(policy),
    instructions: state && state.instructions.length > 0 ? state.instructions : undefined,
    ...described,
    repair: run?.loop.repair(),
    durationMs: input.now() - startedAt,
    usage,
    ...getPlan(run, more.planDigest),
    patch: {
      files: run === undefined ? [] : describeFiles(run),
      digest: session?.patchDigest() ?? '',
      tree: progress.proven?.tree ?? '',
      packages: state?.packages?.check,
    },
    verification: state?.verification ?? null,
    look: state?.look,
    decisions: countDecisions(entries),
    degraded: isDegraded(entries),
    skills: usedSkills(state, policy),
    ...describeRecords(ending, run),
    sandbox: services?.sandboxState() ?? { launcher: 'none', guarantees: [] },
    hiddenRemoved: (task?.hiddenRemoved ?? 0) + (state?.hiddenShown ?? 0),
    notes: [
      ...opened.notes(),
      ...(services?.navigation.servers?.notes() ?? []),
      ...describeMisfits(state),
    ],
    ledger: opened.ledger.head(),
    delivered: more.delivered ?? nothing,
    staged: more.staged,
    left: more.left,
    hint: isUnanswered ? unansweredHint : (more.hint ?? codes[ending.code].hint),
  };
}

const unansweredHint =
  'No reply came before the limit. Check base-url and model, or raise timeout-minutes.';

/** Names unreadable replies, and counts the calls that were refused for their arguments; one whose arguments were read as they were meant does not count. */
function describeMisfits(state: LoopState | undefined): readonly string[] {
  const { misfits = 0, unread } = state ?? {};
  return [
    misfits === 0 ? '' : `Refused because the arguments did not fit: ${plural(misfits, 'call')}.`,
    unread === undefined
      ? ''
      : `No further reply of the model could be read (${unread}). What is delivered is the patch that had passed before.`,
  ].filter(text => text !== '');
}

/** The plan, when a setting shows it or a person decides about it. */
function getPlan(
  run: Run | undefined,
  planDigest: string | undefined,
): Pick<Outcome, 'plan' | 'planDigest'> {
  if (run === undefined) return {};
  const { plan } = run.state;
  const { request, policy } = run;
  const { kind, task } = request;
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
function describeRecords({ status }: Ending, run: Run | undefined): Pick<Outcome, 'records'> {
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

/** Where and with what a run began. */
export function describeStart({
  startedAt,
  input,
  environment,
}: Pick<OpenedRun, 'startedAt' | 'input'> & Pick<RunProgress, 'environment'>) {
  return {
    photon: environment?.shipped.version ?? '',
    repository: input.repository,
    page: input.page || undefined,
    startedAt: new Date(startedAt).toISOString(),
  };
}

/** What the settings choose: the model, where it is, and all that somebody set. */
export function describeSettings(settings: Settings | undefined, input: RunInput) {
  if (settings === undefined) return { engine: 'openai', model: '', provider: '' } as const;
  const { engine, model, modelPrices, baseUrl, chosen } = settings;
  const isPriced = Object.keys(modelPrices).length > 0;
  // the task has an entry of its own
  const named = Object.entries(chosen).flatMap(([name, { from, value }]) =>
    name === 'task' ? [] : [[name, { from, value: shortValue(value) }] as const],
  );
  return {
    engine,
    model,
    provider: pickEngine(settings, input).provider(settings),
    endpoint: URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined,
    settings: {
      ...Object.fromEntries(named),
      modelPrices: isPriced ? { from: 'prices', value: modelPrices } : undefined,
    },
  };
}

const maxValue = 200;

/** A setting as a record names it: an address can hold more than a reader should see. */
function shortValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  const isPlain = !isObject(value) && text.length <= maxValue && !text.includes('://');
  return isPlain ? value : `sha256:${hashJson(value)}`;
}

/** A task as the outcome names it. */
export function nameTask(task: Task | undefined, scrub: (text: string) => string): Outcome['task'] {
  const { id = '', trigger = '', askedBy = '', maintenance, prompt = '' } = task ?? {};
  const text = scrub(prompt).slice(0, maxTaskChars).toWellFormed();
  return { id, trigger, askedBy, text, maintenance };
}

/** Longest text of a task that a ledger holds, in characters. */
const maxTaskText = 20_000;

/** The words of a task and what is shown with them, without secrets. */
export function describeTask({ prompt, context }: Task, scrub: (text: string) => string) {
  const whole = scrub([prompt, ...context.map(c => c.text)].join('\n'));
  const text = whole.slice(0, maxTaskText);
  return { text, isCut: text !== whole, digest: digest(whole) };
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
