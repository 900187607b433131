/** Which models are known to take images. */
import { describe, expect, it } from 'vitest';
import { startFacts } from '../../src/model/providers.ts';

describe('images', () => {
  it.each([
    ['gpt-5.2', true],
    ['openai/gpt-4o-mini', true],
    ['o3', true],
    ['o1-mini', false],
    ['claude-sonnet-4-5', true],
    ['claude-2.1', false],
    ['gemini-3-pro', true],
    ['gpt-3.5-turbo', false],
    ['gpt-oss-120b', false],
    ['deepseek-chat', false],
    ['qwen3-vl-30b', true],
    ['qwen3-coder', false],
  ])('%s is known to see: %s', (model, images) => {
    const choice = { baseUrl: 'https://example.com/v1', model };
    expect(startFacts({ ...choice, images: 'auto' }).images).toBe(images);
    expect(startFacts({ ...choice, images: 'on' }).images).toBe(true);
    expect(startFacts({ ...choice, images: 'off' }).images).toBe(false);
  });
});
