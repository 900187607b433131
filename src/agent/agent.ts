/** The loop: think, model turn, guard, tools, ledger; until the run has an ending (SPEC §1). */
import { beginRound } from '../guard/evidence.ts';
import { lawInForce } from '../guard/law-in-force.ts';
import type { Message, Model, ToolDefinition, Turn } from '../model/turn.ts';
import type { Ending } from '../outcome.ts';
import { digest } from '../session/ledger.ts';
import { addUsage, allowRequest, type Budget } from './budget.ts';
import { noCall, type StepOptions, takeStep } from './step.ts';
import { boundTranscript, transcriptBytes, withoutInactive } from './transcript.ts';

/** What the loop tells as it goes; each line is made inert by whoever prints it. */
export interface AgentLog {
  round(number: number): void;
  think(text: string): void;
  call(line: string): void;
}

export interface AgentOptions extends StepOptions {
  readonly model: Model;
  readonly budget: Budget;
  readonly systemPrompt: () => string;
  readonly taskPrompt: string;
  readonly log: AgentLog;
  readonly signal: AbortSignal;
  /** Called before each request. */
  readonly beforeRound?: () => Promise<void>;
}

/**
 * Runs a task to its ending. Endings that the model asks for and failed verifications past their
 * bound are returned.
 * @throws PhotonError for every other ending: budgets, model, violation, too many corrections.
 */
export async function runAgent(options: AgentOptions): Promise<Ending> {
  const { skills } = options.room;
  const offers = new Map<boolean, Offer>();
  let transcript: readonly Message[] = [{ role: 'user', text: options.taskPrompt }];
  for (;;) {
    await options.beforeRound?.();
    transcript = boundTranscript(transcript);
    const shown = withoutInactive(transcript, name => skills.isActive(name));
    const messages: Message[] = [{ role: 'system', text: options.systemPrompt() }, ...shown];
    const offer = offers.get(skills.hasMore()) ?? makeOffer(options);
    offers.set(skills.hasMore(), offer);
    const turn = await takeTurn(options, { messages, tools: offer.definitions }, offer.bytes);
    const answers: Message[] = [];
    if (turn.calls.length === 0)
      answers.push({ role: 'user', text: (await takeStep(options, noCall)).text });
    for (const call of turn.calls) {
      const { end, ...answer } = await takeStep(options, call);
      if (end !== null) return end;
      answers.push({ role: 'tool', callId: call.id, name: call.name, ...answer });
    }
    transcript = [
      ...transcript,
      { role: 'assistant', text: turn.text, calls: turn.calls },
      ...answers,
    ];
  }
}

/** The tools that the model is told of. */
interface Offer {
  readonly definitions: readonly ToolDefinition[];
  readonly bytes: number;
}

function makeOffer({ tools, room }: AgentOptions): Offer {
  const definitions = tools.filter(t => t.offered(room.skills)).map(t => t.definition);
  return { definitions, bytes: Buffer.byteLength(JSON.stringify(definitions)) };
}

async function takeTurn(
  options: AgentOptions,
  request: { messages: readonly Message[]; tools: readonly ToolDefinition[] },
  definitionBytes: number,
): Promise<Turn> {
  const { progress, budget } = options;
  const bytes = transcriptBytes(request.messages) + definitionBytes;
  const maxOutputTokens = allowRequest(budget, progress.spent, { bytes, now: options.now() });
  options.log.round(progress.spent.rounds + 1);
  const started = options.now();
  const turn = await options.model.complete({ ...request, maxOutputTokens }, options.signal);
  progress.spent = addUsage(progress.spent, turn.usage, bytes);
  progress.evidence = beginRound(progress.evidence, turn.text);
  options.ledger.append({
    phase: progress.evidence.phase,
    tool: 'model.turn',
    decision: 'pass',
    code: null,
    paths: [],
    arguments: '',
    content: digest(turn.text),
    durationMs: options.now() - started,
    facts: {
      calls: turn.calls.length,
      thought: turn.text.trim() !== '',
      ...turn.usage,
    },
  });
  const { think_chars: most } = lawInForce(options.law, progress.evidence).limits;
  if (turn.text.trim() !== '') options.log.think(turn.text.trim().slice(0, most));
  return turn;
}
