/** Context windows of models, and what endpoints say about them when they refuse a conversation. Pure. */

/** Windows in tokens, by the beginning of a model's name without its vendor. The first match counts. */
const windows: readonly (readonly [RegExp, number])[] = [
  // https://platform.openai.com/docs/models
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o|^gpt-4-turbo/, 128_000],
  [/^gpt-3\.5/, 16_385],
  [/^o[134](?:$|-)/, 200_000],
  // https://docs.anthropic.com/en/docs/about-claude/models
  [/^claude/, 200_000],
  // https://ai.google.dev/gemini-api/docs/models
  [/^gemini-(?:2|3)/, 1_048_576],
  // https://api-docs.deepseek.com/quick_start/pricing
  [/^deepseek-(?:chat|reasoner)/, 128_000],
];

/** The context window of a model in tokens; null when it is not known. */
export function windowOf(model: string): number | null {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** How vendors name the window when a conversation is too long for it. */
const namedWindows = [
  // OpenAI, vLLM, DeepSeek: "This model's maximum context length is 8192 tokens. However, ..."
  /maximum context length (?:is|of) (\d{3,8})/i,
  // Anthropic: "prompt is too long: 210045 tokens > 200000 maximum"
  /> (\d{3,8}) maximum/i,
  // llama.cpp: "the request exceeds the available context size (4096 tokens)"
  /context size \((\d{3,8})/i,
  // Gemini: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)"
  /tokens allowed \((\d{3,8})\)/i,
  // other servers: "context window of 32768 tokens", "context window: 32768"
  /context (?:window|length|limit)(?: is| of|:)? (\d{3,8})/i,
];

/** The window that a refusal names, in tokens; null when it names none. */
export function windowInRefusal(message: string): number | null {
  const plain = message.replace(/(?<=\d)[,_](?=\d{3})/g, '');
  for (const pattern of namedWindows) {
    const [, tokens] = pattern.exec(plain) ?? [];
    if (tokens !== undefined) return Number(tokens);
  }
  return null;
}
