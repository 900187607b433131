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
import type { Bill, Message, TokenUsage, ToolCall, Turn } from '../../model/turn.ts';
import { cutText } from '../context/model-conversation.ts';
import { fill, type Templates } from '../context/profile.ts';
import {
  addDiscarded,
  addUsage,
  allowRequest,
  type Budget,
  costOfReply,
} from '../limits/budget.ts';
import { replyTokens, requestBytes } from '../limits/window.ts';
import { bytesOfRequest, toolsNow } from './fit-request.ts';
import type { LoopRun } from './loop-state.ts';

/**
 * Requests the next turn. A reply that cannot be parsed runs nothing: the model gets the reply and its
 * problems, and must send it again.
 * @throws PhotonError `BUDGET_*`, `MODEL_*`, and the code of the first problem when repairs are used up.
 */
export async function takeTurn(run: LoopRun, conversation: readonly Message[]): Promise<Turn> {
  const {
    state,
    policy: {
      settings,
      profile: { templates, limits },
    },
    loop: { protocol },
  } = run;
  let messages = protocol.render(conversation);
  for (let repairs = 0; ; repairs++) {
    const answer = await ask(run, messages);
    if ('turn' in answer) return answer.turn;
    if (repairs >= limits.parseRepairs) throw firstProblem(answer.problems, repairs);
    const free = requestBytes(state.window, settings.maxOutputTokens, state.spent);
    messages = repairMessages(templates, answer, Math.min(limits.resultBytes, free / 2));
  }
}

async function ask(
  run: LoopRun,
  messages: readonly Message[],
): Promise<ReturnType<Protocol['decode']>> {
  const { state, policy, request, loop } = run;
  const { settings, profile } = policy;
  const { task, limit, input } = request;
  const { model: endpoint, protocol } = loop;
  const { retries, templates } = profile;
  const budget: Budget = {
    ...settings,
    maxRounds: Math.min(settings.maxRounds, profile.limits.rounds),
    deadline: limit.deadline,
  };
  const tools = toolsNow(run);
  const bytes = bytesOfRequest(messages, tools);
  const bill: Bill = {
    allow: raise => {
      const raised = { ...budget, maxOutputTokens: budget.maxOutputTokens * raise };
      const allowed = allowRequest(raised, state.spent, { bytes, now: input.now() });
      return Math.min(allowed, replyTokens(state.window, bytes, state.spent));
    },
    discard: (usage, model) => recordDiscarded(run, { usage, model }),
  };
  const maxOutputTokens = bill.allow(1);
  input.log.group(`Round ${state.spent.rounds + 1}`);
  const started = input.now();
  const cacheKey = `photon-${digest(`${task.repository} ${task.id}`).slice(0, 24)}`;
  const correction = (quoted: string) => fill(templates, 'unreadable_call', { quoted });
  const turn = await endpoint.complete(
    { messages, tools, maxOutputTokens, bill, retries, cacheKey, correction },
    limit.signal,
  );
  const { usage, model = endpoint.name } = turn;
  const { lastBytes, lastInputTokens } = state.spent;
  state.spent = addUsage(state.spent, { usage, model }, bytes);
  // the count of a part says nothing about the whole
  if (turn.cutAt !== undefined) state.spent = { ...state.spent, lastBytes, lastInputTokens };
  const decoded = protocol.decode(turn);
  const thought = 'turn' in decoded ? extractThought(listSources(decoded.turn)) : '';
  const cost = costOfReply(settings.modelPrices, { usage, model });
  record(run, { turn, decoded, thought, cost, durationMs: input.now() - started });
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
  { state, policy, request: { ledger } }: LoopRun,
  reply: { readonly usage: TokenUsage; readonly model: string },
): void {
  state.spent = addDiscarded(state.spent, reply);
  const cost = costOfReply(policy.settings.modelPrices, reply);
  const facts = { model: reply.model, ...reply.usage, cost };
  ledger.append({ ...mark('model.discarded', facts), phase: state.evidence.phase });
}

/** The reasoning to the log, counts to the ledger, and the text of a refused reply to its keeper. */
function record(run: LoopRun, exchange: ModelExchange): void {
  const { turn, decoded, thought, cost, durationMs } = exchange;
  const { state, request } = run;
  const { input, ledger } = request;
  const read = 'turn' in decoded ? decoded : undefined;
  const refused = 'problems' in decoded ? decoded : undefined;
  const [problem] = refused?.problems ?? [];
  const calls = read?.turn.calls.length ?? 0;
  state.evidence = beginRound(state.evidence, thought);
  if (thought === '' && calls > 0) state.thoughtlessReplies += 1;
  ledger.append({
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
  if (read?.readAs !== undefined) input.log.line(`read as it was meant: ${read.readAs}`);
  if (refused !== undefined) {
    const { problems, reply } = refused;
    for (const p of problems) input.log.line(`reply refused: ${p.code} at ${p.line}:${p.column}`);
    run.loop.keepRejected({ round: state.spent.rounds, problems, reply });
  }
  const { think_chars: max } = policyInForce(run.policy.constitution, state.evidence).limits;
  if (thought !== '') input.log.line(`[Think] ${thought.slice(0, max).replace(/\s+/g, ' ')}`);
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
