/** The words of endpoints for a request that is too long, and words that only look like them. */
import { describe, expect, it } from 'vitest';
import { readTooLong } from '../../src/model/too-long.ts';

const read = (message: string, status: number | undefined = 400, vendorCode = '') =>
  readTooLong({ message, status, vendorCode });

describe('a request that is too long', () => {
  it.each<[string, string, number | undefined, number | undefined]>([
    [
      'llama.cpp',
      'request (8284 tokens) exceeds the available context size (8192 tokens), try increasing it',
      8192,
      8284,
    ],
    [
      'llama.cpp, before 2025-11',
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      undefined,
      undefined,
    ],
    [
      'Gemini',
      'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
      1_048_576,
      1_200_293,
    ],
    [
      'Anthropic',
      'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      200_000,
      178_959,
    ],
    ['Anthropic', 'prompt is too long: 210045 tokens > 200000 maximum', 200_000, 210_045],
    [
      'Vertex AI',
      'Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.',
      32_768,
      40_000,
    ],
    ['Alibaba', 'Range of input length should be [1, 30720]', 30_720, undefined],
    [
      'Volcengine',
      'Total tokens of image and text exceed max message tokens.',
      undefined,
      undefined,
    ],
    [
      'OpenAI',
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.',
      272_000,
      300_000,
    ],
    [
      'a server in words of its own',
      'Input length 9000 exceeds maximum sequence length 8192',
      undefined,
      undefined,
    ],
    [
      'LM Studio',
      'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
      undefined,
      undefined,
    ],
    [
      'LM Studio',
      'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      4096,
      15_857,
    ],
    ['LM Studio', 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)', 7424, 15_028],
    ['LM Studio, MLX', 'Context size has been exceeded.', undefined, undefined],
    [
      'LM Studio',
      'Reached context length of 32000 tokens with model (arch: gpt-oss) that does not currently support mid-generation context overflow.',
      32_000,
      undefined,
    ],
    [
      'OpenAI',
      "This model's maximum context length is 8,192 tokens, however you requested 10,906 tokens (9,882 in the messages, 1,024 in the completion).",
      8192,
      9882,
    ],
    [
      'OpenAI',
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
      128_000,
      204_308,
    ],
    [
      'vLLM',
      "'max_tokens' or 'max_completion_tokens' is too large: 10000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (10000 > 8192 - 5000).",
      8192,
      5000,
    ],
    [
      'vLLM',
      "This model's maximum context length is 8192 tokens. However, you requested 2048 output tokens and your prompt contains at least 6145 input tokens, for a total of at least 8193 tokens.",
      8192,
      6145,
    ],
    [
      'vLLM',
      'The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller',
      8192,
      10_127,
    ],
    [
      'vLLM',
      'The prompt (total length 25938) is too long to fit into the model (context length 4096).',
      4096,
      25_938,
    ],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).",
      32_768,
      42_832,
    ],
    [
      'SGLang',
      "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      40_960,
      61_709,
    ],
    [
      'SGLang',
      'Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).',
      59_862,
      160_062,
    ],
    [
      'Mistral',
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      32_768,
      40_000,
    ],
    [
      'TGI',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3500 `inputs` tokens and 1024 `max_new_tokens`',
      4096,
      3500,
    ],
    [
      'xAI',
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      131_072,
      537_812,
    ],
    [
      'GitHub Copilot',
      'prompt token count of 135000 exceeds the limit of 128000',
      128_000,
      135_000,
    ],
    [
      'GitHub Models',
      'Request body too large for gpt-4o model. Max size: 8000 tokens.',
      8000,
      undefined,
    ],
    [
      'Cerebras',
      'Please reduce the length of the messages or completion. Current length is 9012 while limit is 8192',
      8192,
      9012,
    ],
    [
      'Moonshot',
      'Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)',
      262_144,
      undefined,
    ],
    ['MiniMax', 'invalid params, context window exceeds limit (2013)', undefined, undefined],
    ['Bedrock', 'Input is too long for requested model.', undefined, undefined],
    ['Z.ai', 'Prompt exceeds max length', undefined, undefined],
    ['llama-cpp-python', 'Requested tokens (5000) exceed context window of 4096', 4096, 5000],
    [
      'oMLX',
      'Prompt too long: 41911 tokens exceeds max context window of 32768 tokens',
      32_768,
      41_911,
    ],
    ['Ollama', 'prompt too long; exceeded max context length by 4 tokens', undefined, undefined],
    ['Ollama', 'the input length exceeds the context length', undefined, undefined],
    ['a proxy', 'The request exceeds the context window: 16384 tokens', 16_384, undefined],
  ])('%s: %s', (_server, message, window, prompt) => {
    expect(read(message)).toEqual({ window, prompt });
    // the words hold, whether they come with a status or inside a stream
    expect(read(message, undefined)).toEqual({ window, prompt });
    expect(read(message, 500)).toEqual({ window, prompt });
  });

  it.each([
    [
      413,
      'Request too large for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.',
      12_000,
    ],
    [
      429,
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 132819. The input or output tokens must be reduced in order to run successfully.',
      30_000,
    ],
  ])('%i with the tokens of a minute, which no wait makes larger', (status, message, window) => {
    expect(read(message, status, 'rate_limit_exceeded')).toEqual({ window, prompt: undefined });
  });

  it.each([
    [413, '', '<html><head><title>413 Request Entity Too Large</title></head></html>'],
    [413, 'request_too_large', 'Request exceeds the maximum size'],
    [400, 'context_length_exceeded', ''],
    [undefined, 'context_length_exceeded', 'error'],
    [500, 'exceed_context_size_error', 'failed'],
  ])('is also read from status %s and code %s', (status, code, message) => {
    expect(read(message, status, code)).toEqual({});
  });
});

describe('another refusal', () => {
  it.each([
    [
      429,
      'Rate limit reached for model `llama-3.1-8b-instant` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s.',
    ],
    [429, 'Too many tokens, please wait before trying again.'],
    [
      400,
      '`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    ],
    [400, 'max_tokens is too large: 32768. This model supports at most 16384 completion tokens'],
    [
      400,
      'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for claude-opus-4',
    ],
    [400, 'Unrecognized request argument supplied: context_length'],
    [400, 'image is too large'],
    [400, 'The input image exceeds the maximum size'],
    [
      400,
      "Invalid 'messages[1].tool_calls': array too long. Expected an array with maximum length 128",
    ],
    [429, 'The input tokens of your messages exceed the limit per day'],
    [400, 'output tokens of this conversation exceed the maximum'],
    [404, 'The model `gpt-8k-context` does not exist'],
    [500, 'Internal server error'],
    [undefined, 'the reply broke off'],
  ])('%s %s', (status, message) => {
    expect(read(message, status)).toBeUndefined();
  });
});
