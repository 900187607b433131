/** What a tool is: a name, a schema, what it claims, and what it does in the room of a run. */
import * as z from 'zod';
import type { Code } from '../codes.ts';
import type { Claim } from '../guard/claim.ts';
import type { Constitution } from '../guard/constitution.ts';
import type { Evidence, EvidenceEvent } from '../guard/evidence.ts';
import type { Operation } from '../ledger/ledger.ts';
import type { Notebook } from '../memory/notebook.ts';
import type { Ram } from '../memory/ram.ts';
import type { States } from '../memory/states.ts';
import type { ToolDefinition } from '../model/turn.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { symbolsIn } from '../navigation/lookup.ts';
import type { Navigator } from '../navigation/navigator.ts';
import type { Symbols } from '../navigation/symbols.ts';
import type { Status } from '../outcome.ts';
import type { CommandView } from '../sandbox/command-view.ts';
import type { SkillManager } from '../skills/skill-manager.ts';
import type { VerificationResult } from '../testing/verify.ts';
import type { Session } from '../workspace/session/session.ts';

/** Where a call moves the pipeline to; `null` leaves the phase as it is. */
export type PipelineStep =
  | 'plan'
  | 'navigate'
  | 'read'
  | 'patch'
  | 'verify'
  | 'finish'
  | 'abort'
  | null;

/** All that a tool may use. Nothing here reaches the host's files. */
export interface ToolContext {
  readonly session: Session;
  readonly symbols: Symbols;
  readonly navigator: Navigator;
  readonly policy: Constitution;
  readonly skills: SkillManager;
  readonly ram: Ram;
  readonly states: States;
  readonly commands: CommandView;
  readonly commandNetwork: boolean;
  readonly evidence: Evidence;
  /** Runs the project's tests on the patch as it stands; null when verification is waived. */
  readonly verify: (() => Promise<VerificationResult>) | null;
  readonly coreTools: readonly string[];
  /** The long-term notes as this run sees them; null where the record tools are not offered. */
  readonly records: Notebook | null;
  /** True when a text holds the value of a secret of this run. */
  readonly holdsSecret: (text: string) => boolean;
  /** Takes secrets and control characters out of what a command printed. */
  readonly scrub: (text: string) => string;
  readonly signal: AbortSignal;
}

/** A tool's wish to end the run; the engine makes the ending. */
export interface EndRequest {
  readonly status: Status;
  readonly code: Code;
  readonly statement?: string;
  readonly summary?: string;
  readonly choices?: readonly string[];
}

export interface ToolResult {
  /** What the model is told; bounded by the tool. */
  readonly text: string;
  readonly events?: readonly EvidenceEvent[];
  /** Paths touched, for the ledger. */
  readonly paths?: readonly string[];
  readonly verification?: VerificationResult;
  readonly end?: EndRequest;
  /** How a command ended and what was kept from it, for the ledger; never its text. */
  readonly facts?: Operation['facts'];
  /** Name of a skill: the text stays in the conversation while it is active. */
  readonly whileActive?: string;
  /** Set when the tool ran but did not do what it was asked: the decision becomes `degrade`. */
  readonly failed?: string;
}

/** A tool with its argument type erased, as the engine holds it. */
export interface Tool {
  readonly name: string;
  /** True: always permitted. False: an active skill must grant it. */
  readonly core: boolean;
  /** What a run must have for the tool to be of use; `null` for every run. */
  readonly needs: 'ram' | 'states' | 'records' | null;
  readonly step: PipelineStep;
  readonly definition: ToolDefinition;
  /** False: the model is not told of it, since it would be of no use. */
  offered(skills: SkillManager): boolean;
  /** Validated arguments, or what is wrong with them. */
  parse(
    args: unknown,
  ):
    | { readonly ok: true; readonly call: BoundCall }
    | { readonly ok: false; readonly problems: string[] };
}

/** A tool with validated arguments. */
export interface BoundCall {
  readonly claims: readonly Claim[];
  /** What is wrong with the arguments in the light of the session; found before the call runs. */
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
  readonly claims: (args: z.infer<S>) => readonly Claim[];
  readonly problems?: (args: z.infer<S>, context: ToolContext) => Promise<readonly string[]>;
  readonly run: (args: z.infer<S>, context: ToolContext) => Promise<ToolResult>;
}

/** Makes a tool from its one schema: validator, model definition and documentation. */
export function defineTool<S extends z.ZodType>(spec: ToolSpec<S>): Tool {
  return {
    name: spec.name,
    core: spec.core,
    needs: spec.needs ?? null,
    step: spec.step,
    offered: spec.offered ?? (() => true),
    get definition() {
      return {
        name: spec.name,
        description: spec.description,
        parameters: parametersOf(spec.schema),
      };
    },
    parse: args => {
      const parsed = spec.schema.safeParse(args);
      if (!parsed.success) {
        return {
          ok: false,
          problems: parsed.error.issues
            .slice(0, 10)
            .map(i => `/${i.path.map(String).join('/')}: ${i.message}`),
        };
      }
      const data = parsed.data;
      const call: BoundCall = {
        claims: spec.claims(data),
        problems: async context => (await spec.problems?.(data, context)) ?? [],
        run: context => spec.run(data, context),
      };
      return { ok: true, call };
    },
  };
}

/** JSON schema without what a model does not need. */
function parametersOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const json = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as Record<
    string,
    unknown
  >;
  return strip(json) as Record<string, unknown>;
}

const noise = new Set([
  '$schema',
  'additionalProperties',
  'minLength',
  'maxLength',
  'maximum',
  'maxItems',
]);

function strip(value: unknown, inProperties = false): unknown {
  if (Array.isArray(value)) return value.map(v => strip(v));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => inProperties || !noise.has(key));
  return Object.fromEntries(kept.map(([key, v]) => [key, strip(v, key === 'properties')]));
}

/** The event that what is active now makes. */
export function permitted({ skills, coreTools }: ToolContext): EvidenceEvent {
  return {
    kind: 'permitted',
    tools: [...coreTools, ...skills.grantedTools()],
    skills: skills.grants(),
  };
}

/** Symbols of a file as it stands; none when it is no text. */
export async function symbolsAt(
  path: string,
  context: ToolContext,
): Promise<readonly CodeSymbol[]> {
  return symbolsIn({ symbols: context.symbols, text: p => context.session.plainText(p) }, path);
}
