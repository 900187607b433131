/** The conversation so far, kept within bounds: old results give way to a note of what they were. */
import type { Message } from '../model/turn.ts';

/** Bytes of tool results that are kept whole; past it, the older half is replaced by notes. */
const maxResultBytes = 120_000;

/** Drops the text of the oldest tool results, in one step, so that a prompt cache keeps its prefix. */
export function boundTranscript(messages: readonly Message[]): readonly Message[] {
  const sizes = messages.map(m => (m.role === 'tool' ? Buffer.byteLength(m.text) : 0));
  let excess = sizes.reduce((a, b) => a + b, 0) - maxResultBytes;
  if (excess <= 0) return messages;
  excess += maxResultBytes / 2;
  return messages.map((message, i) => {
    const size = sizes[i] ?? 0;
    if (message.role !== 'tool' || excess <= 0 || size < 200) return message;
    excess -= size;
    return {
      ...message,
      text: `[${message.name}: ${size} bytes, no longer shown; call it again if needed]`,
    };
  });
}

/** The conversation without what skills told that are no longer active, or have told it again since. */
export function withoutInactive(
  messages: readonly Message[],
  isActive: (skill: string) => boolean,
): readonly Message[] {
  const last = new Map<string, Message>();
  for (const m of messages)
    if (m.role === 'tool' && m.whileActive !== undefined) last.set(m.whileActive, m);
  if (last.size === 0) return messages;
  return messages.map(m => {
    if (m.role !== 'tool' || m.whileActive === undefined) return m;
    if (last.get(m.whileActive) === m && isActive(m.whileActive)) return m;
    return { ...m, text: `[${m.whileActive}: no longer active]` };
  });
}

/** Bytes of a conversation, as far as they grow with it. */
export function transcriptBytes(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, m) =>
      sum + Buffer.byteLength(m.text) + (m.role === 'assistant' ? callBytes(m.calls) : 0) + 40,
    0,
  );
}

function callBytes(
  calls: readonly { readonly name: string; readonly argumentsText: string }[],
): number {
  return calls.reduce((sum, c) => sum + Buffer.byteLength(c.argumentsText) + c.name.length + 60, 0);
}
