/** Finds the thought of a round: real sentences, wherever an endpoint puts them (constitution §4). Pure. */

/** A round shows and keeps at most this many sentences. */
const maxSentences = 5;
const minWords = 2;
/** Letters of two words that say what is done, such as "Reading now". */
const minSpoken = 8;
/** Scripts without spaces between words: as many different letters of them are a sentence. */
const minLetters = 4;
/** More than five sentences never need. */
const maxChars = 20_000;

const segmenter = (granularity: 'word' | 'sentence') => new Intl.Segmenter('en', { granularity });

const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** The first text that says something, cut to five different sentences; empty when none does. */
export function extractThought(texts: readonly string[]): string {
  return texts.map(cutSentences).find(isReal) ?? '';
}

/** How many sentences with words a text holds. */
export function countSentences(text: string): number {
  const sentences = segmenter('sentence').segment(text.slice(0, maxChars));
  return [...sentences].filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment)).length;
}

/** A text up to its fifth sentence, each sentence once. */
export function cutSentences(text: string): string {
  const seen = new Set<string>();
  let kept = '';
  for (const { segment } of segmenter('sentence').segment(text.slice(0, maxChars))) {
    const key = segment.trim().toLowerCase();
    if (seen.has(key)) continue;
    if (/[\p{L}\p{N}]/u.test(key)) seen.add(key);
    if (seen.size > maxSentences) break;
    kept += segment;
  }
  return kept.trim();
}

/** True for a text with a few different words: no sign, no "ok", no word again and again. */
function isReal(text: string): boolean {
  const letters = new Set(text.match(unspaced));
  if (letters.size >= minLetters) return true;
  const found = new Set<string>();
  let count = 0;
  for (const { segment, isWordLike } of segmenter('word').segment(text)) {
    if (isWordLike !== true || !/\p{L}/u.test(segment)) continue;
    found.add(segment.toLowerCase());
    count += 1;
    if (found.size > minWords) return true;
  }
  const spoken = [...found].join('').length;
  return found.size === minWords && count < 2 * minWords && spoken >= minSpoken;
}
