/** How many bytes of conversation a window holds, by what the endpoint counted, and what a refusal makes of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  estimateTokens,
  fitsWindow,
  replyTokens,
  requestBytes,
  windowAfterRefusal,
} from '../../../src/agent/limits/window.ts';
import { readTooLong } from '../../../src/model/too-long.ts';
import { seed } from '../../seed.ts';

const notCounted = { lastBytes: 0, lastInputTokens: 0 };
const counted = { lastBytes: 20_000, lastInputTokens: 5000 };

describe('a request', () => {
  it('has three bytes to a token before anything was counted', () => {
    expect(estimateTokens(3000, notCounted)).toBe(1000);
    expect(requestBytes(8000, 4000, notCounted)).toBe(18_000);
  });

  it('has the tokens that were counted, and three bytes to each new one', () => {
    expect(estimateTokens(20_000, counted)).toBe(5000);
    expect(estimateTokens(23_000, counted)).toBe(6000);
    // text that is dense stays dense
    expect(estimateTokens(23_000, { lastBytes: 20_000, lastInputTokens: 10_000 })).toBe(11_500);
  });

  it('that was made smaller may hold what is denser', () => {
    expect(estimateTokens(18_000, counted)).toBe(5000);
  });

  it('uses the window, but for the reply', () => {
    // 6,000 tokens for the prompt: 5,000 that were counted, and 1,000 new ones
    expect(requestBytes(8000, 4000, counted)).toBe(23_000);
    expect(requestBytes(8000, 500, counted)).toBe(27_500);
    expect(replyTokens(8000, 23_000, counted)).toBe(2000);
    expect(requestBytes(4000, 4000, counted)).toBe(10_800);
  });

  it('fills what is free, and no more', () => {
    const sizes = fc.record({
      window: fc.integer({ min: 2048, max: 200_000 }),
      limit: fc.integer({ min: 256, max: 64_000 }),
      lastBytes: fc.integer({ min: 0, max: 800_000 }),
      lastInputTokens: fc.integer({ min: 0, max: 400_000 }),
    });
    fc.assert(
      fc.property(sizes, ({ window, limit, ...last }) => {
        const bytes = requestBytes(window, limit, last);
        expect(fitsWindow(window, bytes, last)).toBe(true);
        expect(replyTokens(window, bytes, last)).toBeGreaterThanOrEqual(
          Math.min(limit, Math.floor(window / 4)) - 1,
        );
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe('the window after a refusal', () => {
  const asked = { requested: 40_000, accepted: 0 };

  it('is half of what was asked when none is named, and half again after the next', () => {
    const first = windowAfterRefusal(undefined, asked, {});
    expect(first).toBe(20_000);
    expect(windowAfterRefusal(first, { ...asked, requested: 30_000 }, {})).toBe(10_000);
  });

  it('is not less than the prompt that was answered before', () => {
    const refused = { requested: 12_400, accepted: 7900 };
    expect(windowAfterRefusal(undefined, refused, {})).toBe(7900);
    // the same prompt was answered, and is now refused
    expect(windowAfterRefusal(7900, { requested: 7900, accepted: 7900 }, {})).toBe(3950);
  });

  it('is the one that is named, if that is news', () => {
    const named = (message: string) => readTooLong({ message, status: 400, vendorCode: '' }) ?? {};
    const openai = named('the maximum context length is 16384');
    expect(windowAfterRefusal(20_000, asked, openai)).toBe(16_384);
    expect(windowAfterRefusal(16_384, { ...asked, requested: 16_000 }, openai)).toBe(8000);
    const llama = named('request (9000 tokens) exceeds the available context size (8192 tokens)');
    // the estimate of the prompt was wrong, not the window
    expect(windowAfterRefusal(8192, { ...asked, requested: 8000 }, llama)).toBe(8192);
  });
});
