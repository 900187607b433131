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

// the first takes milliseconds to make, and most thoughts need none
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
  if (hasFewParts(text)) return text.trim();
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

/**
 * True if no sentence can be too many or repeated, which is so for most thoughts: there are at most five parts between
 * marks that can end a sentence of ASCII, all different. A sentence is made of whole parts.
 */
function hasFewParts(text: string): boolean {
  if (text.length > maxChars || !/^[\x00-\x7f]*$/.test(text)) return false;
  const parts = text
    .split(/[.!?\n\v\f\r]+/)
    // what closes a sentence, such as a bracket, stands behind its mark
    .map(p => p.toLowerCase().replace(/^[^a-z\d]+|[^a-z\d]+$/g, ''))
    .filter(p => p !== '');
  return parts.length <= maxSentences && new Set(parts).size === parts.length;
}

/** True for a text with a few different words: no sign, no "ok", no word again and again. */
function isReal(text: string): boolean {
  const plain = text.toLowerCase().match(/(?<!\S)[a-z]+(?!\S)/g);
  if (new Set(plain).size > minWords) return true;
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
