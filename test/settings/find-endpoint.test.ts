import { describe, expect, it } from 'vitest';
import {
  completeAddress,
  findEndpoint,
  readTerminalKeys,
} from '../../src/settings/find-endpoint.ts';

const keys = {
  OPENAI_API_KEY: 'sk-proj-o',
  ANTHROPIC_API_KEY: 'sk-ant-a',
  GEMINI_API_KEY: 'AIzaG',
  OPENROUTER_API_KEY: 'sk-or-r',
  AZURE_OPENAI_API_KEY: 'azure-key',
  MISTRAL_API_KEY: 'mistral-key',
  GROQ_API_KEY: 'gsk_g',
  DEEPSEEK_API_KEY: 'sk-d',
  XAI_API_KEY: 'xai-x',
} as const;
type Name = keyof typeof keys;

const at = (set: readonly Name[], given: { model?: string; baseUrl?: string } = {}) => {
  const env = Object.fromEntries(set.map(name => [name, keys[name]]));
  return findEndpoint({ model: '', baseUrl: '', apiKey: readTerminalKeys(env), ...given });
};
const refusal = expect.objectContaining({ code: 'KEY_ADDRESS' });

describe('the key of a vendor alone', () => {
  it.each([
    ['OPENAI_API_KEY', 'https://api.openai.com/v1'],
    ['ANTHROPIC_API_KEY', 'https://api.anthropic.com'],
    ['GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta/openai'],
    ['OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'],
    ['MISTRAL_API_KEY', 'https://api.mistral.ai/v1'],
    ['GROQ_API_KEY', 'https://api.groq.com/openai/v1'],
    ['DEEPSEEK_API_KEY', 'https://api.deepseek.com/v1'],
    ['XAI_API_KEY', 'https://api.x.ai/v1'],
  ] as const)('%s finds %s, and a model', (name, baseUrl) => {
    expect(at([name])).toMatchObject({ baseUrl, apiKey: keys[name] });
    expect(at([name]).model).not.toBe('');
    expect(at([name], { model: 'own' })).toEqual({ baseUrl, apiKey: keys[name], model: 'own' });
    expect(at([name], { baseUrl })).toMatchObject({ baseUrl, apiKey: keys[name] });
  });

  it('of Azure wants the address of its customer', () => {
    const baseUrl = 'https://shop.openai.azure.com';
    expect(at(['AZURE_OPENAI_API_KEY'], { baseUrl, model: 'gpt' })).toEqual({
      baseUrl: `${baseUrl}/openai/v1`,
      apiKey: 'azure-key',
      model: 'gpt',
    });
    expect(() => at(['AZURE_OPENAI_API_KEY'], { model: 'gpt-5' })).toThrow(refusal);
  });
});

describe('a key that no endpoint can take', () => {
  it.each([
    ['Bearer sk-proj-o', 'begins with Bearer'],
    ['Authorization: sk-proj-o', 'begins with Authorization:'],
    ['"sk-proj-o"', 'begins with "'],
    ['sk-proj\u200b-o', 'U+200B, the 8. of 10'],
    ['sk-proj o', 'U+0020, the 8. of 9'],
    ['sk-proj-ö', 'U+00F6'],
  ])('%s is named at the start, without its text', (apiKey, says) => {
    const find = () => findEndpoint({ model: 'gpt-5', baseUrl: '', apiKey });
    expect(find).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }));
    expect(find).toThrow(says);
    expect(find).not.toThrow('proj');
  });

  it('is found in the variable of a vendor, too', () => {
    const apiKey = readTerminalKeys({ OPENAI_API_KEY: 'Bearer sk-proj-o' });
    expect(() => findEndpoint({ model: '', baseUrl: '', apiKey })).toThrow('begins with Bearer');
  });
});

describe('one of several keys', () => {
  const all = Object.keys(keys) as Name[];

  it.each([
    ['gpt-5', 'sk-proj-o'],
    ['claude-opus-5-5', 'sk-ant-a'],
    ['gemini-3.8-flash', 'AIzaG'],
    ['grok-4.3', 'xai-x'],
    ['anthropic/claude-opus-5-5', 'sk-or-r'],
  ])('is found by the model %s', (model, apiKey) => {
    const set = all.filter(name => name !== 'GROQ_API_KEY' && name !== 'AZURE_OPENAI_API_KEY');
    expect(at(set, { model })).toMatchObject({ apiKey, model });
  });

  it('is not chosen where no model is named', () => {
    expect(at(all)).toEqual({ baseUrl: '', apiKey: '', model: '' });
  });

  it('goes to the address that is named, and no other does', () => {
    const baseUrl = 'https://api.anthropic.com';
    expect(at(all, { baseUrl, model: 'claude-x' }).apiKey).toBe('sk-ant-a');
    expect(at(all, { baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen' }).apiKey).toBe('');
    expect(at(all, { baseUrl: 'https://gateway.example/v1', model: 'gpt-5' }).apiKey).toBe('');
  });
});

describe('a key never goes to the address of another vendor', () => {
  const find = (apiKey: string, model: string, baseUrl = '') =>
    findEndpoint({ apiKey, model, baseUrl });

  it.each([
    ['its form tells the address', 'sk-ant-a', 'own-name', 'https://api.anthropic.com'],
    ['the model tells it', 'a-key', 'claude-opus-5-5', 'https://api.anthropic.com'],
    ['the model tells it', 'a-key', 'gpt-5', 'https://api.openai.com/v1'],
    ['its form tells the address', 'sk-or-r', 'claude-x', 'https://openrouter.ai/api/v1'],
  ])('%s: %s with %s', (_how, apiKey, model, baseUrl) => {
    expect(find(apiKey, model)).toEqual({ apiKey, model, baseUrl });
  });

  it.each([
    ['sk-proj-o', 'claude-opus-5-5', ''],
    ['sk-ant-a', 'gpt-5', ''],
    ['a-key', 'some-model', ''],
    ['a-key', 'gpt-oss-20b', ''],
    ['sk-ant-a', 'gpt-5', 'https://api.openai.com/v1'],
    ['sk-proj-o', 'gpt-5', 'https://shop.openai.azure.com/openai/v1'],
    ['gsk_g', 'x', 'https://eu.api.openai.com/v1'],
    ['sk-ant-a', 'x', 'https://bedrock-runtime.eu-west-1.amazonaws.com/v1'],
  ])('%s with %s at "%s" is refused', (apiKey, model, baseUrl) => {
    expect(() => find(apiKey, model, baseUrl)).toThrow(refusal);
  });

  it.each([
    [['OPENAI_API_KEY'], 'claude-opus-5-5'],
    [['GROQ_API_KEY'], 'claude-opus-5-5'],
    [['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'], 'qwen-max'],
  ] as const)('%j with %s is refused', (set, model) => {
    expect(() => at(set, { model })).toThrow(refusal);
  });

  it('of any form may go to a gateway that a person named', () => {
    const baseUrl = 'https://gateway.example/v1';
    expect(find('sk-ant-a', 'gpt-5', baseUrl)).toEqual({
      apiKey: 'sk-ant-a',
      model: 'gpt-5',
      baseUrl,
    });
  });

  it.each([
    ['sk-o', 'https://api.openai.com/v1', 'https://api.openai.com/v1'],
    ['a-key', 'https://shop.services.ai.azure.com', 'https://shop.services.ai.azure.com/openai/v1'],
    ['AIzaG', 'https://eu-aiplatform.googleapis.com/v1', 'https://eu-aiplatform.googleapis.com/v1'],
  ])('%s goes to its own vendor at %s', (apiKey, baseUrl, complete) => {
    expect(find(apiKey, 'x', baseUrl)).toEqual({ apiKey, model: 'x', baseUrl: complete });
  });

  it.each([
    ['openai', '', 'https://api.openai.com/v1'],
    ['openai', 'https://eu.api.openai.com', 'https://eu.api.openai.com/v1'],
    ['azure', 'https://shop.services.ai.azure.com', 'https://shop.services.ai.azure.com/openai/v1'],
    ['azure', '', ''],
    [
      'google',
      'https://eu-aiplatform.googleapis.com/v1',
      'https://eu-aiplatform.googleapis.com/v1',
    ],
    ['google', 'https://generativelanguage.googleapis.com/v1beta/openai'],
    ['google', '', ''],
    ['anthropic', 'https://gateway.example/v1'],
    ['rfc8693', 'https://api.openai.com/v1'],
  ])('that %s gives goes to "%s"', (issuer, baseUrl, complete = baseUrl) => {
    const given = { apiKey: '', model: 'x', baseUrl };
    expect(findEndpoint({ ...given, issuer })).toEqual({ ...given, baseUrl: complete });
  });

  it.each([
    ['google', 'https://api.openai.com/v1'],
    ['openai', 'https://api.anthropic.com'],
  ])('that %s gives is refused at %s', (issuer, baseUrl) => {
    expect(() => findEndpoint({ apiKey: '', model: 'x', baseUrl, issuer })).toThrow(refusal);
  });

  it('is not sent for the embedded engine', () => {
    expect(at(['OPENAI_API_KEY'], { model: 'builtin' })).toMatchObject({ apiKey: '' });
  });
});

describe('an address', () => {
  it.each([
    ['https://api.openai.com', 'https://api.openai.com/v1'],
    ['https://api.groq.com', 'https://api.groq.com/openai/v1'],
    ['https://api.groq.com/openai', 'https://api.groq.com/openai/v1'],
    [
      'https://generativelanguage.googleapis.com/v1beta/',
      'https://generativelanguage.googleapis.com/v1beta/openai',
    ],
    ['https://openrouter.ai', 'https://openrouter.ai/api/v1'],
    ['https://shop.openai.azure.com', 'https://shop.openai.azure.com/openai/v1'],
    ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1'],
    [
      'https://shop.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2024-10-21',
      'https://shop.openai.azure.com/openai/deployments/gpt?api-version=2024-10-21',
    ],
  ])('%s is completed to %s', (given, complete) => {
    expect(completeAddress(given)).toBe(complete);
  });

  it.each([
    'https://api.openai.com/v1',
    'https://api.anthropic.com',
    'https://api.deepseek.com/anthropic',
    'https://shop.services.ai.azure.com/models?api-version=2024-05-01-preview',
    'https://gateway.example/any/path',
  ])('%s stays', given => {
    expect(completeAddress(given)).toBe(given);
  });
});
