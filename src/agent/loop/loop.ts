/** The loop: model turn, guard, tools and ledger, until the run ends. */
import { codes, PhotonError } from '../../base/codes.ts';
import type { Ending } from '../../base/outcome.ts';
import { isProven } from '../../guard/evidence.ts';
import { TooLongError } from '../../model/too-long.ts';
import { maxCallsOfReply, type ToolCall, type Turn } from '../../model/turn.ts';
import { requireTime } from '../../process/time-limit.ts';
import { finish } from '../../tools/finish.ts';
import { joinReads, readCodeBlock } from '../../tools/read-code-block.ts';
import type { CallResult } from '../context/model-conversation.ts';
import { fill } from '../context/profile.ts';
import { takeStep } from './execute-call.ts';
import { fitRequest, learnCut, learnWindow, useFreeBytes } from './fit-request.ts';
import { type LoopRun, nothingRefused } from './loop-state.ts';
import { noCall } from './record-call.ts';
import { takeTurn } from './take-turn.ts';

/**
 * Runs a task to its ending. Returns endings that the model requests, and too many failed verifications.
 * @throws PhotonError for every other ending: budgets, model, violation, too many corrections.
 */
export async function runAgent(run: LoopRun): Promise<Ending> {
  const { state, loop, request } = run;
  const { limit, input } = request;
  for (;;) {
    await loop.beforeRound?.();
    const turn = await nextTurn(run).catch((error: unknown) => error as Error);
    if (turn instanceof Error) return finishVerified(run, turn);
    state.refusedInRound = nothingRefused();
    state.seen.beginReply();
    state.commandBook.beginReply();
    const answers: CallResult[] = [];
    if (turn.calls.length === 0)
      answers.push({ call: undefined, text: (await takeStep(run, noCall)).text });
    const calls = turn.calls.slice(0, maxCallsOfReply);
    for (const { call, answers: answered } of mergeReads(calls)) {
      await requireTime({ ...limit, now: input.now });
      const { end, ...answer } = await takeStep(run, call);
      useFreeBytes(state, answer.text);
      if (end !== undefined) return end;
      const number = answers.length + 1;
      const together = fill(run.policy.profile.templates, 'read_together', { number });
      for (const [i, each] of answered.entries())
        answers.push(i === 0 ? { call: each, ...answer } : { call: each, text: together });
    }
    loop.conversation.add({ ...turn, calls }, withRest(answers, turn.calls.length, run));
  }
}

/**
 * Ends the run with its passed patch when no further reply can be used: after an unreadable reply always, after any other
 * error only if the model had asked to finish and was told more instead.
 * @throws The error itself, where the patch has not passed or the error is not one of these.
 */
async function finishVerified(run: LoopRun, error: Error): Promise<Ending> {
  const { state, request } = run;
  const { limit, input } = request;
  const hasPassed = state.evidence.patchDigest !== '' && isProven(state.evidence);
  if (!(error instanceof PhotonError) || !hasPassed) throw error;
  const { finish: isRefused, held } = state.refusedInRound;
  const isHeld = isRefused && held !== undefined && !limit.signal.aborted;
  if (!isHeld && error.code !== 'MODEL_OUTPUT' && codes[error.code].kind !== 'protocol')
    throw error;
  input.log.line(`there was no further reply (${error.code}), and the patch had passed`);
  const reason = 'The patch had passed, and there was no further reply.';
  state.refusedInRound = nothingRefused();
  const call = { id: 'unread', name: finish.name, argumentsText: JSON.stringify({ reason }) };
  const { end } = await takeStep(run, call);
  if (end === undefined) throw error;
  state.unread = error.code;
  return end;
}

/** Most times that one request is made smaller because the endpoint refuses it as too long. */
const maxShrinks = 4;

/**
 * The next turn. After a refusal as too long, and after a cut in silence, the window is smaller and the request is made
 * again.
 * @throws PhotonError as `takeTurn`.
 */
async function nextTurn(run: LoopRun): Promise<Turn> {
  const { state, request } = run;
  const system = run.loop.systemPrompt();
  for (let shrinks = 0; ; shrinks++) {
    const messages = fitRequest(run, system);
    const isLonger = state.spent.lastBytes > 0;
    const turn = await takeTurn(run, messages).catch((error: unknown) => {
      if (!(error instanceof TooLongError) || shrinks >= maxShrinks) throw error;
      // what only may be too long is tried once, after a shorter request was answered
      if (error.code !== 'MODEL_CONTEXT' && (shrinks > 0 || !isLonger)) throw error;
      learnWindow(run, messages, error);
      return undefined;
    });
    const isCut = turn?.cutAt !== undefined && learnCut(run, system, turn.cutAt);
    if (turn !== undefined && !isCut) return turn;
    const what = isCut ? 'saw a part of the request alone' : 'refused the request as too long';
    request.input.log.line(
      `The endpoint ${what}; the context window is now ${state.window} tokens.`,
    );
  }
}

/** Adds to the last result which calls were not made. */
function withRest(
  answers: readonly CallResult[],
  requested: number,
  {
    policy: {
      profile: { templates },
    },
  }: LoopRun,
): readonly CallResult[] {
  if (requested <= answers.length) return answers;
  const rest = fill(templates, 'calls_left_out', { made: answers.length, total: requested });
  return answers.map((answer, i) =>
    i === answers.length - 1 ? { ...answer, text: `${answer.text}\n\n${rest}` } : answer,
  );
}

/** A call to make, and the calls of the reply that it answers; the first of them has its id. */
interface MergedCall {
  readonly call: ToolCall;
  readonly answers: readonly ToolCall[];
}

/** What two joined calls were sent as; undefined if both were read as they were sent. */
function joinSent(...calls: readonly ToolCall[]): string | undefined {
  return calls.every(c => c.sentText === undefined)
    ? undefined
    : calls.map(c => c.sentText ?? c.argumentsText).join('\n');
}

/**
 * Merges reads that stand side by side. A read after another call stays where it is, because it may need
 * what that call does. A read with invalid arguments stays alone, so that only it is refused.
 */
export function mergeReads(calls: readonly ToolCall[]): readonly MergedCall[] {
  const merged: MergedCall[] = [];
  for (const call of calls) {
    const before = merged.at(-1);
    const joined =
      before?.call.name === readCodeBlock.name && call.name === readCodeBlock.name
        ? joinReads([before.call.argumentsText, call.argumentsText])
        : undefined;
    if (before === undefined || joined === undefined) merged.push({ call, answers: [call] });
    else
      merged.splice(-1, 1, {
        call: { ...before.call, argumentsText: joined, sentText: joinSent(before.call, call) },
        answers: [...before.answers, call],
      });
  }
  return merged;
}
