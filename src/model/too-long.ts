/** Refusals of a request that is too long: one table of how endpoints say it, for every API and inside streams. Pure. */
import { type Code, PhotonError } from '../base/codes.ts';

/** What a refusal says about the size of a request. */
export interface TooLong {
  /** Tokens that the prompt and its reply may have together; absent where the refusal names none. */
  readonly window?: number;
  /** Tokens of the prompt, as the endpoint counted them; absent where the refusal names none. */
  readonly prompt?: number;
}

/**
 * The endpoint refused a request because it is too long. With another code than `MODEL_CONTEXT` it did not say so: LM Studio
 * answers such a request with an empty reply (lmstudio-bug-tracker#2339), which may have another cause as well.
 */
export class TooLongError extends PhotonError {
  readonly tooLong: TooLong;

  constructor(message: string, tooLong: TooLong, code: Code = 'MODEL_CONTEXT') {
    super(code, message);
    this.tooLong = tooLong;
  }
}

/**
 * The phrases; the first that matches holds. The groups `window` and `prompt` are counts of tokens, without
 * separators. Whatever names a window is a refusal as too long, since both are read from the same row.
 */
const phrases: readonly RegExp[] = [
  // Groq (koassistant#106), OpenAI: prompt and limit of the reply count against the tokens of a minute
  /request too large.*limit:? (?<window>\d{3,8}),? requested/i,
  // Anthropic: "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000"
  /exceed context limit: (?<prompt>\d+) \+ \d+ > (?<window>\d{3,8})/i,
  // Anthropic: "prompt is too long: 210045 tokens > 200000 maximum"
  /prompt is too long: (?<prompt>\d+) tokens > (?<window>\d{3,8}) maximum/i,
  // Gemini: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)"
  /input token count(?: \((?<prompt>\d+)\))? exceeds the maximum number of tokens allowed \(?(?<window>\d{3,8})/i,
  // llama.cpp: "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it"
  /request(?: \((?<prompt>\d+) tokens\))? exceeds the available context size(?: \((?<window>\d{3,8}))?/i,
  // vLLM and what is built on it: "… you requested 2048 output tokens and your prompt contains at least 6145 input tokens"
  /maximum context length (?:is|of) (?<window>\d{3,8}).*?(?<prompt>\d+) input tokens/i,
  // OpenAI, DeepSeek, OpenRouter: "maximum context length is 8192 tokens. However, you requested 9000 tokens (7000 in the messages, …)"
  /maximum context length (?:is|of) (?<window>\d{3,8}).*?\((?<prompt>\d+) (?:in the|in your|of text)/i,
  /maximum context length (?:is|of) (?<window>\d{3,8}).*?messages resulted in (?<prompt>\d+)/i,
  /maximum context length (?:is|of) (?<window>\d{3,8})/i,
  // Mistral: "Prompt contains 40000 tokens … too large for model with 32768 maximum context length"
  /prompt contains (?<prompt>\d+) tokens.*too large for model with (?<window>\d{3,8})/i,
  // SGLang: "The input (61709 tokens) is longer than the model's context length (40960 tokens)"
  /input \((?<prompt>\d+) tokens\) is longer than the model'?s context length \((?<window>\d{3,8})/i,
  /input length \((?<prompt>\d+) tokens\) exceeds the maximum allowed length \((?<window>\d{3,8})/i,
  // vLLM, other paths (vllm-project/vllm#12165)
  /prompt \((?:total )?length (?<prompt>\d+)\) is (?:longer than the maximum model length of|too long to fit into the model \(context length) (?<window>\d{3,8})/i,
  // LM Studio (lmstudio-bug-tracker#237, #546): "the model is loaded with context length of only 4096 tokens"
  /first (?<prompt>\d+) tokens when.*context length of only (?<window>\d{3,8})/i,
  // LM Studio (opencode#11141): "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"
  /n_keep:? \(?(?<prompt>\d+)\)? ?>=? ?n_ctx:? \(?(?<window>\d{3,8})/i,
  // LM Studio (lmstudio-bug-tracker#2205, #1024)
  /tokens to keep from the initial prompt is greater than the context length/i,
  /reached context length of (?<window>\d{3,8}) tokens/i,
  // text-generation-inference: "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3500 `inputs` tokens and …"
  /`?inputs`? (?:tokens \+ `?max_new_tokens`? must be <=|must have less than) (?<window>\d{3,8})(?:.*?given: (?<prompt>\d+))?/i,
  // xAI: "maximum prompt length is 131072 but the request contains 537812 tokens"
  /maximum prompt length is (?<window>\d{3,8})(?: but the request contains (?<prompt>\d+))?/i,
  // GitHub Copilot: "prompt token count of 135000 exceeds the limit of 128000"
  /prompt token count(?: of (?<prompt>\d+))? exceeds the limit of (?<window>\d{3,8})/i,
  // GitHub Models: "Request body too large for gpt-4o model. Max size: 8000 tokens."
  /too large for .* model\. max size: (?<window>\d{3,8}) tokens/i,
  // Cerebras: "Please reduce the length of the messages or completion. Current length is 9012 while limit is 8192"
  /current length is (?<prompt>\d+) while limit is (?<window>\d{3,8})/i,
  // Moonshot: "Your request exceeded model token limit: 262144 (requested: 300000)"
  /exceeded model token limit:? (?<window>\d{3,8})/i,
  // llama-cpp-python: "Requested tokens (5000) exceed context window of 4096"
  /requested tokens \((?<prompt>\d+)\) exceed context window of (?<window>\d{3,8})/i,
  // oMLX: "Prompt too long: 41911 tokens exceeds max context window of 32768 tokens"; Ollama: "prompt too long; exceeded max context length by 4 tokens"
  /prompt too long: (?<prompt>\d+) tokens exceeds max context window of (?<window>\d{3,8})/i,
  /prompt too long; exceed/i,
  // Cohere: "total number of tokens in the prompt cannot exceed 4081"
  /tokens in the prompt cannot exceed (?<window>\d{3,8})/i,
  // OpenAI's Responses: "Your input exceeds the context window of this model"; Ollama: "the input length exceeds the context length"; MiniMax: "context window exceeds limit"
  /\b(?:input|prompt|request|messages|conversation|tokens?)\b.{0,40}\bexceeds? (?:the |this |its |your |max(?:imum)? |model'?s? ){0,3}context (?:window|length|size|limit)(?:(?: of|:| is)? \(?(?<window>\d{3,8}))?/i,
  /context (?:window|length|size|limit)(?: has been| is| was)? exceed(?:ed|s limit)/i,
  // Groq, Cerebras: "Please reduce the length of the messages or completion"
  /reduce (?:the length of (?:the|your) (?:messages|prompt|input)|your (?:prompt|input))/i,
  // Cohere and others
  /too many (?:input |prompt )?tokens/i,
  // Vertex AI: "the input token count is 40000 but model only supports up to 32768"
  /input token count is (?<prompt>\d+) but model only supports up to (?<window>\d{3,8})/i,
  // Alibaba: "Range of input length should be [1, 30720]"; Volcengine: "Total tokens of image and text exceed max message tokens"
  /range of input length should be \[\d+, ?(?<window>\d{3,8})\]/i,
  /exceed max message tokens/i,
  // OpenAI: "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens."
  /input tokens exceed the configured limit of (?<window>\d{3,8}) tokens\. your messages resulted in (?<prompt>\d+)/i,
  // Bedrock: "Input is too long for requested model."; Z.ai: "Prompt exceeds max length"
  /\b(?:input|prompt) is too long\b|prompt exceeds max length|input tokens exceed/i,
  // in any other words, but for those of a reply's limit and of a rate
  /^(?!.*(?:max_\w*tokens|output|completion|\brate\b|quota|per (?:minute|day)|image|\btool)).*\b(?:input|prompt|context|messages?|conversation)\b.{0,60}(?:too long|exceed|longer than|larger than|reached).{0,40}\b(?:context|maximum|max|limit|window|length)\b/i,
];

/** Codes and types with which endpoints say it, whatever their words are. */
const codes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
  'request_too_large',
  'string_above_max_length',
  'tokens_limit_reached',
]);

/** What may be cured by waiting is a rate limit: Bedrock's "Too many tokens, please wait", Groq's "try again in 4.77s". */
const isLimitOfRate = /please wait|(?:try again|retry) in \d|\bused:? \d/i;

/** What an endpoint says about a request that is too long; undefined when it says something else. */
export function readTooLong(refusal: {
  /** HTTP status; undefined for an error inside a stream. */
  readonly status: number | undefined;
  readonly vendorCode: string;
  readonly message: string;
}): TooLong | undefined {
  const message = refusal.message.replace(/(?<=\d)[,_](?=\d{3})/g, '');
  if (isLimitOfRate.test(message)) return undefined;
  for (const phrase of phrases) {
    const found = phrase.exec(message);
    if (found !== null)
      return { window: readCount(found, 'window'), prompt: readCount(found, 'prompt') };
  }
  return codes.has(refusal.vendorCode) || refusal.status === 413 ? {} : undefined;
}

function readCount({ groups }: RegExpExecArray, name: string): number | undefined {
  const text = groups?.[name];
  return text === undefined ? undefined : Number(text);
}
