/** The same repair at each provider, as its documentation or its users' reports describe it. */
import { describe, expect, it } from 'vitest';
import { anthropic } from '../doubles/providers/anthropic.ts';
import { deepseek } from '../doubles/providers/deepseek.ts';
import { gemini } from '../doubles/providers/gemini.ts';
import { groq } from '../doubles/providers/groq.ts';
import { mistral } from '../doubles/providers/mistral.ts';
import { ollama } from '../doubles/providers/ollama.ts';
import { openaiEffort } from '../doubles/providers/openai-effort.ts';
import { openaiResponses } from '../doubles/providers/openai-responses.ts';
import { openrouter } from '../doubles/providers/openrouter.ts';
import { type Provider, playedBy, refusal } from '../doubles/providers/provider.ts';
import { bareStream, wholeReply } from '../doubles/providers/proxy.ts';
import { type ProviderTurn, startStrict } from '../doubles/providers/strict-server.ts';
import { repairScript } from '../doubles/sample.ts';
import { isXml } from '../harness.ts';
import { play } from './scenario.ts';

const learned: Readonly<Record<string, readonly string[]>> = {
  [openaiEffort.name]: ['it takes tools only with reasoning_effort none'],
  [mistral.name]: [
    'it takes no stream_options',
    'it takes max_tokens in place of max_completion_tokens',
    'it takes call ids of nine letters and digits',
  ],
  [bareStream.name]: ['it takes no stream_options', 'its replies have a smaller limit'],
};

describe.skipIf(isXml)('the same repair is committed at every provider', () => {
  const providers: readonly Provider[] = [
    openaiEffort,
    mistral,
    deepseek,
    gemini,
    ollama,
    groq(),
    openrouter(),
    wholeReply,
    bareStream,
  ];

  it.each(providers.map(p => [p.name, p] as const))('%s', async (name, provider) => {
    await play({ script: playedBy(provider, repairScript) }, run => {
      expect(run.outcome, run.log).toMatchObject({ status: 'committed', decisions: [] });
      for (const phrase of learned[name] ?? [])
        expect(run.outcome.notes).toContain(`Model endpoint: ${phrase}.`);
    });
  });
});

describe.skipIf(isXml)('the same repair is committed over the other APIs', () => {
  const turns: readonly ProviderTurn[] = repairScript.map((turn, i) => ({
    text: turn.text ?? '',
    reasoning: 'The next step follows from the last result.',
    calls: (turn.calls ?? []).map((call, k) => ({
      id: `call_${i}_${k}`,
      name: call.name,
      arguments: Object(call.arguments) as object,
    })),
  }));

  it.each([
    ['Responses, asked for', openaiResponses, 'responses'],
    ['Messages, asked for', anthropic, 'messages'],
  ])('%s', async (_name, provider, api) => {
    const server = await startStrict(provider, turns);
    try {
      const inputs = { 'base-url': server.url, api };
      await play({ script: [], inputs }, run => {
        expect(run.outcome, run.log).toMatchObject({ status: 'committed', decisions: [] });
        expect(server.refusals).toEqual([]);
      });
    } finally {
      await server.close();
    }
  });

  it('Responses, learned from the refusal of chat completions', async () => {
    const server = await startStrict(openaiResponses, turns);
    try {
      await play({ script: [], inputs: { 'base-url': server.url } }, run => {
        expect(run.outcome, run.log).toMatchObject({ status: 'committed', decisions: [] });
        expect(run.outcome.notes).toContain(
          'Model endpoint: it serves this model by the Responses API.',
        );
      });
    } finally {
      await server.close();
    }
  });
});

describe('an endpoint that cannot call tools is named, with what to do', () => {
  it.each([
    [500, 'tools param requires --jinja flag', 'llama.cpp runs without --jinja'],
    [
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      'vLLM runs without a tool parser',
    ],
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools', 'no support for tools'],
  ])('%i %s', async (status, message, cause) => {
    await play({ script: () => refusal(status, message) }, run => {
      expect(run.outcome).toMatchObject({ status: 'failed', code: 'MODEL_REQUEST' });
      expect(run.outcome.message).toContain(cause);
      expect(run.outcome.message).toContain('agent-profile: kjxlkj-agent');
      expect(run.model.requests).toHaveLength(1);
    });
  });
});
