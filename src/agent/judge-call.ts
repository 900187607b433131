/** One tool call from foreign text to a decision: decode, claim, look up facts, judge. */
import type { Claim, PathFacts } from '../guard/claim.ts';
import type { Constitution } from '../guard/constitution.ts';
import { decide } from '../guard/decide.ts';
import { lawInForce } from '../guard/law-in-force.ts';
import { normalisePath } from '../guard/paths.ts';
import type { Case, JudgedCall } from '../guard/rule.ts';
import type { ToolCall } from '../model/turn.ts';
import type { Session } from '../session/session.ts';
import type { BoundCall, Room, Tool } from '../tools/tool.ts';
import { nextPhase, stepIn } from './phases.ts';

export interface JudgeContext {
  readonly tools: readonly Tool[];
  readonly room: Room;
  /** The law of the whole repository; that of the folders which the call touches is laid over it. */
  readonly law: Constitution;
  readonly holdsSecret: (text: string) => boolean;
}

export interface Judged {
  readonly decision: ReturnType<typeof decide>;
  readonly bound: BoundCall | null;
  /** All that was judged. */
  readonly case: Case;
  /** The room under the law of this call. */
  readonly room: Room;
  readonly paths: readonly string[];
}

/** Judges a call; nothing of it has run yet. */
export async function judgeCall(call: ToolCall, context: JudgeContext): Promise<Judged> {
  const tool = context.tools.find(t => t.name === call.name);
  const { evidence } = context.room;
  const { bound, problems } = bind(tool, call);
  const claims = bound?.claims ?? [];
  const facts = await factsOf(claims, context.room.session);
  const law = lawInForce(context.law, evidence, claims);
  const room: Room = { ...context.room, law };
  const judged: JudgedCall = {
    tool: call.name,
    exists: tool !== undefined,
    argumentProblems: problems,
    claims,
    nextPhase:
      tool === undefined ? evidence.phase : nextPhase(evidence.phase, stepIn(evidence, tool.step)),
  };
  const first: Case = { call: judged, evidence, law, facts, holdsSecret: context.holdsSecret };
  const paths = pathsOf(claims);
  const decision = decide(first);
  if (decision.state !== 'pass' || bound === null)
    return { decision, bound, case: first, room, paths };
  // the arguments in the light of the session: only asked once the paths are known to be harmless
  const argumentProblems = await bound.problems(room);
  const last: Case = { ...first, call: { ...judged, argumentProblems } };
  return { decision: decide(last), bound, case: last, room, paths };
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
