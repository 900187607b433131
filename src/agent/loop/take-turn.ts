/** One model turn: a request within the budget, and its reply, repaired at most twice. */
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import { asObject, parseJson } from '../../base/schema-issue.ts';
import { policyInForce } from '../../guard/decide.ts';
import { beginRound } from '../../guard/evidence.ts';
import { cutSentences, extractThought } from '../../guard/thought.ts';
import { mark } from '../../ledger/ledger.ts';
import type { Protocol } from '../../model/protocols/protocol.ts';
import { renderProblem, type XmlProblem } from '../../model/protocols/xml-problems.ts';
import type { Bill, Message, Model, TokenUsage, ToolCall, Turn } from '../../model/turn.ts';
import { cutText } from '../context/model-conversation.ts';
import { fill, type Profile, type Templates } from '../context/profile.ts';
import {
  addDiscarded,
  addUsage,
  allowRequest,
  type Budget,
  costOfReply,
} from '../limits/budget.ts';
import { replyTokens, requestBytes } from '../limits/window.ts';
import type { StepOptions } from './execute-call.ts';
import { bytesOfRequest, toolsNow } from './fit-request.ts';

/** The log of the loop. Whoever prints a line makes it inert first. */
export interface AgentLog {
  round(number: number): void;
  think(text: string): void;
  call(line: string): void;
}

/** A reply that could not be parsed. */
export interface RejectedReply {
  readonly round: number;
  readonly problems: readonly XmlProblem[];
  readonly reply: string;
}

export interface TurnOptions extends StepOptions {
  readonly model: Model;
  readonly budget: Budget;
  readonly profile: Profile;
  readonly protocol: Protocol;
  /** Names the cache of the task at the endpoint. */
  readonly cacheKey: string;
  readonly log: AgentLog;
  readonly signal: AbortSignal;
  /** Keeps the text of a reply that could not be parsed. */
  readonly keepRejected: (rejected: RejectedReply) => void;
}

/**
 * Requests the next turn. A reply that cannot be parsed runs nothing: the model gets the reply and its
 * problems, and must send it again.
 * @throws PhotonError `BUDGET_*`, `MODEL_*`, and the code of the first problem when repairs are used up.
 */
export async function takeTurn(
  options: TurnOptions,
  conversation: readonly Message[],
): Promise<Turn> {
  const { protocol, profile, state, budget } = options;
  const { templates, limits } = profile;
  let messages = protocol.render(conversation);
  for (let repairs = 0; ; repairs++) {
    const answer = await ask(options, messages);
    if ('turn' in answer) return answer.turn;
    if (repairs >= limits.parseRepairs) throw firstProblem(answer.problems, repairs);
    const free = requestBytes(state.window, budget.maxOutputTokens, state.spent);
    messages = repairMessages(templates, answer, Math.min(limits.resultBytes, free / 2));
  }
}

async function ask(
  options: TurnOptions,
  messages: readonly Message[],
): Promise<ReturnType<Protocol['decode']>> {
  const { state, budget, protocol, profile } = options;
  const { retries, templates } = profile;
  const tools = toolsNow(options);
  const bytes = bytesOfRequest(messages, tools);
  const bill: Bill = {
    allow: raise => {
      const raised = { ...budget, maxOutputTokens: budget.maxOutputTokens * raise };
      const allowed = allowRequest(raised, state.spent, { bytes, now: options.now() });
      return Math.min(allowed, replyTokens(state.window, bytes, state.spent));
    },
    discard: (usage, model) => recordDiscarded(options, { usage, model }),
  };
  const maxOutputTokens = bill.allow(1);
  options.log.round(state.spent.rounds + 1);
  const started = options.now();
  const correction = (quoted: string) => fill(templates, 'unreadable_call', { quoted });
  const turn = await options.model.complete(
    { messages, tools, maxOutputTokens, bill, retries, cacheKey: options.cacheKey, correction },
    options.signal,
  );
  const { usage, model = options.model.name } = turn;
  const { lastBytes, lastInputTokens } = state.spent;
  state.spent = addUsage(state.spent, { usage, model }, bytes);
  // the count of a part says nothing about the whole
  if (turn.cutAt !== undefined) state.spent = { ...state.spent, lastBytes, lastInputTokens };
  const decoded = protocol.decode(turn);
  const thought = 'turn' in decoded ? extractThought(listSources(decoded.turn)) : '';
  const cost = costOfReply(budget.modelPrices, { usage, model });
  record(options, { turn, decoded, thought, cost, durationMs: options.now() - started });
  if ('problems' in decoded) return decoded;
  // what the conversation keeps of a reply is no longer than what is shown of it
  return { turn: { ...decoded.turn, text: cutSentences(decoded.turn.text) } };
}

/** Where endpoints and models put their reasoning: the text, a field beside it, the arguments of calls. */
function listSources({ text, reasoning = '', calls }: Turn): readonly string[] {
  return [text, reasoning, calls.map(readReason).join(' ')];
}

function readReason({ argumentsText }: ToolCall): string {
  const { reason } = asObject(parseJson(argumentsText));
  return typeof reason === 'string' ? reason : '';
}

interface ModelExchange {
  readonly turn: Turn;
  readonly decoded: ReturnType<Protocol['decode']>;
  /** Empty when the reply gives no reasoning. */
  readonly thought: string;
  /** Undefined when the model has no price. */
  readonly cost: number | undefined;
  readonly durationMs: number;
}

/** Counts a reply that broke off, or that nobody could use: it was paid for. */
function recordDiscarded(
  { state, budget, ledger }: TurnOptions,
  reply: { readonly usage: TokenUsage; readonly model: string },
): void {
  state.spent = addDiscarded(state.spent, reply);
  const cost = costOfReply(budget.modelPrices, reply);
  const facts = { model: reply.model, ...reply.usage, cost };
  ledger.append({ ...mark('model.discarded', facts), phase: state.evidence.phase });
}

/** The reasoning to the log, counts to the ledger, and the text of a refused reply to its keeper. */
function record(options: TurnOptions, exchange: ModelExchange): void {
  const { turn, decoded, thought, cost, durationMs } = exchange;
  const { state, log } = options;
  const read = 'turn' in decoded ? decoded : undefined;
  const refused = 'problems' in decoded ? decoded : undefined;
  const [problem] = refused?.problems ?? [];
  const calls = read?.turn.calls.length ?? 0;
  state.evidence = beginRound(state.evidence, thought);
  if (thought === '' && calls > 0) state.thoughtlessReplies += 1;
  options.ledger.append({
    phase: state.evidence.phase,
    tool: 'model.turn',
    decision: problem === undefined ? 'pass' : 'abstain',
    severity: problem === undefined ? undefined : 'correct',
    code: problem?.code ?? null,
    paths: [],
    arguments: '',
    content: digest(turn.text),
    durationMs,
    facts: {
      calls,
      thought: thought !== '',
      brief: state.evidence.isBrief || undefined,
      repeated: state.evidence.repeats || undefined,
      at: problem === undefined ? undefined : `${problem.line}:${problem.column}`,
      readAs: read?.readAs,
      model: turn.model,
      ...turn.usage,
      cost,
    },
  });
  if (read?.readAs !== undefined) log.call(`read as it was meant: ${read.readAs}`);
  if (refused !== undefined) {
    const { problems, reply } = refused;
    for (const p of problems) log.call(`reply refused: ${p.code} at ${p.line}:${p.column}`);
    options.keepRejected({ round: state.spent.rounds, problems, reply });
  }
  const { think_chars: max } = policyInForce(options.policy, state.evidence).limits;
  if (thought !== '') log.think(thought.slice(0, max));
}

/** The request that shows the model its reply, within a number of bytes, and the problems in it. */
export function repairMessages(
  templates: Templates,
  { problems, reply }: { readonly problems: readonly XmlProblem[]; readonly reply: string },
  maxBytes: number,
): readonly Message[] {
  const text = fill(templates, 'repair', {
    problems: problems.map(renderProblem).join('\n'),
    reply: cutText(reply.toWellFormed(), maxBytes, templates),
  });
  return [
    { role: 'system', text: fill(templates, 'repair_system', {}) },
    { role: 'user', text },
  ];
}

/** The error for a reply that stays unreadable: the code and the place of its first problem. */
export function firstProblem(problems: readonly XmlProblem[], repairs: number): PhotonError {
  const [first] = problems;
  if (first === undefined) return new PhotonError('INTERNAL', 'a reply was refused for nothing');
  const { code, line, column, about } = first;
  const text = `The reply could not be read, after ${repairs} repairs: line ${line}, column ${column} ${about}`;
  return new PhotonError(code, text.trimEnd());
}
