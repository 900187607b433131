/** Defines tools: name, schema, claims, and what a tool does with the context of a run. */
import * as z from 'zod';
import type { ReviewFinding } from '../base/findings.ts';
import { once } from '../base/once.ts';
import type { Ending, Plan } from '../base/outcome.ts';
import { asObject, describeIssue } from '../base/schema-issue.ts';
import type { Claim } from '../guard/claim.ts';
import type { Evidence, EvidenceEvent } from '../guard/evidence.ts';
import { pathsIn } from '../guard/paths.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import type { SeenLines } from '../guard/seen-lines.ts';
import type { Operation } from '../ledger/ledger.ts';
import type { McpServers } from '../mcp/servers.ts';
import type { Ram } from '../memory/ram.ts';
import type { RunRecords } from '../memory/run-records.ts';
import type { States } from '../memory/states.ts';
import type { ToolDefinition } from '../model/turn.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { symbolsIn } from '../navigation/lookup.ts';
import type { Navigator } from '../navigation/navigator.ts';
import type { Symbols } from '../navigation/symbols.ts';
import type { SyntaxChecker } from '../navigation/syntax/syntax.ts';
import type { CommandView } from '../sandbox/command-view.ts';
import type { SkillManager } from '../skills/skill-manager.ts';
import { listAliases } from '../skills/tool-aliases.ts';
import type { VerificationResult } from '../verify/prove-verdict.ts';
import type { CommandBook } from '../workspace/session/command-changes.ts';
import type { Session } from '../workspace/session/session.ts';
import type { PullDiff } from './pull-diff.ts';

/** The step of the pipeline that a call takes; `undefined` leaves the phase unchanged. */
export type PipelineStep =
  | 'plan'
  | 'navigate'
  | 'read'
  | 'patch'
  | 'verify'
  | 'finish'
  | 'abort'
  | undefined;

/** Everything that a tool may use. None of it can change files of the host. */
export interface ToolContext {
  /** What was asked for, which says what a long listing shows. */
  readonly task: string;
  readonly session: Session;
  readonly symbols: Symbols;
  readonly navigator: Navigator;
  readonly syntax: SyntaxChecker;
  readonly policy: Constitution;
  readonly skills: SkillManager;
  readonly ram: Ram;
  readonly states: States;
  readonly commands: CommandView;
  /** The changes of commands that results have shown. */
  readonly commandBook: CommandBook;
  readonly commandNetwork: boolean;
  readonly evidence: Evidence;
  /** The plan in force; undefined before there is one. */
  readonly plan?: Plan | undefined;
  readonly seen: SeenLines;
  /** Runs the project's tests on the current patch; undefined when verification is waived. */
  readonly verify: (() => Promise<VerificationResult>) | undefined;
  /** Makes the lock files of a merge anew, as a step of the session; undefined without such files. */
  readonly remakeLocks?: (() => Promise<RemadeLocks>) | undefined;
  readonly coreTools: readonly string[];
  /** The long-term notes of this run; undefined when the record tools are not offered. */
  readonly records: RunRecords | undefined;
  /** What the pull request of the task changes, fetched at the first call; undefined when the tool is not offered. */
  readonly pullDiff: (() => Promise<PullDiff>) | undefined;
  /** Where a review keeps its findings; undefined in other runs. */
  readonly findings: FindingCollector | undefined;
  /** Where the object that the settings ask for is kept; undefined if they ask for none. */
  readonly report: ReportKeeper | undefined;
  /** MCP servers of the configuration; undefined without any. */
  readonly mcp: McpServers | undefined;
  /** True when a text contains the value of a secret of this run. */
  readonly holdsSecret: (text: string) => boolean;
  /** Removes secrets and control characters from the output of a command. */
  readonly scrub: (text: string) => string;
  readonly signal: AbortSignal;
}

/** The paths of the new lock files, or the failed verification of a patch with which their tool makes none. */
export interface RemadeLocks {
  readonly made: readonly string[];
  readonly failed?: VerificationResult;
}

/** What the loop adds to the context of each call. */
export type OfState = 'evidence' | 'plan' | 'seen' | 'commandBook';

/** A tool's request to end the run; the engine ends it. */
export type EndRequest = Omit<Ending, 'phase' | 'message' | 'places' | 'commandAnswer' | 'review'>;

export interface ToolResult {
  /** Text for the model; the tool limits its length. */
  readonly text: string;
  readonly events?: readonly EvidenceEvent[];
  /** Paths that the call touched, for the ledger. */
  readonly paths?: readonly string[];
  /** Set when the call changed the patch, or took its last step back. */
  readonly change?: 'patch' | 'undo' | undefined;
  /** True when the text holds lines of files and nothing else. */
  readonly linesOnly?: boolean;
  readonly verification?: VerificationResult;
  readonly end?: EndRequest;
  /** Facts for the ledger, such as the exit code of a command; never its output. */
  readonly facts?: Operation['facts'];
  /** Activation of a skill: the text stays in the conversation while it lasts. */
  readonly whileActive?: string;
  /** Set when the tool ran and failed: the decision becomes `degrade`. */
  readonly failed?: string;
  /** Set when the call wrote nothing of what it was to write: it showed that, or it was put back. */
  readonly isUnwritten?: 'shown' | 'put-back' | undefined;
  /** True when a tool that failed gave a result all the same: its evidence counts. */
  readonly partial?: boolean;
  /** The end of what a failed tool printed, for the session; never in the ledger. */
  readonly errorLog?: string;
}

/** A tool without its argument type, for lists of tools. */
export interface Tool {
  readonly name: string;
  /** True: always permitted. False: an active skill must grant it. */
  readonly core: boolean;
  /** What a run must have before the tool is offered; `undefined` when every run offers it. */
  readonly needs: 'ram' | 'states' | 'records' | 'pull' | 'findings' | 'report' | undefined;
  readonly step: PipelineStep;
  /** What the model is told of it. */
  readonly definition: ToolDefinition;
  /** False when the tool would be useless now; the model does not see it. */
  offered(skills: SkillManager): boolean;
  /** Validated arguments, or what is wrong with them. */
  parse(
    args: unknown,
  ):
    | { readonly ok: true; readonly call: BoundCall }
    | { readonly ok: false; readonly problems: readonly string[] };
}

/** A tool with validated arguments. */
export interface BoundCall {
  /** What it would read, write or run, given the current session. */
  claims(context: ToolContext): Promise<readonly Claim[]>;
  /** Problems of the arguments, given the current session; checked before the call runs. */
  problems(context: ToolContext): Promise<readonly string[]>;
  run(context: ToolContext): Promise<ToolResult>;
}

interface ToolSpec<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly core: boolean;
  readonly needs?: Tool['needs'];
  readonly step: PipelineStep;
  /** Default: always. */
  readonly offered?: (skills: SkillManager) => boolean;
  readonly schema: S;
  /** Another form of the arguments, accepted though the documents do not tell the model of it. */
  readonly alternative?: {
    readonly schema: z.ZodObject;
    readonly toArguments: (args: object) => object;
    /** True: requests offer it first, since it is shorter. */
    readonly isOffered?: boolean;
  };
  /** Reads the arguments of other agents, which count as read in another way than they were sent. */
  readonly readForm?: ToolDefinition['readForm'];
  readonly claims: (
    args: z.infer<S>,
    context: ToolContext,
  ) => readonly Claim[] | Promise<readonly Claim[]>;
  readonly problems?: (args: z.infer<S>, context: ToolContext) => Promise<readonly string[]>;
  readonly run: (args: z.infer<S>, context: ToolContext) => Promise<ToolResult>;
}

/** Makes a tool; validator, model definition and documentation come from its one schema. */
export function defineTool<S extends z.ZodType>(spec: ToolSpec<S>): Tool {
  // the tools that a run never offers need none
  const define = once(() => {
    const json = toJson(spec.schema);
    return {
      name: spec.name,
      description: spec.description,
      parameters: buildParameters(json, inDocuments),
      brief: buildBrief(json, spec.alternative),
      ...listAliases(spec.name),
      readForm: spec.readForm,
      accepts: { reason: { type: 'string' }, ...getProperties(spec.alternative?.schema) },
    };
  });
  return {
    name: spec.name,
    core: spec.core,
    needs: spec.needs,
    step: spec.step,
    offered: spec.offered ?? (() => true),
    get definition() {
      return define();
    },
    parse: given => {
      const { schema } = spec;
      const parsed = schema.safeParse(prepareArguments(given, schema, spec.alternative));
      if (!parsed.success) {
        const { brief } = define();
        const issues = parsed.error.issues.slice(0, 10);
        return { ok: false, problems: issues.map(issue => describeProblem(issue, brief)) };
      }
      const data = parsed.data;
      const call: BoundCall = {
        claims: async context => spec.claims(data, context),
        problems: async context => (await spec.problems?.(data, context)) ?? [],
        run: context => spec.run(data, context),
      };
      return { ok: true, call };
    },
  };
}

/** What is wrong at a place of the arguments; of a key that is not there, the keys that are. */
function describeProblem(issue: z.core.$ZodIssue, parameters: object): string {
  const place = issue.path.length === 0 ? '' : `/${issue.path.map(String).join('/')}: `;
  if (issue.code !== 'unrecognized_keys') return `${place}${describeIssue(issue)}`;
  let at = asObject(parameters);
  for (const key of issue.path)
    at = asObject(typeof key === 'number' ? at.items : asObject(at.properties)[String(key)]);
  const keys = Object.keys(asObject(at.properties)).join(', ');
  return `${place}${describeIssue(issue)}; the keys are ${keys}`;
}

/** What the schema of a tool judges: arguments without the reasoning, in the form that it describes. */
function prepareArguments(
  given: unknown,
  schema: z.ZodType,
  alternative: ToolSpec<z.ZodType>['alternative'],
): unknown {
  const own = schema instanceof z.ZodObject && 'reason' in schema.shape;
  const args = own ? given : withoutReason(given);
  const other = alternative !== undefined && typeof args === 'object' && args !== null;
  return other ? alternative.toArguments(args) : args;
}

/** Arguments without `reason`, in which any call may carry its reasoning (constitution §4). */
export function withoutReason(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const { reason, ...rest } = args as Record<string, unknown>;
  return typeof reason === 'string' ? rest : args;
}

/** The arguments as requests define them. */
function buildBrief(json: object, alternative: ToolSpec<z.ZodType>['alternative']) {
  const brief = buildParameters(json, inRequests);
  if (alternative?.isOffered !== true) return brief;
  const { required: _, ...rest } = brief;
  const other = buildParameters(toJson(alternative.schema), inRequests);
  return { ...rest, properties: { ...asObject(other.properties), ...asObject(brief.properties) } };
}

function getProperties(schema: z.ZodObject | undefined): Readonly<Record<string, unknown>> {
  return schema === undefined
    ? {}
    : (buildParameters(toJson(schema), inDocuments).properties as Readonly<
        Record<string, unknown>
      >);
}

/** A description that requests leave out, because a name, a result or a refusal says it. */
export const aside = (text: string) => ({ aside: text });

/** An argument that requests leave out, because the result that makes it useful names it. */
export const inResults = { inResults: true };

const noise = ['$schema', 'additionalProperties', 'minLength', 'maxLength', 'maximum', 'minimum'];
const inDocuments = new Set([...noise, 'inResults']);
const inRequests = new Set([...noise, 'aside', 'maxItems']);

const toJson = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });

/** The JSON schema without the keywords that its readers do not need. */
const buildParameters = (json: object, left: ReadonlySet<string>) =>
  strip(json, left) as Record<string, unknown>;

function strip(value: unknown, left: ReadonlySet<string>, inProperties = false): unknown {
  if (Array.isArray(value)) return value.map(v => strip(v, left));
  if (typeof value !== 'object' || value === null) return value;
  const { items } = value as { readonly items?: { readonly type?: unknown } };
  const isPlain = left === inRequests && items?.type === 'object';
  const kept = Object.entries(value).filter(([key, v]) =>
    inProperties
      ? left !== inRequests || !Object.hasOwn(v as object, 'inResults')
      : !left.has(key) && !(isPlain && key === 'minItems'),
  );
  return Object.fromEntries(
    kept.map(([key, v]) => [
      key === 'aside' ? 'description' : key,
      strip(v, left, key === 'properties' && !inProperties),
    ]),
  );
}

/** The event that states the tools and skills that are active now. */
export function makePermitted({ skills, coreTools }: ToolContext): EvidenceEvent {
  return {
    kind: 'permitted',
    tools: [...coreTools, ...skills.grantedTools()],
    skills: skills.grants(),
  };
}

/** The event that an output shows paths of tracked files; none when it shows no new one. */
export async function seenIn(
  text: string,
  { session, evidence }: ToolContext,
): Promise<readonly EvidenceEvent[]> {
  const tracked = (await session.files()).map(f => f.path);
  const files = pathsIn(text, tracked).filter(path => !evidence.seenFiles.has(path));
  return files.length === 0 ? [] : [{ kind: 'seen', files }];
}

/** The event that a name was found, when an earlier lookup of this run missed it. */
export function listResolved(name: string, { evidence }: ToolContext): readonly EvidenceEvent[] {
  return evidence.unresolved.has(name) ? [{ kind: 'resolved', name }] : [];
}

/** The symbols of the current version of a file; none when it is not text. */
export async function symbolsAt(
  path: string,
  context: ToolContext,
): Promise<readonly CodeSymbol[]> {
  return symbolsIn({ symbols: context.symbols, text: p => context.session.plainText(p) }, path);
}

/** A finding as the model states it, and the test that is to show it. */
export interface FindingDraft
  extends Pick<ReviewFinding, 'path' | 'start' | 'end' | 'severity' | 'problem'> {
  readonly test?: { readonly path: string; readonly content: string };
}

export interface FindingCollector {
  /** Checks a finding, runs its test, and keeps it. @returns for the model: what became of it. */
  record(draft: FindingDraft): Promise<string>;
}

/** The object that the settings ask for. */
export interface ReportKeeper {
  /** What is wrong with an object, by the schema; empty if nothing is. */
  problems(report: unknown): Promise<readonly string[]>;
  /** Keeps the object, in place of an earlier one. */
  keep(report: unknown): void;
  /** The object that was kept last; undefined without one. */
  value(): unknown;
}
