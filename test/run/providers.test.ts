/** The same repair at each provider, as its documentation or its users' reports describe it. */
import { describe, expect, it } from 'vitest';
import type { Script } from '../doubles/model.ts';
import { anthropic } from '../doubles/providers/anthropic.ts';
import { azureClassic, azureV1 } from '../doubles/providers/azure.ts';
import { deepseek } from '../doubles/providers/deepseek.ts';
import { gemini } from '../doubles/providers/gemini.ts';
import { groq } from '../doubles/providers/groq.ts';
import { mistral } from '../doubles/providers/mistral.ts';
import { ollama } from '../doubles/providers/ollama.ts';
import { openaiEffort } from '../doubles/providers/openai-effort.ts';
import { openaiResponses } from '../doubles/providers/openai-responses.ts';
import { openrouter } from '../doubles/providers/openrouter.ts';
import { type Provider, playedBy, refusal, withoutStream } from '../doubles/providers/provider.ts';
import { bareStream, wholeReply } from '../doubles/providers/proxy.ts';
import {
  type ProviderTurn,
  type StrictProvider,
  startStrict,
} from '../doubles/providers/strict-server.ts';
import { repairScript } from '../doubles/sample.ts';
import { canary, isXml } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';
import { play } from './scenario.ts';

const learned: Readonly<Record<string, readonly string[]>> = {
  [openaiEffort.name]: [
    'it takes max_completion_tokens in place of max_tokens',
    'it serves this model, or its tools, by the Responses API',
    'it does not serve the Responses API',
  ],
  [mistral.name]: ['it takes no stream_options', 'it takes call ids of nine letters and digits'],
  [bareStream.name]: ['it takes no stream_options', 'its replies have a smaller limit'],
};

describe.skipIf(isXml)('the same repair is committed at every provider', () => {
  const providers: readonly Provider[] = [
    openaiEffort,
    mistral,
    deepseek,
    gemini,
    ollama(32_768),
    groq(),
    openrouter(),
    wholeReply,
    bareStream,
    ...[openaiEffort, mistral, deepseek, gemini, ollama(32_768), groq()].map(withoutStream),
  ];
  const rows = providers.map(p => [p.name, p] as const);

  it.each(sample('providers', rows, 1))('%s', async (name, provider) => {
    await play({ script: playedBy(provider, repairScript) }, run => {
      expect(run.outcome, run.log).toMatchObject({ status: 'committed', decisions: [] });
      for (const phrase of learned[name] ?? [])
        expect(run.outcome.notes).toContain(`Model endpoint: ${phrase}.`);
      const kept = run.ledger.filter(e => e.tool === 'model.learned').map(e => e.facts);
      expect(run.outcome.notes.filter(n => n.startsWith('Model endpoint: '))).toEqual(
        kept.map(facts => `Model endpoint: ${Object(facts).fact}.`),
      );
      if (name.endsWith('without a stream'))
        expect(kept).toContainEqual({ fact: 'it does not stream' });
    });
  });

  it('an endpoint of a private network gets no key when none is set', async () => {
    const inputs = { 'api-key': '' };
    await play({ script: playedBy(ollama(32_768), repairScript), inputs }, run => {
      expect(run.outcome).toMatchObject({ status: 'committed', notes: [] });
      expect(run.log).not.toContain(canary);
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

  it.each(
    sample<[string, StrictProvider, string, string?]>(
      'other APIs',
      [
        ['Responses, asked for', openaiResponses, 'responses'],
        ['Messages, asked for', anthropic, 'messages'],
        ['Azure, classic', azureClassic, 'chat', '/openai/deployments/gpt?api-version=2024-10-21'],
        ['Azure, v1', azureV1, 'auto', '/openai/v1'],
      ],
      1,
    ),
  )('%s', async (_name, provider, api, path = '') => {
    const server = await startStrict(provider, turns);
    try {
      const inputs = { 'base-url': `${server.url}${path}`, api };
      await play({ script: [], inputs }, run => {
        expect(run.outcome, run.log).toMatchObject({ status: 'committed', decisions: [] });
        expect(server.refusals).toEqual([]);
      });
    } finally {
      await server.close();
    }
  });

  it.runIf(playsVariants)('Responses, learned from the refusal of chat completions', async () => {
    const server = await startStrict(openaiResponses, turns);
    try {
      await play({ script: [], inputs: { 'base-url': server.url } }, run => {
        expect(run.outcome, run.log).toMatchObject({ status: 'committed', decisions: [] });
        expect(run.outcome.notes).toContain(
          'Model endpoint: it serves this model, or its tools, by the Responses API.',
        );
      });
    } finally {
      await server.close();
    }
  });
});

describe.skipIf(isXml)('an endpoint that cannot call tools gets its calls as tags', () => {
  const causes = [
    [500, 'tools param requires --jinja flag', 'llama.cpp runs without --jinja'],
    [
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      'vLLM runs without a tool parser',
    ],
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools', 'no support for tools'],
  ] as const;

  it.runIf(playsVariants).each(sample('causes of tags', causes, 1))(
    '%i %s',
    async (status, message, cause) => {
      let answered = 0;
      const script: Script = body => {
        if (body.tools !== undefined) return refusal(status, message);
        answered += 1;
        return repairScript[answered - 1] ?? { text: '' };
      };
      await play({ script }, ({ outcome, model, log, ledger }) => {
        expect(outcome, log).toMatchObject({ status: 'committed', decisions: [] });
        expect(outcome.notes.join()).toContain(`it takes no tools (`);
        expect(outcome.notes.join()).toContain(cause);
        expect(ledger.filter(e => e.tool === 'model.learned')).toHaveLength(1);
        const [refused, first] = model.requests.map(r => r.body);
        expect(refused?.tools).toBeDefined();
        expect(String(first?.messages[0]?.content)).toContain('<read_code_block>');
        expect(model.requests.slice(1).every(r => r.body.tools === undefined)).toBe(true);
      });
    },
  );
});
