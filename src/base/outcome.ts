/** The outcome of a run as data. Delivery and report are made from it. */
import { type Code, PhotonError } from './codes.ts';
import type { DeliveryKind } from './delivery-settings.ts';
import type {
  CheckedReference,
  PackageCheck,
  PatchProof,
  ReviewResult,
  SecondLookResult,
} from './findings.ts';
import { listFirst } from './plural.ts';

/** How a run can end (README, How a run ends), from the best to the worst. One ending has one name, on every surface. */
export const statuses = [
  'no_change',
  'answered',
  'undone',
  'previewed',
  'written',
  'applied',
  'suggested',
  'committed',
  'needs_clarification',
  'abstained',
  'rolled_back',
  'failed',
] as const;

export type Status = (typeof statuses)[number];

/** Severity of a status. A job with several runs reports the worst one. */
export const getSeverity = (status: Status): number => statuses.indexOf(status);

/** Phases of the pipeline (docs/tools.md). */
export const phases = [
  'INPUT',
  'PLAN',
  'NAVIGATE',
  'READ',
  'PATCH',
  'VERIFY',
  'COMMIT',
  'ROLLBACK',
] as const;

export type Phase = (typeof phases)[number];

/** The answer to a command that starts no run. It contains no text of the model. */
export interface CommandAnswer {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly table?: {
    readonly head: readonly string[];
    /** A cell such as `#12` refers to an issue or pull request. All other cells are shown as code. */
    readonly rows: readonly (readonly string[])[];
  };
}

/** How a run ended, before the delivery. */
export interface Ending {
  readonly status: Status;
  readonly code: Code;
  readonly phase: Phase;
  /** One or two sentences by Photon, never by the model. */
  readonly message: string;
  /** Text of the model that belongs to the status: the reason to abstain, or the question. */
  readonly statement?: string | undefined;
  /** What was wrong and what changed, as the model states it. It is shown escaped, and never obeyed. */
  readonly summary?: string | undefined;
  /** Choices of a clarification. */
  readonly choices?: readonly string[];
  /** The model's answer to a task that asks to look, explain or advise. Markdown; it is shown neutralised. */
  readonly answer?: string;
  /** The places in code that the answer names, checked at the commit of the run. */
  readonly places?: readonly CheckedReference[];
  readonly commandAnswer?: CommandAnswer;
  /** The findings of a review. */
  readonly review?: ReviewResult;
  /** The object that `output-schema` asks for. */
  readonly report?: unknown;
}

/** A command and its result. */
export interface CommandResult {
  readonly command: string;
  /** Exit status from the kernel; null if a signal or a limit ended the command. */
  readonly exitCode: number | null;
  /** The limit that ended the command; null if none did. */
  readonly limit: Limit | null;
  readonly durationMs: number;
  /** Number of blocked attempts to use the network; null if they were not counted. */
  readonly refusedConnections: number | null;
  /** The last part of its output, limited in size, without secrets. */
  readonly outputTail: string;
}

export interface CaseCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One run of the test command on one view, judged. */
export interface VerificationRun extends CommandResult {
  readonly passed: boolean;
  readonly cases?: CaseCounts;
  /** Of a run that fails: the failed cases that it names, with what it says of the first ones. */
  readonly failedCases?: readonly FailedCase[];
}

interface FailedCase {
  readonly name: string;
  /** Empty if nothing is known, or for a later one. */
  readonly text: string;
}

/** What a run printed, in at most so many lines: the failed cases by name and what it says of them, or its begin, and then the rest. */
export function showOutput(
  { failedCases = [], outputTail }: Pick<VerificationRun, 'failedCases' | 'outputTail'>,
  maxLines = 1_000,
): string {
  const texts = failedCases.map(c => c.text).filter(text => text !== '');
  const rest = leaveOut(outputTail, texts).trim();
  const lines = rest === '' ? [] : rest.split('\n');
  const names = listFirst(failedCases, c => c.name, { most: 20, between: '; ' });
  const first =
    names === ''
      ? lines.splice(0, Math.ceil(maxLines / 3))
      : [`Failed: ${names}`, ...texts]
          .join('\n')
          .split('\n')
          .slice(0, (maxLines * 2) / 3);
  const fits = first.length + lines.length <= maxLines;
  if (fits && (texts.length === 0 || lines.length === 0)) return [...first, ...lines].join('\n');
  return [...first, '…', ...lines.slice(first.length + 1 - maxLines)].join('\n');
}

/** The end of an output without these texts, which are shown elsewhere; it may begin inside one. */
export function leaveOut(outputTail: string, texts: readonly string[]): string {
  return texts.reduce((rest, text) => {
    if (rest.includes(text)) return rest.replaceAll(text, '');
    const lines = text.split('\n');
    const ends = lines.map((_, i) => lines.slice(i).join('\n'));
    return rest.slice(ends.find(end => rest.startsWith(end))?.length ?? 0);
  }, outputTail);
}

/** What a test expects before and with a patch. */
export interface ChangedExpectation {
  readonly path: string;
  /** Name of the test; empty if the line is in none. */
  readonly test: string;
  /** The lines without and with the patch, joined; at most 200 characters each. Empty for lines that go. */
  readonly before: string;
  readonly after: string;
}

/** What the tests of the project show about the patch (docs/verification.md). */
export interface Verification {
  readonly require: 'pass' | 'no-regression' | 'executed' | 'decided' | 'none';
  readonly passed: boolean;
  /** Why it did not pass. */
  readonly code?: Code;
  /**
   * True if it neither passed nor failed (`VERIFY_NOT_SHOWN`): the command exits with 0 with and without the patch, and
   * shows no test case. The patch may be delivered, as a draft.
   */
  readonly unjudged?: boolean;
  /** The evidence for that, if the runs do not show it themselves. */
  readonly reason?: string;
  readonly baseline?: VerificationRun;
  /** Tests that ran before the whole suite, because they failed before or belong to the changed files. */
  readonly early?: VerificationRun;
  readonly after?: VerificationRun;
  /** The patch with the unchanged tests of the base. It exists if the patch changes tests. */
  readonly withBaseTests?: VerificationRun;
  /** What tests of the base expect otherwise with the patch, because that was asked for: its pull request is a draft. */
  readonly changedExpectations?: readonly ChangedExpectation[];
  /** Test cases that passed before and fail now (`no-regression`). */
  readonly regressions: readonly string[];
  /** Test cases that fail with and without the patch, and nothing else does: its pull request is a draft. */
  readonly sameFailures?: readonly string[];
  /** What a reviewer must know about the patch. Its pull request is a draft. */
  readonly warnings?: readonly string[];
  /**
   * The cases that failed without the patch and pass with it, and how many of them failed again where they expect other
   * values. Absent if the tests name no such case.
   */
  readonly repaired?: { readonly cases: number; readonly dependent: number };
  /** What the scanner says of the finding that the task is about. */
  readonly alert?: {
    readonly command: string;
    readonly rule: string;
    readonly path: string;
    readonly line: number | null;
    /** True if it no longer reports the finding, and nothing new. */
    readonly gone: boolean;
  };
  /** What the tests show of each changed line. */
  readonly proof?: PatchProof;
  /** Files of the patch that define the tests or how they run. */
  readonly testFiles?: readonly {
    readonly path: string;
    /** `tests`: a test. `means`: another file that the tests run with. */
    readonly kind: 'tests' | 'means';
    readonly reason: string;
  }[];
  /** Digest of the patch that was verified. */
  readonly patchDigest: string;
}

/** True for a patch that may be delivered: it passed, or nothing judged it, and then it is a draft. */
export function mayDeliver({
  passed,
  unjudged,
}: Pick<Verification, 'passed' | 'unjudged'>): boolean {
  return passed || unjudged === true;
}

/** One file of the patch. */
export interface PatchedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  readonly added: number;
  readonly removed: number;
  /** Why reviewers must look at it first; absent for ordinary files. */
  readonly flag?: string;
}

/** A limit on a command: seconds, processes, or bytes of memory, disk and output. */
export const limits = ['time', 'processes', 'memory', 'disk', 'output'] as const;
export type Limit = (typeof limits)[number];

/** A guarantee of the sandbox, and whether the probe confirmed it. */
export interface Guarantee {
  readonly name:
    | 'network'
    | 'reads'
    | 'writes'
    | 'peek'
    | 'sockets'
    | 'survivors'
    | 'privilege'
    | 'inheritance'
    | 'resources'
    | 'egress'
    | 'services';
  readonly holds: boolean;
}

/** Connections of the same kind of command to the same destination with the same end. */
export interface Connections {
  /** As the command named it, in printable ASCII; `(others)` for what came after the hundredth destination. */
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
  /** Why they were refused or failed; empty if they were not. */
  readonly reason: string;
  readonly connections: number;
  /** Bytes from the host to the command. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The network of commands, if it ends at listed hosts or services. */
export interface EgressUse {
  readonly hosts: readonly string[];
  /** Those of the job, such as `5432`; absent in outcomes of older versions. */
  readonly services?: readonly string[];
  /** What was reached and refused; `caller` is what started the command, such as `setup`. */
  readonly connections: readonly (Connections & { readonly caller: string })[];
}

/** An instruction file of the trusted branch. */
export interface UsedInstructions {
  readonly path: string;
  /** sha256 of the file in that branch. */
  readonly sha256: string;
}

/** What a run intends to change (docs/constitution.md). */
export interface Plan {
  readonly entrySymbols: readonly string[];
  /** Paths that a patch may touch. */
  readonly affectedFiles: readonly string[];
  readonly scope: string;
  readonly maxChangedLines: number;
}

/** What the guard decides about a call (docs/guard.md). */
export const guardStates = ['pass', 'abstain', 'degrade'] as const;
export type GuardState = (typeof guardStates)[number];

/** How severe an abstention is: `abort` ends the run, `correct` lets the agent supply what is missing. */
export const severities = ['abort', 'correct'] as const;
export type Severity = (typeof severities)[number];

/** A state with its severity if that ends the run, for people: `abstain (abort)`. */
export function describeState(state: GuardState, severity?: Severity): string {
  return severity === 'abort' ? `${state} (abort)` : state;
}

/** A decision of the guard other than `pass`, and how often it made it. */
export interface DecisionCount {
  readonly code: Code;
  readonly state: Exclude<GuardState, 'pass'>;
  /** Present exactly for `abstain`. */
  readonly severity?: Severity;
  /** Section of the constitution that requires it; `none` for `degrade`. */
  readonly section: string;
  readonly tool: string;
  readonly count: number;
}

export interface Usage {
  readonly rounds: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  /** Input tokens that came from a cache of the endpoint; a part of `inputTokens`. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** In the currency of the prices; absent if a model has no price. */
  readonly cost?: number;
  /** The same for each model that replied, in the order in which they took over. */
  readonly models: readonly ModelUsage[];
}

/** What one model used in a run. */
export interface ModelUsage extends Omit<Usage, 'toolCalls' | 'models'> {
  readonly model: string;
  /** Input tokens that the endpoint wrote into its cache; a part of `inputTokens`. */
  readonly cacheWriteTokens: number;
  /** Where its price is from: `settings`, or the date of Photon's list. */
  readonly priceFrom?: string;
}

/** A skill that was active during a run. */
interface UsedSkill {
  readonly name: string;
  /** The version in its SKILL.md; may be empty. */
  readonly version: string;
  readonly activations: number;
  /** Rounds in which it was active. */
  readonly rounds: number;
  /** Calls of tools that the skill granted. */
  readonly calls: number;
}

/** Where the result was delivered. */
export interface DeliveryResult {
  readonly kind: DeliveryKind | 'applied' | 'review' | 'none';
  readonly branch?: string;
  readonly commit?: string;
  /** True if GitHub signed the commit; absent if there is no commit. */
  readonly commitsVerified?: boolean;
  readonly pullRequestNumber?: number;
  readonly pullRequestUrl?: string;
  /** Page that opens a pull request for the branch, if Photon opened none. */
  readonly compareUrl?: string;
  readonly operation: 'created' | 'updated' | 'closed' | 'none';
}

/** What a staged run would have delivered. */
export interface StagedDelivery {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly draft: boolean;
}

/** A change of a long-term record, as a reviewer sees it. */
export interface RecordChange {
  readonly operation: string;
  readonly id: string;
  /** `note`, `constraint` or `pattern`; empty if the change does not say. */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** The version that an update is based on. */
  readonly seen?: number;
}

/** An edit of the embedded engine that passes every test. */
export interface RepairEdit {
  /** Name of its template, as in docs/dev/engine.md. */
  readonly template: string;
  /** Description of the change. */
  readonly kind: string;
  /** The publications that describe this kind of repair. */
  readonly source: string;
  readonly path: string;
  /** Name of the changed function; empty or absent outside of functions. */
  readonly symbol?: string;
  /** 1-based. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** How the embedded engine found its patch, or how far it got. */
export interface Repair {
  /** Test cases that failed before. */
  readonly failing: number;
  /** Suspicious lines, most suspicious first. */
  readonly suspects: readonly {
    readonly path: string;
    readonly line: number;
    readonly score: number;
  }[];
  /** Number of possible edits, and of those that were tried. */
  readonly candidates: number;
  readonly tried: number;
  readonly perSecond: number;
  /** The edit of the patch; absent unless exactly one passes. */
  readonly edit?: RepairEdit;
  /** What the first failing tests compared, or their messages. Earlier versions do not have it. */
  readonly failures?: readonly { readonly test: string; readonly shown: string }[];
  /** The first edits of different meaning that pass every test, where there are several: none of them is delivered. */
  readonly alternatives: readonly RepairEdit[];
  /** What a reviewer must know about the patch. Its pull request is a draft. */
  readonly warnings: readonly string[];
}

/** What drives a run: a model behind an OpenAI-compatible endpoint, or the embedded engine. */
export type Engine = 'openai' | 'builtin';

/** True if a command of the run ran without a sandbox. A patch that was made so is always a draft. */
export function ranPlainly({ sandbox }: Pick<Outcome, 'sandbox'>): boolean {
  return sandbox.launcher === 'plain';
}

/** The outcome of one run; written to `outcome.json`. Version 1 of its shape. */
export interface Outcome extends Ending {
  readonly schema: 1;
  readonly runId: string;
  readonly photon: string;
  readonly task: {
    readonly id: string;
    readonly trigger: string;
    readonly askedBy: string;
    /** What was asked, without secrets; at most 500 characters. Earlier versions do not have it. */
    readonly text?: string;
    /** Who started the process: the actor of the job, or `local`. */
    readonly startedBy?: string;
    /** sha256 of the words of the task and of what is shown with them. */
    readonly digest?: string;
    /** Name of the maintenance task that this run carried out. */
    readonly maintenance?: string;
  };
  readonly repository: string;
  /** Address of the workflow run, which has its files; absent outside of Actions. */
  readonly page?: string;
  readonly base: {
    readonly ref: string;
    readonly commit: string;
    /** Commit that the run's commit merges: the patch resolves the conflicts of that merge. */
    readonly merged?: string | undefined;
  };
  readonly constitution: {
    readonly version: string;
    readonly sha256: string;
    /** sha256 of the rules and limits that the ledger begins with. */
    readonly rules?: string;
  };
  /** The agent profile, the protocol of replies, and their parser. */
  readonly prompt: {
    readonly agent: string;
    readonly version: string;
    readonly sha256: string;
    readonly protocol: string;
    readonly parser: string;
    readonly memory: string;
  };
  /** Instruction files of the repository that the model saw; absent if it saw none. */
  readonly instructions?: readonly UsedInstructions[];
  readonly engine: Engine;
  readonly model: string;
  /** Who serves the model, as OpenTelemetry names it: `openai`, `anthropic` …, or the host of its address. */
  readonly provider: string;
  /** Host of the model's address; absent for the embedded engine. */
  readonly endpoint?: string;
  /** The settings that somebody chose, and where: `input`, `repository`, `own`, `central`. Long ones and addresses as their sha256. */
  readonly settings?: Readonly<
    Record<string, { readonly from: string; readonly value: unknown } | undefined>
  >;
  /** Present only if the embedded engine ran. */
  readonly repair?: Repair;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly usage: Usage;
  /** Present if `delivery.showPlan` is set, if the run ended with its plan, or if a person approved the plan. */
  readonly plan?: Plan;
  /** The digest that `/photon approve` needs to carry out exactly this plan. */
  readonly planDigest?: string;
  readonly patch: {
    readonly files: readonly PatchedFile[];
    readonly digest: string;
    readonly tree: string;
    /** The packages that it brings, looked up in GitHub's advisory database; absent if it brings none. */
    readonly packages?: PackageCheck;
  };
  readonly verification: Verification | null;
  /** The second look at the patch (`review.own`); absent without one. */
  readonly look?: SecondLookResult;
  readonly decisions: readonly DecisionCount[];
  /** True if a tool failed after the guard had allowed its call. */
  readonly degraded: boolean;
  /** Changes of the long-term records, if there are any. */
  readonly records?: {
    readonly mode: 'reviewed' | 'yolo';
    /** sha256 that binds the pull request to these changes. */
    readonly digest: string;
    readonly changes: readonly RecordChange[];
  };
  readonly skills: readonly UsedSkill[];
  readonly sandbox: {
    readonly launcher: string;
    readonly guarantees: readonly Guarantee[];
    /** Names of the proxy, certificate and registry settings for the set-up command, if it has a network. */
    readonly setUpNetwork?: readonly string[];
    /** Present if the setting `network` lists hosts or services. */
    readonly egress?: EgressUse;
  };
  readonly hiddenRemoved: number;
  readonly notes: readonly string[];
  readonly ledger: { readonly entries: number; readonly head: string };
  readonly delivered: DeliveryResult;
  /** What a delivery that failed left in the repository; absent if none was begun. */
  readonly left?: LeftBehind;
  /** Present only if the setting staged prevented the delivery. */
  readonly staged?: StagedDelivery;
  readonly hint: string;
}

/** Where the patch of a run that ended with one is now. */
const places: Partial<Readonly<Record<Status, 'delivered' | 'shown'>>> = {
  committed: 'delivered',
  suggested: 'delivered',
  applied: 'delivered',
  written: 'delivered',
  previewed: 'shown',
};

/** True for a run that ended with a patch, whether it left Photon or not. */
export function hasPatch(status: Status): boolean {
  return places[status] !== undefined;
}

/** True for a run whose patch left Photon: as a commit, suggestions, a file, or in the work tree. */
export function isDelivered(status: Status): boolean {
  return places[status] === 'delivered';
}

/** True for an ending that people must hear of. */
export function isFailure(status: Status): boolean {
  return status === 'failed' || status === 'rolled_back';
}

/** True for a run that did what was asked, or had nothing to do. */
export function isSuccess(status: Status): boolean {
  return exitStatus(status, true) === 0;
}

/**
 * The exit status of the process: 0 for success and neutral endings, 1 for failures.
 * `fail-on-abstain` makes the neutral ones (abstained, needs_clarification) failures.
 */
export function exitStatus(status: Status, failOnAbstain: boolean): 0 | 1 {
  if (isFailure(status)) return 1;
  return failOnAbstain && (status === 'abstained' || status === 'needs_clarification') ? 1 : 0;
}

/** What is known of how a patch was checked; undefined or absent if nothing was. */
type PatchCheck = Pick<Verification, 'passed' | 'after'> | null | undefined;

/** True if the tests pass with the patch. A verification also passes where nothing fails that did not fail before. */
export function passesTests(checked: PatchCheck): boolean {
  return checked?.passed === true && checked.after?.passed !== false;
}

/** A patch, or what it became, by what was proven of it: `verified commit` or `unverified commit`. */
export function provenAs(checked: PatchCheck, thing = 'patch'): string {
  return `${passesTests(checked) ? 'verified' : 'unverified'} ${thing}`;
}

/** `a verified commit`, `an unverified commit`. */
export function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** Codes of a run that ended with a patch. */
export type PatchCode = Extract<
  Code,
  'COMMITTED' | 'SUGGESTED' | 'APPLIED' | 'PATCH_WRITTEN' | 'DRY_RUN' | 'STAGED'
>;

const ends: Readonly<Record<PatchCode, string>> = {
  COMMITTED: 'was delivered.',
  SUGGESTED: 'was suggested in a review.',
  APPLIED: 'was written to the working folder. To take it back, run photon undo.',
  PATCH_WRITTEN: 'is in patch.diff, and nothing else was changed.',
  DRY_RUN: 'was delivered nowhere, because this is a dry run.',
  STAGED: 'is shown, but not delivered, because this is a staged run.',
};

/** One sentence on what became of a patch. */
export function patchMessage(code: PatchCode, checked: PatchCheck): string {
  return `The ${provenAs(checked)} ${ends[code]}`;
}

/** What a delivery that failed left in the repository, as it was read back. Nothing in any list: the repository is as it was. */
export interface LeftBehind {
  /** Branches with the commits of this run that they hold now. */
  readonly branches: readonly { readonly name: string; readonly commit: string }[];
  /** Pull requests that this run changed. */
  readonly pulls: readonly {
    readonly number: number;
    readonly change: 'opened' | 'updated' | 'closed';
    readonly state: 'open' | 'closed';
  }[];
  /** What could not be read, so that nobody knows: `the branch photon/task-1`. */
  readonly unread: readonly string[];
}

export const nothingLeft: LeftBehind = { branches: [], pulls: [], unread: [] };

/** The error of a delivery, with what the delivery left. */
export class UnfinishedDelivery extends PhotonError {
  readonly left: LeftBehind;

  constructor(error: PhotonError, left: LeftBehind) {
    super(error.code, error.message, { hint: error.hint, cause: error });
    this.left = left;
  }
}
