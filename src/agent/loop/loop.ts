/** The loop: model turn, guard, tools and ledger, until the run ends. */
import { setImmediate } from 'node:timers/promises';
import { PhotonError } from '../../codes.ts';
import { maxCallsOfReply } from '../../model/turn.ts';
import type { Ending } from '../../outcome.ts';
import type { CallResult, ModelConversation } from '../context/conversation.ts';
import { fill } from '../context/profile.ts';
import { noCall, takeStep } from './execute-call.ts';
import { mergeReads } from './merge-reads.ts';
import { type TurnOptions, takeTurn } from './take-turn.ts';

export interface AgentOptions extends TurnOptions {
  readonly systemPrompt: () => string;
  readonly conversation: ModelConversation;
  /** Called before each request. */
  readonly beforeRound?: () => Promise<void>;
}

/**
 * Runs a task to its ending. Returns endings that the model requests, and too many failed verifications.
 * @throws PhotonError for every other ending: budgets, model, violation, too many corrections.
 */
export async function runAgent(options: AgentOptions): Promise<Ending> {
  const { conversation } = options;
  for (;;) {
    await options.beforeRound?.();
    const system = { role: 'system' as const, text: options.systemPrompt() };
    const turn = await takeTurn(options, [system, ...conversation.messages()]);
    const answers: CallResult[] = [];
    if (turn.calls.length === 0)
      answers.push({ call: null, text: (await takeStep(options, noCall)).text });
    const calls = turn.calls.slice(0, maxCallsOfReply);
    for (const { call, answers: answered } of mergeReads(calls)) {
      await requireTime(options);
      const { end, ...answer } = await takeStep(options, call);
      if (end !== null) return end;
      const number = answers.length + 1;
      const together = fill(options.profile.templates, 'read_together', { number });
      for (const [i, each] of answered.entries())
        answers.push(i === 0 ? { call: each, ...answer } : { call: each, text: together });
    }
    conversation.add({ ...turn, calls }, withRest(answers, turn.calls.length, options));
  }
}

/**
 * Lets timers and signals run, which a series of synchronous calls would block.
 * @throws PhotonError `BUDGET_TIME`, `CANCELLED`.
 */
async function requireTime({ signal, budget, now }: AgentOptions): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
  if (now() >= budget.deadline) throw new PhotonError('BUDGET_TIME');
}

/** Adds to the last result which calls were not made. */
function withRest(
  answers: readonly CallResult[],
  requested: number,
  { profile: { templates } }: AgentOptions,
): readonly CallResult[] {
  if (requested <= answers.length) return answers;
  const rest = fill(templates, 'calls_left_out', { made: answers.length, total: requested });
  return answers.map((answer, i) =>
    i === answers.length - 1 ? { ...answer, text: `${answer.text}\n\n${rest}` } : answer,
  );
}
