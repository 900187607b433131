/** The loop: think, model turn, guard, tools, ledger; until the run has an ending (SPEC §1). */
import { type Code, codes, PhotonError } from '../codes.ts';
import type { Constitution } from '../guard/constitution.ts';
import { addEvidence } from '../guard/evidence.ts';
import type { Message, Model, ToolCall, Turn } from '../model/turn.ts';
import type { Ending } from '../outcome.ts';
import type { Ledger } from '../session/ledger.ts';
import { digest } from '../session/ledger.ts';
import type { EndRequest, Room, Tool, ToolResult } from '../tools/tool.ts';
import { addUsage, allowRequest, type Budget } from './budget.ts';
import { type Judged, judgeCall } from './judge-call.ts';
import { countDecision, enterPhase, type Progress } from './progress.ts';
import { boundTranscript, transcriptBytes } from './transcript.ts';

/** What the loop tells as it goes; each line is made inert by whoever prints it. */
export interface AgentLog {
  round(number: number): void;
  think(text: string): void;
  call(line: string): void;
}

export interface AgentOptions {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly room: Omit<Room, 'evidence'>;
  readonly law: Constitution;
  readonly budget: Budget;
  /** Violations told to the agent before the run aborts (constitution limits, SPEC §3). */
  readonly maxViolations: number;
  readonly systemPrompt: () => string;
  readonly taskPrompt: string;
  readonly holdsSecret: (text: string) => boolean;
  readonly ledger: Ledger;
  readonly log: AgentLog;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * Runs a task to its ending. Endings that the model asks for and failed verifications past their
 * bound are returned.
 * @throws PhotonError for every other ending: budgets, model, violation, too many corrections.
 */
export async function runAgent(options: AgentOptions): Promise<Ending> {
  const tools = new Map(options.tools.map(t => [t.name, t]));
  const definitions = options.tools.map(t => t.definition);
  const definitionBytes = Buffer.byteLength(JSON.stringify(definitions));
  let transcript: readonly Message[] = [{ role: 'user', text: options.taskPrompt }];
  for (;;) {
    transcript = boundTranscript(transcript);
    const messages: Message[] = [{ role: 'system', text: options.systemPrompt() }, ...transcript];
    const turn = await takeTurn(options, { messages, tools: definitions }, definitionBytes);
    const answers: Message[] = [];
    let ending: Ending | null = null;
    if (turn.calls.length === 0) answers.push({ role: 'user', text: missingCall(options) });
    for (const call of turn.calls) {
      if (ending !== null) break;
      const { text, end } = await takeStep(options, tools, call);
      answers.push({ role: 'tool', callId: call.id, name: call.name, text });
      ending = end;
    }
    if (ending !== null) return ending;
    transcript = [
      ...transcript,
      { role: 'assistant', text: turn.text, calls: turn.calls },
      ...answers,
    ];
  }
}

async function takeTurn(
  options: AgentOptions,
  request: { messages: readonly Message[]; tools: Parameters<Model['complete']>[0]['tools'] },
  definitionBytes: number,
): Promise<Turn> {
  const { progress, budget, law } = options;
  const bytes = transcriptBytes(request.messages) + definitionBytes;
  const maxOutputTokens = allowRequest(budget, progress.spent, { bytes, now: options.now() });
  options.log.round(progress.spent.rounds + 1);
  const started = options.now();
  const turn = await options.model.complete({ ...request, maxOutputTokens }, options.signal);
  progress.spent = addUsage(progress.spent, turn.usage, bytes);
  progress.evidence = { ...progress.evidence, thought: turn.text };
  options.ledger.append({
    phase: progress.evidence.phase,
    tool: 'model.turn',
    decision: 'pass',
    code: null,
    paths: [],
    arguments: '',
    content: digest(turn.text),
    durationMs: options.now() - started,
    facts: { calls: turn.calls.length, ...turn.usage },
  });
  if (turn.text.trim() !== '') options.log.think(turn.text.trim().slice(0, law.limits.think_chars));
  return turn;
}

function missingCall(options: AgentOptions): string {
  countDecision(options.progress, 'CALL_MISSING', 'none');
  correct(options, 'CALL_MISSING');
  return `CALL_MISSING: ${codes.CALL_MISSING.meaning} ${codes.CALL_MISSING.hint}`;
}

/** Counts a correction and ends the run past the bound. */
function correct(options: AgentOptions, code: Code): void {
  options.progress.corrections += 1;
  if (options.progress.corrections <= options.law.limits.corrections) return;
  throw new PhotonError(
    'CORRECTIONS_EXHAUSTED',
    `${options.progress.corrections} calls were refused, the last with ${code}.`,
  );
}

interface StepAnswer {
  readonly text: string;
  readonly end: Ending | null;
}

async function takeStep(
  options: AgentOptions,
  tools: ReadonlyMap<string, Tool>,
  call: ToolCall,
): Promise<StepAnswer> {
  const { progress } = options;
  const started = options.now();
  progress.toolCalls += 1;
  const room: Room = { ...options.room, evidence: progress.evidence };
  const judged = await judgeCall(call, {
    tools,
    room,
    law: options.law,
    holdsSecret: options.holdsSecret,
  });
  const { decision } = judged;
  if (decision.state === 'abstain' || decision.state === 'violation') {
    record(options, call, {
      judged,
      started,
      content: '',
      code: decision.code,
      state: decision.state,
      paths: judged.paths,
    });
    return refuse(options, call, decision);
  }
  const outcome = await attempt(judged, room);
  const failed = 'error' in outcome ? outcome.error : outcome.result.failed;
  if (failed !== undefined) progress.degraded = true;
  const text = 'error' in outcome ? `degrade: ${call.name} failed: ${failed}` : outcome.result.text;
  const paths = 'error' in outcome ? judged.paths : (outcome.result.paths ?? judged.paths);
  record(options, call, {
    judged,
    started,
    content: digest(text),
    code: null,
    state: failed === undefined ? 'pass' : 'degrade',
    paths,
  });
  options.log.call(
    `${call.name}: ${failed === undefined ? 'pass' : `degrade, ${failed}`}${paths.length > 0 ? ` (${paths.slice(0, 5).join(', ')})` : ''}`,
  );
  if ('error' in outcome) return { text, end: null };
  return { text, end: settle(options, judged, outcome.result) };
}

type Attempt = { readonly result: ToolResult } | { readonly error: string };

/** Runs a passed call. What it throws is a degrade, unless it is an ending of the run. */
async function attempt(judged: Judged, room: Room): Promise<Attempt> {
  try {
    const result = await judged.bound?.run(room);
    return result === undefined ? { error: 'there is nothing to run' } : { result };
  } catch (error) {
    if (error instanceof PhotonError || room.signal.aborted)
      throw room.signal.aborted ? room.signal.reason : error;
    return { error: (error instanceof Error ? error.message : String(error)).slice(0, 500) };
  }
}

/** Takes over what a tool did: evidence, phase, verification, ending. */
function settle(options: AgentOptions, judged: Judged, result: ToolResult): Ending | null {
  const { progress, law } = options;
  for (const event of result.events ?? [])
    progress.evidence = addEvidence(progress.evidence, event);
  if (judged.nextPhase !== null) enterPhase(progress, judged.nextPhase);
  if (result.verification !== undefined) {
    const { verification, code } = result.verification;
    progress.verification = verification;
    if (!verification.passed && progress.evidence.patchDigest !== '')
      progress.failedVerifications += 1;
    if (progress.failedVerifications > law.limits.repairs)
      return rolledBack(progress, code ?? 'VERIFY_FAILED');
  }
  return result.end === undefined ? null : endOf(options, result.end);
}

function endOf({ progress }: AgentOptions, end: EndRequest): Ending {
  const { verification, evidence } = progress;
  if (
    end.status === 'committed' &&
    !evidence.verificationWaived &&
    evidence.verified?.passed !== true
  ) {
    return rolledBack(
      progress,
      verification?.regressions.length ? 'VERIFY_FAILED' : failureCode(progress),
    );
  }
  return {
    status: end.status,
    code: end.code,
    phase: evidence.phase,
    message: codes[end.code].meaning,
    ...(end.statement === undefined ? {} : { statement: end.statement }),
    ...(end.choices === undefined ? {} : { choices: end.choices }),
  };
}

/** A patch that fails with the base's tests but passes with its own failed for that reason. */
function failureCode({ verification }: Progress): Code {
  return verification?.after?.exitCode === 0 && verification.withBaseTests !== undefined
    ? 'VERIFY_TESTS_CHANGED'
    : 'VERIFY_FAILED';
}

function rolledBack(progress: Progress, code: Code): Ending {
  enterPhase(progress, 'ROLLBACK');
  return { status: 'rolled_back', code, phase: 'ROLLBACK', message: codes[code].meaning };
}

interface Refusal {
  readonly state: 'abstain' | 'violation';
  readonly code: Parameters<typeof countDecision>[1];
  readonly section: string;
  readonly reason: string;
}

function refuse(options: AgentOptions, call: ToolCall, refusal: Refusal): StepAnswer {
  const { progress } = options;
  countDecision(progress, refusal.code, call.name);
  options.log.call(`${call.name}: ${refusal.state} ${refusal.code} (${refusal.reason})`);
  if (refusal.state === 'violation') {
    progress.violations += 1;
    if (progress.violations > options.maxViolations)
      throw new PhotonError(refusal.code, `${refusal.reason} (constitution ${refusal.section}).`);
  } else {
    correct(options, refusal.code);
  }
  return { text: `${refusal.code}: ${refusal.reason}. ${codes[refusal.code].hint}`, end: null };
}

interface Recorded {
  readonly judged: Judged;
  readonly started: number;
  readonly content: string;
  readonly code: Code | null;
  readonly state: 'pass' | 'abstain' | 'violation' | 'degrade';
  readonly paths: readonly string[];
}

function record(options: AgentOptions, call: ToolCall, about: Recorded): void {
  const { nextPhase } = about.judged;
  options.ledger.append({
    phase:
      about.state === 'pass' && nextPhase !== null ? nextPhase : options.progress.evidence.phase,
    tool: options.tools.some(t => t.name === call.name) ? call.name : 'unknown',
    decision: about.state,
    code: about.code,
    paths: about.paths.map(p => p.slice(0, 300)).slice(0, 50),
    arguments: digest(call.argumentsText),
    content: about.content,
    durationMs: options.now() - about.started,
  });
}
