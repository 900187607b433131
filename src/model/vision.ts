/** Models that are known to see images, by name. Pure. */

/**
 * Vendors document image input for these names. A name that is missing may see as well, but many text models
 * ignore images without an error, and the run would work without what it seems to have seen.
 */
const seeing: readonly RegExp[] = [
  // https://platform.openai.com/docs/guides/images-vision
  /^(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|o[1-9](?!-mini\b)|o4-mini|chatgpt-4o|codex-mini)/,
  // https://platform.claude.com/docs/en/build-with-claude/vision: every model from Claude 3 on
  /^claude-(?:3|(?:opus|sonnet|haiku|fable|mythos)-\d|[4-9])/,
  // https://ai.google.dev/gemini-api/docs/vision
  /^gemini-/,
  // https://docs.mistral.ai/capabilities/vision/
  /^(?:pixtral|mistral-(?:medium|small)-(?:latest|2[5-9]))/,
  // the cards of open models
  /^(?:gemma-?3|gemma-?4|llama-?4|llama-?3\.2-(?:11b|90b)|qwen[\w.-]*-?vl|internvl|llava|minicpm-v)/,
];

/** Whether a model is known to see. The name may have the prefix of a router (`openai/gpt-5`). */
export function isKnownToSee(model: string): boolean {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  return seeing.some(pattern => pattern.test(name));
}

/** The setting `images`. */
export type ImageChoice = 'auto' | 'on' | 'off';

/** Whether images are sent to a model, before its endpoint refuses one. */
export function takesImages(model: string, choice: ImageChoice): boolean {
  return choice === 'on' || (choice === 'auto' && isKnownToSee(model));
}
