/** The model's own words, looked for where they must not be (constitution §8). */
import type { ScriptedTurn, Step } from './model.ts';

/** What a turn says beside its calls, and the free text of a plan or a finish. */
export function proseOf(step: Step): readonly string[] {
  if ('status' in step || 'raw' in step || 'stall' in step) return [];
  const turn = step as ScriptedTurn;
  const inCalls = (turn.calls ?? []).flatMap(call => {
    const args = call.arguments;
    if (typeof args !== 'object') return [];
    const { scope, reason } = args as { scope?: unknown; reason?: unknown };
    return [
      ...(call.name === 'plan' && typeof scope === 'string' ? [scope] : []),
      ...(call.name === 'finish' && typeof reason === 'string' ? [reason] : []),
    ];
  });
  return [turn.text ?? '', ...inCalls].flatMap(sentencesOf);
}

/** Sentences long enough to be nobody else's. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+/)
    .map(s => s.trim())
    .filter(s => s.length >= 20);
}

/** `sink: sentence` for every sentence that got out. */
export function findProse(
  sent: readonly Step[],
  sinks: Readonly<Record<string, string>>,
): readonly string[] {
  const sentences = [...new Set(sent.flatMap(proseOf))];
  return Object.entries(sinks).flatMap(([sink, text]) =>
    sentences.filter(s => text.includes(s)).map(s => `${sink}: ${s}`),
  );
}
