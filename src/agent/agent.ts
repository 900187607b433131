/** The loop: think, model turn, guard, tools, ledger; until the run has an ending (SPEC §1). */
import type { Ending } from '../outcome.ts';
import type { Answer, Conversation } from './conversation.ts';
import { noCall, takeStep } from './step.ts';
import { type TurnOptions, takeTurn } from './take-turn.ts';

export interface AgentOptions extends TurnOptions {
  readonly systemPrompt: () => string;
  readonly conversation: Conversation;
  /** Called before each request. */
  readonly beforeRound?: () => Promise<void>;
}

/**
 * Runs a task to its ending. Endings that the model asks for and failed verifications past their
 * bound are returned.
 * @throws PhotonError for every other ending: budgets, model, violation, too many corrections.
 */
export async function runAgent(options: AgentOptions): Promise<Ending> {
  const { conversation } = options;
  for (;;) {
    await options.beforeRound?.();
    const system = { role: 'system' as const, text: options.systemPrompt() };
    const turn = await takeTurn(options, [system, ...conversation.messages()]);
    const answers: Answer[] = [];
    if (turn.calls.length === 0)
      answers.push({ call: null, text: (await takeStep(options, noCall)).text });
    for (const call of turn.calls) {
      const { end, ...answer } = await takeStep(options, call);
      if (end !== null) return end;
      answers.push({ call, ...answer });
    }
    conversation.add(turn, answers);
  }
}
