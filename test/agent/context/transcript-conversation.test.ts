/** The transcript shows no text twice, and leaves out what is superseded where that costs less. */
import { describe, expect, it } from 'vitest';
import { openConversation } from '../../../src/agent/context/conversation.ts';
import { conversationBytes } from '../../../src/agent/context/transcript.ts';
import type { CachePrices } from '../../../src/agent/limits/budget.ts';
import { Ram } from '../../../src/memory/ram.ts';
import type { Message, ToolCall, Turn } from '../../../src/model/turn.ts';
import { shippedProfile } from '../../doubles/engine.ts';

const open = (cachePrices: CachePrices) =>
  openConversation({
    profile: shippedProfile('photon'),
    ram: new Ram({ entries: 1, bytes: 1 }),
    taskPrompt: 'Task',
    mark: 'data-1',
    states: () => [],
    isActive: () => false,
    activeSkills: () => '',
    cachePrices,
  });

const usual = { read: 0.1, write: 1.25 };
const fit = { maxBytes: 1_000_000, plannedFiles: new Set<string>() };

const turnOf = (text: string, call: ToolCall): Turn => ({
  text,
  calls: [call],
  usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0 },
  finishReason: 'tool_calls',
});

function play(calls: readonly (readonly [name: string, args: object, text: string])[]) {
  const conversation = open(usual);
  for (const [i, [name, args, text]] of calls.entries()) {
    const call = { id: `c${i}`, name, argumentsText: JSON.stringify(args) };
    conversation.add(turnOf(`Thought ${i}.`, call), [{ call, text }]);
    conversation.fit(fit);
  }
  return conversation.messages().flatMap(m => (m.role === 'tool' ? [m.text] : []));
}

const hits = 'a.ts\n  L1 hit\n'.repeat(30);

describe('a result that an earlier one still shows', () => {
  it('is a reference to it, for the same call alone', () => {
    const pattern = { pattern: 'hit' };
    expect(
      play([
        ['grep', pattern, hits],
        ['grep', { pattern: 'hi' }, hits],
        ['grep', pattern, hits],
        ['grep', pattern, `${hits}b.ts\n`],
        ['grep', pattern, hits],
      ]),
    ).toEqual([
      hits,
      hits,
      '[the same result as in round 1, which is still shown above]',
      `${hits}b.ts\n`,
      hits,
    ]);
  });

  it('comes whole when it is short', () => {
    const short = ['grep', { pattern: 'x' }, 'No match.'] as const;
    expect(play([short, short])).toEqual(['No match.', 'No match.']);
  });
});

/** What the messages of a run cost, in prices of a byte of input, at an endpoint that keeps the request before. */
function bill(rounds: number, prices: CachePrices, decidedAt = prices): number {
  const conversation = open(decidedAt);
  let before: readonly Message[] = [];
  let cost = 0;
  for (let i = 0; i < rounds; i += 1) {
    conversation.fit(fit);
    const now = conversation.messages();
    const first = now.findIndex((m, n) => JSON.stringify(m) !== JSON.stringify(before[n]));
    const kept = conversationBytes(now.slice(0, first < 0 ? now.length : first));
    cost += kept * prices.read + (conversationBytes(now) - kept) * prices.write;
    before = now;
    const call = { id: `c${i}`, name: 'grep', argumentsText: `{"pattern":"${i % 3}"}` };
    conversation.add(turnOf(`Thought ${i}.`, call), [{ call, text: `${i}${hits.repeat(8)}` }]);
  }
  return cost;
}

describe('what later results supersede', () => {
  it.each([
    [0.1, 0.7],
    [0.05, 0.8],
    [0.02, 0.9],
  ])('is left out where cache reads cost %d of input, and makes the bill smaller', (read, at) => {
    const prices = { read, write: 1.25 };
    const unchanged = { read: 0, write: 1.25 };
    expect(bill(60, prices) / bill(60, prices, unchanged)).toBeLessThan(at);
    // a run that ends soon leaves nothing out
    for (const rounds of [2, 4, 6])
      expect(bill(rounds, prices)).toBe(bill(rounds, prices, unchanged));
  });

  it('stays where a model charges nothing for cache reads', () => {
    const prices = { read: 0, write: 1.25 };
    const written = Array.from({ length: 20 }, (_, i) => bill(i + 2, prices) - bill(i + 1, prices));
    expect(Math.max(...written)).toBeLessThan(2 * Math.min(...written));
  });
});
