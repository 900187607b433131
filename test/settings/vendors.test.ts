/** What is known of the vendors: their addresses, what they are sent first, and how they give keys. */
import { describe, expect, it } from 'vitest';
import { firstFacts } from '../../src/model/apis/api.ts';
import { startFacts } from '../../src/model/endpoint-facts.ts';
import { keyExchangeNames } from '../../src/settings/key-exchange.ts';
import { findExchange, isPrivateAddress, nameProvider } from '../../src/settings/vendors.ts';
import { documented, idToken, type KeyExchangeName } from '../doubles/token-endpoint.ts';
import { exchange, given, settingsOf, uuid } from '../model/keys/exchanges.ts';

describe('an endpoint before its first request', () => {
  const mistral = {
    refused: new Set(['stream_options', 'reasoning_content', 'reasoning_details']),
    shortIds: true,
  };
  const limit = { tokenLimitKey: 'max_completion_tokens' };
  const openai = { ...limit, cacheKey: true };
  it.each<[address: string, model: string, provider: string, facts: object]>([
    ['no address', 'gpt-5.6', '_OTHER', {}],
    ['http://127.0.0.1:8080/v1', 'gpt-5.6', '127.0.0.1', {}],
    ['https://llm.example.com/v1', 'gpt-5-codex', 'llm.example.com', {}],
    ['https://api.openai.com.example.com/v1', 'gpt-5.6', 'api.openai.com.example.com', {}],
    ['https://api.openai.com/v1', 'gpt-4.1', 'openai', openai],
    ['https://api.openai.com/v1', 'gpt-5.5', 'openai', openai],
    ['https://api.openai.com/v1', 'gpt-5.6', 'openai', { ...openai, reasoningEffort: 'none' }],
    ['https://api.openai.com/v1', 'gpt-6-mini', 'openai', { ...openai, reasoningEffort: 'none' }],
    ['https://api.openai.com/v1', 'gpt-5.6-codex', 'openai', { ...openai, api: 'responses' }],
    ['https://eu.api.openai.com/v1', 'gpt-4.1', 'openai', openai],
    ['https://eu.api.openai.com/v1', 'gpt-5.6', 'openai', { ...openai, reasoningEffort: 'none' }],
    ['https://x.openai.azure.com/openai/v1', 'gpt-5.6', 'azure.ai.openai', openai],
    ['https://x.services.ai.azure.com/openai/v1', 'gpt-4.1', 'azure.ai.inference', openai],
    ['https://api.groq.com/openai/v1', 'openai/gpt-oss-120b', 'groq', limit],
    ['https://api.mistral.ai/v1', 'devstral', 'mistral_ai', mistral],
    ['https://api.anthropic.com', 'claude', 'anthropic', { api: 'messages' }],
    ['https://router.huggingface.co/v1', 'x/y', 'router.huggingface.co', {}],
    ['https://eu-aiplatform.googleapis.com/v1', 'gemini-3.1-pro', 'gcp.vertex_ai', {}],
    ['https://bedrock-runtime.eu-west-1.amazonaws.com', 'x', 'aws.bedrock', {}],
  ])('%s, %s', (baseUrl, model, provider, expected) => {
    expect(nameProvider(baseUrl)).toBe(provider);
    expect(startFacts({ baseUrl, model })).toEqual({ ...firstFacts, ...expected });
  });
});

it.each([
  ['http://127.0.0.1:11434/v1', true],
  ['http://localhost:8080', true],
  ['http://10.0.0.8/v1', true],
  ['http://192.168.1.9/v1', true],
  ['http://172.20.0.2/v1', true],
  ['http://[::1]:1/v1', true],
  ['http://[fd00::2]/v1', true],
  ['http://models.internal/v1', true],
  ['http://172.32.0.2/v1', false],
  ['https://api.openai.com/v1', false],
  ['https://10.example.com/v1', false],
  ['https://notlocalhost/v1', false],
  ['no address', false],
])('%s needs no key: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});

/** Where each exchange goes without an address of the settings; RFC 8693 has no vendor. */
const addresses: Readonly<Record<KeyExchangeName, string>> = {
  rfc8693: '',
  openai: 'https://auth.openai.com/oauth/token',
  anthropic: 'https://api.anthropic.com/v1/oauth/token',
  google: 'https://sts.googleapis.com/v1/token',
  azure: `https://login.microsoftonline.com/${uuid}/oauth2/v2.0/token`,
  openrouter: 'https://openrouter.ai/api/v1/oauth/token',
};

describe('a key exchange', () => {
  it('has a double each', () => {
    expect([...keyExchangeNames].sort()).toEqual(Object.keys(documented).sort());
  });

  it.each(Object.keys(documented) as KeyExchangeName[])(
    'of %s sends what the vendor documents, and nothing else',
    async name => {
      const { issued, endpoint } = await exchange(name);
      expect(endpoint.violations).toEqual([]);
      expect(endpoint.audiences).toEqual([given[name][1]]);
      expect(issued).toEqual({ key: 'key-of-the-vendor', expiresAt: 1_900_000 });
      const { ids } = settingsOf(name, name === 'rfc8693' ? 'url=https://a.test' : '');
      expect(findExchange(name).request(idToken, ids, '').url).toBe(addresses[name]);
    },
  );

  // https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
  it('of google acts as a service account when one is named', () => {
    const account = 'service_account=bot@project.iam.gserviceaccount.com';
    const { actAs } = findExchange('google');
    expect(actAs?.('token-of-sts', settingsOf('google').ids)).toBeUndefined();
    expect(actAs?.('token-of-sts', settingsOf('google', account).ids)).toEqual({
      url: 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/bot%40project.iam.gserviceaccount.com:generateAccessToken',
      headers: { authorization: 'Bearer token-of-sts' },
      json: { scope: ['https://www.googleapis.com/auth/cloud-platform'] },
    });
  });

  it('takes the answer of generateAccessToken, too', async () => {
    const body = { accessToken: 'key-of-the-account', expireTime: '2026-11-22T10:00:00Z' };
    const { issued } = await exchange('google', { body });
    expect(issued).toEqual({
      key: 'key-of-the-account',
      expiresAt: Date.parse('2026-11-22T10:00:00Z'),
    });
  });
});
