/** The conversation so far, within bounds: old results, then old rounds, are replaced by notes. Pure. */
import type { Message, OpaqueParts, ToolCall } from '../../model/turn.ts';
import { fill, type Templates } from './profile.ts';

/** One reply and its results. */
export interface ShownRound {
  readonly reply: Extract<Message, { role: 'assistant' }>;
  readonly answers: readonly Message[];
}

/**
 * Rounds within a bound. Beyond it, notes replace the oldest results; if that is not enough, the oldest
 * rounds are dropped. Each time the size goes down to half, so that a prompt cache keeps its prefix.
 * The last round stays whole as long as it fits by itself.
 */
export function boundRounds(
  rounds: readonly ShownRound[],
  maxBytes: number,
  templates: Templates,
): { readonly rounds: readonly ShownRound[]; readonly dropped: number } {
  const size = sum(rounds.map(roundBytes));
  if (size <= maxBytes) return { rounds, dropped: 0 };
  let excess = size - maxBytes / 2;
  const note = (answer: Message): Message => {
    const bytes = Buffer.byteLength(answer.text);
    if (answer.role !== 'tool' || excess <= 0 || bytes < 200) return answer;
    excess -= bytes;
    return { ...answer, text: fill(templates, 'dropped_result', { tool: answer.name, bytes }) };
  };
  const lighter = rounds.map((round, i) =>
    i === rounds.length - 1 && roundBytes(round) <= maxBytes
      ? round
      : { ...round, answers: round.answers.map(note) },
  );
  const sizes = lighter.map(roundBytes);
  let left = sum(sizes);
  if (left <= maxBytes) return { rounds: lighter, dropped: 0 };
  let dropped = 0;
  while (left > maxBytes / 2 && dropped < lighter.length - 1) {
    left -= sizes[dropped] ?? 0;
    dropped += 1;
  }
  return { rounds: lighter.slice(dropped), dropped };
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

function roundBytes({ reply, answers }: ShownRound): number {
  return transcriptBytes([reply, ...answers]);
}

/** The conversation without the texts of activations that have ended. */
export function withoutInactive(
  messages: readonly Message[],
  {
    isActive,
    templates,
  }: { readonly isActive: (activation: string) => boolean; readonly templates: Templates },
): readonly Message[] {
  return messages.map(m => {
    if (m.role !== 'tool' || m.whileActive === undefined || isActive(m.whileActive)) return m;
    const name = m.whileActive.slice(0, m.whileActive.lastIndexOf('#'));
    return { ...m, text: fill(templates, 'inactive_skill', { name }) };
  });
}

/** Bytes of the part of a conversation that grows. */
export function transcriptBytes(messages: readonly Message[]): number {
  return sum(
    messages.map(
      m =>
        Buffer.byteLength(m.text) +
        (m.role === 'assistant' ? callBytes(m.calls) + opaqueBytes(m.opaque) : 0) +
        40,
    ),
  );
}

function opaqueBytes(opaque: OpaqueParts | undefined): number {
  return opaque === undefined ? 0 : Buffer.byteLength(JSON.stringify(opaque));
}

function callBytes(calls: readonly ToolCall[]): number {
  return sum(calls.map(c => Buffer.byteLength(c.argumentsText) + c.name.length + 60));
}
