/** One call of a round: judged, run if it passed, and entered in the ledger with its evidence. */
import { codes, PhotonError } from '../../base/codes.ts';
import { hashJson } from '../../base/digest.ts';
import {
  describeState,
  type Ending,
  mayDeliver,
  type Phase,
  type Verification,
} from '../../base/outcome.ts';
import { asObject, parseJson } from '../../base/schema-issue.ts';
import { readOutside } from '../../guard/content/outside-text.ts';
import { decideAfter, policyInForce, type Refusal } from '../../guard/decide.ts';
import { addRefusal, countCall } from '../../guard/evidence.ts';
import type { ToolCall } from '../../model/turn.ts';
import { calledTool } from '../../skills/tool-aliases.ts';
import { finish } from '../../tools/finish.ts';
import { plan } from '../../tools/plan.ts';
import { readCodeBlock } from '../../tools/read-code-block.ts';
import { runCommand } from '../../tools/run-command.ts';
import type { EndRequest, ToolContext, ToolResult } from '../../tools/tool.ts';
import { verify } from '../../tools/verify.ts';
import type { CallResult } from '../context/model-conversation.ts';
import { fill } from '../context/profile.ts';
import { type CallJudgement, judgeCall } from './judge-call.ts';
import {
  addEvents,
  enterPhase,
  type LoopRun,
  type LoopState,
  maxViolations,
} from './loop-state.ts';
import { describeResult, noCall, recordCall } from './record-call.ts';
import { findLookups, findStaleLines, renderRefusal } from './render-refusal.ts';

export interface StepAnswer extends Omit<CallResult, 'call'> {
  /** Set when the call ended the run. */
  readonly end: Ending | undefined;
}

/** Takes one call. @throws PhotonError a violation past its bound, `CORRECTIONS_EXHAUSTED`, and endings of tools. */
export async function takeStep(run: LoopRun, call: ToolCall): Promise<StepAnswer> {
  const answer = await judgeAndRun(run, call);
  // file names and contents are foreign: characters that a person cannot see are shown by name
  const { untold } = run.state;
  run.state.untold = '';
  const given = [answer.text, untold].filter(part => part !== '').join('\n\n');
  const { text, removed } = readOutside('tool result', run.loop.context.scrub(given));
  run.state.hiddenShown += removed;
  return { ...answer, text, lines: run.state.seen.takeShown() };
}

/** How often a call may have the same result before the model is told, and before the run ends. */
const [toldAt, endsAt] = [3, 6];

/**
 * Counts a call that had the same result before; between them may stand others. Refused calls have a bound of their own.
 * Returns what the model is told; empty at first.
 * @throws PhotonError `CALL_REPEATED`.
 */
function noteRepeat({ state, policy }: LoopRun, call: ToolCall, text: string): string {
  const { name, argumentsText } = call;
  const key = hashJson([state.evidence.patchDigest, name, argumentsText, text]);
  const times = (state.results.get(key) ?? 0) + 1;
  state.results.set(key, times);
  if (times >= endsAt)
    throw new PhotonError(
      'CALL_REPEATED',
      `${name} had the same result ${times} times, with the same arguments and the same patch.`,
    );
  return times < toldAt ? '' : fill(policy.profile.templates, 'repeated', { times, most: endsAt });
}

async function judgeAndRun(run: LoopRun, given: ToolCall): Promise<StepAnswer> {
  const { state } = run;
  const call = given === noCall ? noCall : { ...given, name: calledTool(given.name) };
  const started = run.request.input.now();
  const { missing, thought, held } = state.refusedInRound;
  state.refusedInRound.finish ||= call.name === finish.name;
  if (missing !== undefined && !thought && settlesPatch.has(call.name))
    return leaveOut(run, call, missing);
  if (held?.patchDigest === state.evidence.patchDigest && call.name === finish.name)
    return leaveOut(run, call, held.cause);
  let judged = await judgeWithLookups(run, call);
  if (lacksVerification(judged)) {
    const verified = await verifyFirst(run, call);
    if (verified !== undefined && !hasPassed(verified, state)) return verified;
    if (verified !== undefined) judged = await judgeCall(run, call);
  }
  const { decision } = judged;
  if (decision.state === 'pass') {
    const answer = await runPassed(run, call, { judged, started });
    const again = answer.end === undefined ? noteRepeat(run, call, answer.text) : '';
    return again === '' ? answer : { ...answer, text: `${answer.text}\n\n${again}` };
  }
  const cause = findCause(state, decision);
  if (cause !== undefined) return leaveOut(run, call, cause);
  const apart = await partReads(run, call);
  if (apart !== undefined) return apart;
  const { phase } = state.evidence;
  const stale =
    decision.code === 'STALE_READ'
      ? await findStaleLines(judged.case, run.loop.context.session)
      : undefined;
  const shown = stale?.events;
  recordCall(run, call, { judged, started, decision, phase, result: undefined, shown });
  const text = refuse(run, call, decision);
  const answers = await lookUp(run, judged);
  if (answers.length > 0) return { text: [text, ...answers].join('\n'), end: undefined };
  if (stale === undefined || stale.events.length === 0) return { text, end: undefined };
  addEvents(state, stale.events);
  return { text: `${text}\n${stale.text}`, end: undefined };
}

const unwritten = 'a change that this reply asks for was not made';
const putBack = 'what a command of this reply wrote to project files is not in the patch';
const undone = 'this reply took a change back';
const notPassed = 'the patch did not pass the verification of this reply, so change it first';

/** What is said about a patch holds only if all of it was written. */
const settlesPatch: ReadonlySet<string> = new Set([verify.name, finish.name]);

/** A call that is not made, because of another one of its reply; it does not count. */
function leaveOut({ request, policy }: LoopRun, { name }: ToolCall, cause: string): StepAnswer {
  request.input.log.line(`${name}: not run, ${cause}`);
  return { text: fill(policy.profile.templates, 'not_run', { cause }), end: undefined };
}

function lacksVerification({ decision }: CallJudgement): boolean {
  return decision.state !== 'pass' && decision.code === 'VERIFY_MISSING';
}

function hasPassed({ end }: StepAnswer, { evidence, refusedInRound }: LoopState): boolean {
  const isHeld = refusedInRound.held !== undefined;
  return end === undefined && !isHeld && evidence.verified?.passed === true;
}

/**
 * Makes the verification that a call lacks, as a call of its own in the ledger.
 * @returns its answer; undefined if the rules do not let it pass.
 */
async function verifyFirst(run: LoopRun, { id, name }: ToolCall): Promise<StepAnswer | undefined> {
  const call = { id, name: verify.name, argumentsText: '{}' };
  const started = run.request.input.now();
  const judged = await judgeCall(run, call);
  if (judged.decision.state !== 'pass') return undefined;
  const answer = await runPassed(run, call, { judged, started, madeFor: name });
  return { ...answer, text: `${name} verified the patch first. ${answer.text}` };
}

/** Why a refusal only follows from an earlier one of the same reply, so that it does not count; undefined if it does count. */
function findCause({ refusedInRound }: LoopState, { code }: Refusal): string | undefined {
  if (code === 'THINK_MISSING' && refusedInRound.thought)
    return 'the reply gives no reasoning of its own';
  const needsPlan = code === 'PLAN_MISSING' || code === 'PLAN_SCOPE';
  return needsPlan && refusedInRound.plan ? 'the plan before it was refused' : undefined;
}

/** Judges a call. If a write lacks nothing but navigation, Photon looks its files up first. */
async function judgeWithLookups(run: LoopRun, call: ToolCall): Promise<CallJudgement> {
  const judged = await judgeCall(run, call);
  if (!judged.case.call.claims.some(claim => claim.kind === 'write')) return judged;
  const answers = await lookUp(run, judged);
  return answers.length === 0 ? judged : judgeCall(run, call);
}

/** Makes the lookups that a refused call lacks. @returns their answers; none if a rule refuses one. */
async function lookUp(run: LoopRun, judged: CallJudgement): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const lookup of await findLookups(judged, run.loop.context.session)) {
    const started = run.request.input.now();
    const found = await judgeCall(run, lookup);
    if (found.decision.state !== 'pass') return [];
    const made = { judged: found, started, by: 'photon' } as const;
    answers.push((await runPassed(run, lookup, made)).text);
  }
  return answers;
}

/** Reads what a refused call may read, beside the refusal of the rest; undefined where all of it is refused alike. */
async function partReads(run: LoopRun, call: ToolCall): Promise<StepAnswer | undefined> {
  const { requests } = asObject(parseJson(call.argumentsText));
  if (call.name !== readCodeBlock.name || !Array.isArray(requests)) return undefined;
  const make = (some: readonly unknown[]) => ({
    ...call,
    argumentsText: JSON.stringify({ requests: some }),
  });
  const judge = async (request: unknown) =>
    (await judgeCall(run, make([request]))).decision.state === 'pass';
  const may = await Promise.all(requests.map(judge));
  const [read, rest] = [true, false].map(state => requests.filter((_, i) => may[i] === state));
  if (!read?.length || !rest?.length) return undefined;
  const { text } = await judgeAndRun(run, make(rest));
  const answer = await judgeAndRun(run, make(read));
  return { ...answer, text: `${text}\n\n${answer.text}` };
}

interface PassedCall {
  readonly judged: CallJudgement;
  readonly started: number;
  /** Set for a lookup that Photon makes for the model. */
  readonly by?: 'photon';
  /** The call that the model made, if this one was made for it. */
  readonly madeFor?: string;
}

async function runPassed(
  run: LoopRun,
  call: ToolCall,
  { judged, started, by, madeFor }: PassedCall,
): Promise<StepAnswer> {
  const { state } = run;
  const { result: made, fatal } = await attempt(judged, run);
  const shown = by === undefined ? made : unseen(made);
  const result = madeFor === undefined ? shown : { ...shown, facts: { ...shown.facts, madeFor } };
  const after = decideAfter(result.failed);
  // a call that failed changes no phase, unless it gave a result all the same
  const counts = after.state === 'pass' || result.partial === true;
  const route = counts ? (judged.route ?? []) : [];
  const phase = route.at(-1) ?? state.evidence.phase;
  const via = route.length > 1 ? route[0] : undefined;
  recordCall(run, call, { judged, started, phase, via, result, decision: after });
  state.evidence = countCall(state.evidence, call.name);
  if (fatal !== undefined) throw fatal;
  const paths = result.paths ?? judged.paths;
  const names = ` (${paths.filter(Boolean).slice(0, 5).join(', ')})`.replace(' ()', '');
  const how = describeResult(call.name, result, { by, failed: after.state !== 'pass' });
  run.request.input.log.line(`${call.name}: ${how}${names}`);
  const { refusedInRound } = state;
  // what a command shows then is of the files as they were
  const { missing = undone } = refusedInRound;
  const isOld = call.name === runCommand.name && missing !== undone;
  const text = isOld ? `[${missing}]\n${result.text}` : result.text;
  // a change after an undo takes its place
  if (refusedInRound.missing === undone && result.change !== undefined)
    refusedInRound.missing = undefined;
  refusedInRound.missing = findMissing(run, call, { result, counts }) ?? refusedInRound.missing;
  if (!counts) return { text, end: undefined };
  const { whileActive, linesOnly, change } = result;
  return { text, end: settle(run, route, result), linesOnly, whileActive, change };
}

/** What the patch lacks after a call that ran, in words; as before if undefined. */
function findMissing(
  run: LoopRun,
  call: ToolCall,
  { result, counts }: { readonly result: ToolResult; readonly counts: boolean },
): string | undefined {
  if (result.isUnwritten !== undefined) return result.isUnwritten === 'shown' ? unwritten : putBack;
  if (result.change === 'undo') return undone;
  return !counts && writes(run, call) ? unwritten : undefined;
}

/** The result of a lookup by Photon: the ledger says whose it is, and the model has seen no symbol of it. */
function unseen(result: ToolResult): ToolResult {
  const events = result.events?.map(e => (e.kind === 'navigated' ? { ...e, outlined: [] } : e));
  return { ...result, events, facts: { ...result.facts, by: 'photon' } };
}

/** A small window makes the pages of results smaller. */
function withinBytes(context: ToolContext, freeBytes: number): ToolContext {
  const { policy } = context;
  const output_bytes = Math.min(policy.limits.output_bytes, freeBytes);
  return { ...context, policy: { ...policy, limits: { ...policy.limits, output_bytes } } };
}

/** Runs a passed call. `fatal` is an ending of the run that the tool threw. */
async function attempt(
  { bound, context }: CallJudgement,
  { state, policy: { profile } }: LoopRun,
): Promise<{ result: ToolResult; fatal?: unknown }> {
  try {
    if (bound === undefined) throw new PhotonError('INTERNAL', 'a call passed that cannot be run');
    return { result: await bound.run(withinBytes(context, state.freeBytes)) };
  } catch (error) {
    const failed = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    const errorLog = error instanceof Error ? (error.stack ?? '') : '';
    const result = {
      text: fill(profile.templates, 'failure', { error: failed }),
      failed,
      errorLog,
    };
    if (context.signal.aborted) return { result, fatal: context.signal.reason };
    return error instanceof PhotonError ? { result, fatal: error } : { result };
  }
}

/** Applies the result of a tool: evidence, phase, verification, ending. */
function settle(run: LoopRun, route: readonly Phase[], result: ToolResult): Ending | undefined {
  const { state } = run;
  const before = state.evidence.phase;
  addEvents(state, result.events ?? []);
  for (const phase of route) enterPhase(state, phase);
  if (result.verification !== undefined) {
    const { verification, news } = result.verification;
    state.verification = verification;
    const { patchDigest } = state.evidence;
    const isRefused = !mayDeliver(verification) && patchDigest !== '';
    if (isRefused) state.failedVerifications += 1;
    const cause = isRefused ? notPassed : news;
    state.refusedInRound.held = cause === undefined ? undefined : { patchDigest, cause };
    if (
      state.failedVerifications >
      policyInForce(run.policy.constitution, state.evidence).limits.repairs
    )
      return rolledBack(verification);
  }
  return result.end === undefined ? undefined : buildEnding(state, result.end, before);
}

function buildEnding(state: LoopState, end: EndRequest, before: Phase): Ending {
  const { verification, evidence } = state;
  if (end.status === 'committed' && evidence.phase !== 'COMMIT') return rolledBack(verification);
  return {
    status: end.status,
    code: end.code,
    // a run that gives up reports its phase
    phase: evidence.phase === 'ROLLBACK' ? before : evidence.phase,
    message: codes[end.code].meaning,
    statement: end.statement,
    summary: end.summary,
    answer: end.answer,
    choices: end.choices,
  };
}

/** A conflict in a lock file that no tool makes anew is left to people, as before the model is asked. */
function rolledBack({ code = 'VERIFY_FAILED', reason }: Partial<Verification> = {}): Ending {
  if (code === 'BASE_CONFLICT')
    return { status: 'abstained', code, phase: 'INPUT', message: reason ?? codes[code].meaning };
  return { status: 'rolled_back', code, phase: 'ROLLBACK', message: codes[code].meaning };
}

/** Counts a refusal. Returns its text for the model. */
function refuse(run: LoopRun, call: ToolCall, refusal: Refusal): string {
  const { state } = run;
  const { code, severity, evidence } = refusal;
  state.evidence = addRefusal(state.evidence, { code, tool: call.name });
  const inRound = state.refusedInRound;
  inRound.plan ||= call.name === plan.name;
  inRound.thought ||= code === 'THINK_MISSING';
  if (writes(run, call)) inRound.missing = unwritten;
  run.request.input.log.line(
    `${call.name || 'no call'}: ${describeState(refusal.state, severity)} ${code} (${evidence})`,
  );
  if (severity === 'abort') {
    state.violations += 1;
    if (state.violations > maxViolations(run.policy))
      throw new PhotonError(code, `${evidence} (constitution ${refusal.section}).`);
  } else if (!inRound.any) {
    inRound.any = true;
    state.corrections += 1;
    if (
      state.corrections > policyInForce(run.policy.constitution, state.evidence).limits.corrections
    )
      throw new PhotonError(
        'CORRECTIONS_EXHAUSTED',
        `Calls of ${state.corrections} rounds were refused, the last with ${code}.`,
      );
  }
  const granting =
    code === 'TOOL_NOT_PERMITTED' ? run.loop.context.skills.whichGrant(call.name) : [];
  return renderRefusal(run.policy.profile.templates, { call, granting }, refusal);
}

const writes = ({ loop: { tools } }: LoopRun, { name }: ToolCall) =>
  tools.some(tool => tool.name === name && tool.step === 'patch');
