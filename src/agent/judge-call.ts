/** One tool call from foreign text to a decision: decode, claim, look up facts, judge. */
import type { Claim, PathFacts } from '../guard/claim.ts';
import type { Constitution } from '../guard/constitution.ts';
import { type Decision, decide } from '../guard/decide.ts';
import { normalisePath } from '../guard/paths.ts';
import type { JudgedCall } from '../guard/rule.ts';
import type { ToolCall } from '../model/turn.ts';
import type { Phase } from '../outcome.ts';
import type { Session } from '../session/session.ts';
import type { BoundCall, Room, Tool } from '../tools/tool.ts';
import { nextPhase } from './phases.ts';

export interface JudgeContext {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly room: Room;
  readonly law: Constitution;
  readonly holdsSecret: (text: string) => boolean;
}

export interface Judged {
  readonly decision: Decision;
  readonly bound: BoundCall | null;
  readonly nextPhase: Phase | null;
  readonly paths: readonly string[];
}

/** Judges a call; nothing of it has run yet. */
export async function judgeCall(call: ToolCall, context: JudgeContext): Promise<Judged> {
  const tool = context.tools.get(call.name);
  const { bound, problems } = bind(tool, call);
  const claims = bound?.claims ?? [];
  const facts = await factsOf(claims, context.room.session);
  const phase =
    tool === undefined
      ? context.room.evidence.phase
      : nextPhase(context.room.evidence.phase, tool.step);
  const judged: JudgedCall = {
    tool: call.name,
    exists: tool !== undefined,
    argumentProblems: problems,
    claims,
    nextPhase: phase,
  };
  const inputs = {
    evidence: context.room.evidence,
    law: context.law,
    facts,
    holdsSecret: context.holdsSecret,
  };
  const first = decide({ call: judged, ...inputs });
  const paths = pathsOf(claims);
  if (first.state !== 'pass' || bound === null)
    return { decision: first, bound, nextPhase: phase, paths };
  // the arguments in the light of the session: only asked once the paths are known to be harmless
  const late = await bound.problems(context.room);
  const decision =
    late.length === 0 ? first : decide({ call: { ...judged, argumentProblems: late }, ...inputs });
  return { decision, bound, nextPhase: phase, paths };
}

function bind(
  tool: Tool | undefined,
  call: ToolCall,
): { bound: BoundCall | null; problems: readonly string[] } {
  if (tool === undefined) return { bound: null, problems: [] };
  let data: unknown;
  try {
    data = JSON.parse(call.argumentsText.trim() || '{}');
  } catch (error) {
    return { bound: null, problems: [`not JSON: ${(error as Error).message.slice(0, 200)}`] };
  }
  const parsed = tool.parse(data);
  return parsed.ok
    ? { bound: parsed.call, problems: [] }
    : { bound: null, problems: parsed.problems };
}

async function factsOf(
  claims: readonly Claim[],
  session: Session,
): Promise<ReadonlyMap<string, PathFacts>> {
  const paths = pathsOf(claims);
  return new Map(
    await Promise.all(paths.map(async path => [path, await session.facts(path)] as const)),
  );
}

function pathsOf(claims: readonly Claim[]): readonly string[] {
  const paths = claims.flatMap(claim => ('path' in claim ? [normalisePath(claim.path)] : []));
  return [...new Set(paths.filter(path => path !== null))];
}
