/** What is known of an endpoint before its first request. */
import { describe, expect, it } from 'vitest';
import { firstFacts } from '../../src/model/apis/api.ts';
import { chatApi } from '../../src/model/apis/chat.ts';
import { startFacts } from '../../src/model/providers.ts';

describe('an endpoint before its first request', () => {
  const mistral = {
    refused: new Set(['stream_options', 'reasoning_content', 'reasoning_details']),
    shortIds: true,
  };
  const openai = { tokenLimitKey: 'max_completion_tokens', cacheKey: true };
  it.each<[string, string, object]>([
    ['http://127.0.0.1:8080/v1', 'gpt-5.6', {}],
    ['https://llm.example.com/v1', 'gpt-5-codex', {}],
    ['https://api.openai.com.example.com/v1', 'gpt-5.6', {}],
    ['https://api.openai.com/v1', 'gpt-4.1', openai],
    ['https://api.openai.com/v1', 'gpt-5.5', openai],
    ['https://api.openai.com/v1', 'gpt-5.6', { ...openai, reasoningEffort: 'none' }],
    ['https://api.openai.com/v1', 'gpt-6-mini', { ...openai, reasoningEffort: 'none' }],
    ['https://api.openai.com/v1', 'gpt-5.6-codex', { ...openai, api: 'responses' }],
    ['https://eu.api.openai.com/v1', 'gpt-4.1', openai],
    ['https://x.openai.azure.com/openai/v1', 'gpt-4.1', openai],
    ['https://api.mistral.ai/v1', 'devstral', mistral],
    ['https://api.anthropic.com', 'claude', { api: 'messages' }],
  ])('%s, %s', (baseUrl, model, expected) => {
    expect(startFacts({ baseUrl, model })).toEqual({ ...firstFacts, ...expected });
  });

  it('is as a person set it, whatever the table says', () => {
    const baseUrl = 'https://api.openai.com/v1';
    const chosen = { api: 'chat', reasoningEffort: 'high', extraBody: { top_p: 1 } } as const;
    expect(startFacts({ baseUrl, model: 'gpt-5.6-codex', ...chosen })).toMatchObject({
      api: 'chat',
      reasoningEffort: 'high',
      extraBody: { top_p: 1 },
    });
  });

  it('gets what a person added, but for the fields of the run', () => {
    const request = { messages: [], tools: [], maxOutputTokens: 300, retries: 'fixed' as const };
    const extraBody = { top_p: 1, model: 'other', max_tokens: 9 };
    expect(chatApi.body(request, 'm', { ...firstFacts, extraBody })).toMatchObject({
      top_p: 1,
      model: 'm',
      max_tokens: 300,
    });
  });
});
