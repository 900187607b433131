/** Searches for the model's free text in places where it must not be (docs/constitution.md, §8). */
import type { ModelStep, ScriptedTurn } from './model.ts';

/** The text of a turn beside its calls, and the free text of a plan or a finish. */
export function proseOf(step: ModelStep): readonly string[] {
  if ('status' in step || 'raw' in step || 'stall' in step) return [];
  const turn = step as ScriptedTurn;
  const inCalls = (turn.calls ?? []).flatMap(call => {
    const args = call.arguments;
    if (typeof args !== 'object') return [];
    const { scope, reason } = args as { scope?: unknown; reason?: unknown };
    return [
      ...(call.name === 'plan' && typeof scope === 'string' ? [scope] : []),
      // a question and a reason to abstain are for the reader; any other is reasoning
      ...(!['abstain', 'clarify'].includes(call.name) && typeof reason === 'string'
        ? [reason]
        : []),
    ];
  });
  return [turn.text ?? '', ...inCalls].flatMap(sentencesOf);
}

/** Sentences that are long enough to be unique. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+/)
    .map(s => s.trim())
    .filter(s => s.length >= 20);
}

/** `sink: sentence` for every sentence that was found. */
export function findProse(
  sent: readonly ModelStep[],
  sinks: Readonly<Record<string, string>>,
): readonly string[] {
  const sentences = [...new Set(sent.flatMap(proseOf))];
  return Object.entries(sinks).flatMap(([sink, text]) =>
    sentences.filter(s => text.includes(s)).map(s => `${sink}: ${s}`),
  );
}
