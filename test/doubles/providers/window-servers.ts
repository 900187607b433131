/**
 * Five kinds of server with a context window of so many tokens, each with what it does to a longer request: it refuses
 * prompt and reply together, it refuses the prompt alone, it drops the beginning and answers, it breaks off its stream
 * with an error, or it counts the request against the tokens of a minute. Four bytes are one token.
 */
import type { Body, ModelStep, ScriptedTurn } from '../model.ts';
import { xmlText } from '../xml-text.ts';
import { countPrompt, listCalls, type Provider, refusal, stream } from './provider.ts';

const replyLimit = ({ max_tokens, max_completion_tokens }: Body) =>
  max_tokens ?? max_completion_tokens ?? 0;

/** A turn as a stream, with what the server counted for the prompt; as tags where the request has no tools. */
function counted(turn: ScriptedTurn, body: Body, fields: object = {}): ModelStep {
  const { text = '', calls = [] } = turn;
  const promptTokens = countPrompt(body);
  if (body.tools === undefined)
    return stream([{ content: xmlText(text, calls) }], { finish: 'stop', promptTokens, fields });
  const deltas = [{ role: 'assistant', content: text }, { tool_calls: listCalls(turn) }];
  return stream(deltas, { finish: 'tool_calls', promptTokens, fields });
}

/** vLLM: the window holds the prompt and the limit of the reply (vllm-project/vllm#36197). */
export const vllm = (window: number): Provider => ({
  name: `vLLM, ${window} tokens`,
  source: 'https://github.com/vllm-project/vllm/pull/36197',
  refuse: body => {
    const [prompt, reply] = [countPrompt(body), replyLimit(body)];
    if (prompt + reply <= window) return null;
    const message = `This model's maximum context length is ${window} tokens. However, you requested ${reply} output tokens and your prompt contains at least ${prompt} input tokens, for a total of at least ${prompt + reply} tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=${prompt})`;
    return {
      status: 400,
      body: { error: { message, type: 'BadRequestError', param: 'input_tokens', code: 400 } },
    };
  },
  reply: (turn, body) => counted(turn, body),
});

/** llama.cpp: the prompt alone is refused (ggml-org/llama.cpp#15780). */
export const llamaCpp = (window: number): Provider => ({
  name: `llama.cpp, ${window} tokens`,
  source: 'https://github.com/ggml-org/llama.cpp/pull/15780',
  refuse: body => {
    const tokens = countPrompt(body);
    if (tokens <= window) return null;
    const message = `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`;
    const about = { n_prompt_tokens: tokens, n_ctx: window };
    return {
      status: 400,
      body: { error: { code: 400, message, type: 'exceed_context_size_error', ...about } },
    };
  },
  reply: (turn, body) => counted(turn, body),
});

/**
 * Ollama: the beginning of a longer prompt is dropped, half of the window is left and counted, and the model, which
 * sees neither rules nor task any more, writes what has nothing to do with them (ollama/ollama#17427).
 */
export const ollamaStrict = (window: number): Provider => ({
  name: `Ollama, ${window} tokens`,
  source: 'https://github.com/ollama/ollama/issues/17427',
  reply: (turn, body) => {
    const tokens = countPrompt(body);
    const fields = { system_fingerprint: 'fp_ollama' };
    if (tokens <= window) return counted(turn, body, fields);
    const lost = {
      role: 'assistant',
      content: 'I see a part of a file. What should I do with it?',
    };
    return stream([lost], { finish: 'stop', promptTokens: window / 2 + 2, fields });
  },
  losesTurn: body => countPrompt(body) > window,
});

/** LM Studio: status 200, and the error inside the stream (lmstudio-ai/lmstudio-bug-tracker#2322). */
export const lmStudio = (window: number): Provider => ({
  name: `LM Studio, ${window} tokens`,
  source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2322',
  refuse: body => {
    if (countPrompt(body) <= window) return null;
    const message =
      'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input';
    if (!(body.stream as boolean)) return { status: 400, body: { error: message } };
    return { raw: `event: error\ndata: ${JSON.stringify({ error: { message }, message })}\n\n` };
  },
  reply: (turn, body) => counted(turn, body),
});

/** Groq's free plan: prompt and limit of the reply count against the tokens of a minute, and no wait cures that. */
export const groqMinute = (limit: number): Provider => ({
  name: `Groq, ${limit} tokens a minute`,
  source: 'https://github.com/zeeyado/koassistant.koplugin/issues/106',
  refuse: body => {
    const requested = countPrompt(body) + replyLimit(body);
    return requested <= limit
      ? null
      : refusal(
          413,
          `Request too large for model \`openai/gpt-oss-120b\` in organization \`org_1\` service tier \`on_demand\` on tokens per minute (TPM): Limit ${limit}, Requested ${requested}, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
          'rate_limit_exceeded',
        );
  },
  reply: (turn, body) => counted(turn, body),
});

export const windowServers = { vllm, llamaCpp, ollamaStrict, lmStudio, groqMinute } as const;
