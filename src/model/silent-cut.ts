/** Notices an endpoint that cuts a conversation without an error, by its counts of tokens. */

/** Watches the requests of one endpoint. */
export interface CutWatch {
  /** Takes one event of a reply; the first one tells whether the endpoint is Ollama. */
  sawEvent(event: unknown): void;
  /**
   * Takes the bytes of a request and the input tokens that the endpoint counted for it.
   * @returns the phrase that says what is wrong and what to do, once; otherwise undefined.
   */
  sawReply(bytes: number, inputTokens: number): string | undefined;
}

/** By how much a prompt must be longer than the one before it. */
const growth = 1.05;

/**
 * Ollama answers 200 for a prompt that is longer than its context, drops the beginning, and counts what is left:
 * at most its context, and half of it once it cuts (ollama/ollama#17427, esengine/DeepSeek-Reasonix#10245).
 * It ignores `num_ctx` in requests to its compatible endpoint, so only its owner can cure that.
 */
export function watchCuts(): CutWatch {
  let isOllama = false;
  let reported = false;
  let last = { bytes: 0, inputTokens: 0 };
  return {
    sawEvent: event => {
      isOllama ||= Object(event).system_fingerprint === 'fp_ollama';
    },
    sawReply: (bytes, inputTokens) => {
      const before = last;
      last = { bytes, inputTokens };
      const isCut =
        before.bytes > 0 && bytes > before.bytes * growth && inputTokens <= before.inputTokens;
      if (reported || !isOllama || !isCut) return undefined;
      reported = true;
      return `Ollama counted ${inputTokens} input tokens for a prompt that is longer than the one before it (${before.inputTokens}), so it cuts the conversation in silence; set OLLAMA_CONTEXT_LENGTH at its server, or num_ctx in the file of the model, to 32768 or more`;
    },
  };
}
