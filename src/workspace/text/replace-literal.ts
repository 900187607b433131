/** Replaces literal texts, and counts the places. Pure. */

/** A text and what stands in its place; both can hold several lines. */
export interface LiteralReplacement {
  readonly old: string;
  readonly new: string;
}

/**
 * Applies replacements one after another; each sees what the one before it made. Line ends count as LF.
 * @returns the new text, and how many places each replacement changed.
 */
export function replaceLiterals(
  text: string,
  replacements: readonly LiteralReplacement[],
): { readonly text: string; readonly counts: readonly number[] } {
  const counts: number[] = [];
  let result = text;
  for (const { old, new: made } of replacements) {
    const parts = result.split(withLineFeeds(old));
    counts.push(parts.length - 1);
    result = parts.join(withLineFeeds(made));
  }
  return { text: result, counts };
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
