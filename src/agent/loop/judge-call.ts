/** One tool call, from foreign text to a decision: decode, state claims, look up facts, judge. */
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import type { Claim, ClaimFacts, PathState } from '../../guard/claim.ts';
import { decide, policyInForce } from '../../guard/decide.ts';
import { findFacts } from '../../guard/facts.ts';
import { nearestPaths } from '../../guard/nearest-names.ts';
import { changedPaths, normalisePath } from '../../guard/paths.ts';
import { withBoundedReads } from '../../guard/read-lines.ts';
import type { Case, JudgedCall } from '../../guard/rule.ts';
import type { ToolCall } from '../../model/turn.ts';
import type { BoundCall, Tool, ToolContext } from '../../tools/tool.ts';
import type { Session } from '../../workspace/session/session.ts';
import { findRoute, type Route } from '../limits/phases.ts';
import type { LoopRun } from './loop-state.ts';

export interface CallJudgement {
  readonly decision: ReturnType<typeof decide>;
  readonly bound: BoundCall | undefined;
  /** All that was judged. */
  readonly case: Case;
  /** The tool context with the policy of this call. */
  readonly context: ToolContext;
  readonly paths: readonly string[];
  /** The phases that the call enters; undefined when the table has no way for it. */
  readonly route: Route;
}

/** Judges a call; nothing of it has run yet. */
export async function judgeCall(
  { loop: { tools, context: shared }, policy: { constitution }, state }: LoopRun,
  call: ToolCall,
): Promise<CallJudgement> {
  const tool = tools.find(t => t.name === call.name);
  const { evidence, plan, seen, commandBook } = state;
  const own = { ...shared, evidence, plan, seen, commandBook };
  // by the letter, arguments are what was sent, whatever they mean
  const isStrict = constitution.reads === 'strict';
  const { argumentsText, sentText = argumentsText } = call;
  const { bound, problems } = bind(tool, isStrict ? sentText : argumentsText);
  const stated = (await bound?.claims(own)) ?? [];
  const states = await readStates(stated, shared.session);
  const { holdsSecret } = shared;
  const { facts, ...found } = findFacts(stated, { states, evidence, holdsSecret });
  const policy = policyInForce(constitution, evidence, found.claims);
  const claims =
    policy.reads === 'strict'
      ? found.claims
      : withBoundedReads(found.claims, evidence.readThisRound, policy.limits.read_lines);
  const context: ToolContext = { ...own, policy };
  const route = findRoute(tool?.step, { claims, evidence, facts });
  const judged: JudgedCall = {
    ...found,
    ...countProblems(problems),
    tool: call.name,
    exists: tool !== undefined,
    claims,
    nextPhase: route === undefined ? undefined : (route.at(-1) ?? evidence.phase),
  };
  const first: Case = { call: judged, evidence, policy, facts, pathClasses };
  const paths = listPaths(claims);
  const decision = decide(first);
  if (decision.state !== 'pass' || bound === undefined)
    return { decision, bound, case: first, context, paths, route };
  // arguments are checked against the session only when the paths are known to be harmless
  const further = countProblems(await bound.problems(context));
  const last: Case = { ...first, call: { ...judged, ...further } };
  return { decision: decide(last), bound, case: last, context, paths, route };
}

const countProblems = (problems: readonly string[]) => ({
  problems: problems.length,
  problemText: problems.join('; '),
});

interface Bound {
  readonly bound: BoundCall | undefined;
  readonly problems: readonly string[];
}

function bind(tool: Tool | undefined, argumentsText: string): Bound {
  if (tool === undefined) return { bound: undefined, problems: [] };
  let data: unknown;
  try {
    data = JSON.parse(argumentsText.trim() || '{}');
  } catch (error) {
    const problems = [`not JSON: ${(error as Error).message.slice(0, 200)}`];
    return { bound: undefined, problems };
  }
  const parsed = tool.parse(data);
  return parsed.ok
    ? { bound: parsed.call, problems: [] }
    : { bound: undefined, problems: parsed.problems };
}

async function readStates(
  claims: readonly Claim[],
  session: Session,
): Promise<ReadonlyMap<string, PathState>> {
  const paths = listPaths(claims);
  const states = new Map(
    await Promise.all(paths.map(async path => [path, await session.facts(path)] as const)),
  );
  for (const [path, converted] of await session.conversions(
    changedPaths(claims).filter(path => path !== ''),
  ))
    states.set(path, { ...(states.get(path) ?? (await session.facts(path))), converted });
  for (const claim of claims) {
    const path = claim.kind === 'read' ? normalisePath(claim.path) : undefined;
    const known = path === undefined ? undefined : states.get(path);
    if (path === undefined || known?.kind !== 'missing') continue;
    const paths = (await session.files()).map(f => f.path);
    states.set(path, { ...known, nearest: nearestPaths(path, paths) });
  }
  return states;
}

function listPaths(claims: readonly (Claim | ClaimFacts)[]): readonly string[] {
  const paths = claims.flatMap(claim => ('path' in claim ? [normalisePath(claim.path)] : []));
  return [...new Set(paths.filter(path => path !== undefined))];
}
