/** The window of a model, by its name or by what a refusal says. */
import { describe, expect, it } from 'vitest';
import { windowAfterRefusal } from '../../src/agent/limits/window.ts';
import { windowInRefusal, windowOf } from '../../src/model/windows.ts';

describe('the window of a model', () => {
  it('is known by the name of the model, or not at all', () => {
    expect(windowOf('openai/gpt-4o-mini')).toBe(128_000);
    expect(windowOf('Claude-Sonnet-4')).toBe(200_000);
    expect(windowOf('my-own-model')).toBeNull();
  });

  it('is half of what was asked when a refusal names none, and half again after the next', () => {
    const first = windowAfterRefusal(null, 40_000, 'too long');
    expect(first).toBe(20_000);
    expect(windowAfterRefusal(first, 30_000, 'too long')).toBe(10_000);
    expect(windowAfterRefusal(first, 30_000, 'the maximum context length is 16384')).toBe(16_384);
  });

  it.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000.", 8192],
    ['prompt is too long: 210045 tokens > 200000 maximum', 200_000],
    ['the request exceeds the available context size (4096 tokens)', 4096],
    [
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      1_048_576,
    ],
    ['maximum context length is 131,072 tokens', 131_072],
    ['too many tokens', null],
  ])('is read from the refusal %j', (message, tokens) => {
    expect(windowInRefusal(message)).toBe(tokens);
  });
});
