/** Makes one call of reads that follow one another in a reply (constitution §4.1). Pure. */
import type { ToolCall } from '../../model/turn.ts';
import { joinReads, readCodeBlock } from '../../tools/read-code-block.ts';

/** A call to make, and the calls of the reply that it answers; the first of them has its id. */
export interface MergedCall {
  readonly call: ToolCall;
  readonly answers: readonly ToolCall[];
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
        call: { ...before.call, argumentsText: joined },
        answers: [...before.answers, call],
      });
  }
  return merged;
}
