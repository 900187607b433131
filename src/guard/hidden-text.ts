/** Text that a reader does not see is taken out and counted before a model reads it (THREATS 3.8). */

export interface CleanText {
  readonly text: string;
  /** Hidden characters and hidden pieces of markup that were removed. */
  readonly removed: number;
}

/** Markup that rendering hides: comments (closed or not), declarations, link definitions used as notes. */
const hiddenMarkup: readonly RegExp[] = [
  /<!--[\s\S]*?(?:--!?>|$)/g,
  /<\?[\s\S]*?(?:\?>|$)/g,
  /<![A-Z[][\s\S]*?(?:>|$)/gi,
  /^[ ]{0,3}\[[^\]\n]*\]:[ \t]*(?:#|<>|\/\/)[ \t]*(?:\([^)\n]*\)|"[^"\n]*"|'[^'\n]*')[ \t]*$/gm,
];

/** Invisible letters and fillers that are not in the class Cf, and lone variation selectors. */
const fillers = /[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;
const tags = /[\u{e0000}-\u{e007f}]/gu;
const selectors = /[\u{e0100}-\u{e01ef}\u180b-\u180d\ufe00-\ufe0e]/gu;
/** The emoji selector counts as hidden unless it follows a character that it can change. */
const loneEmojiSelector = /(?<!\p{Emoji})\ufe0f/gu;
/** A joiner is kept between two pictures only. */
const loneJoiner =
  /(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const format = /(?!\u200d)\p{Cf}/gu;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const hiddenCharacters = [
  tags,
  selectors,
  loneEmojiSelector,
  fillers,
  loneJoiner,
  format,
  controls,
];

/**
 * Removes what rendering hides. Soft hyphens, zero-width and bidi characters are of the class Cf;
 * carriage returns become newlines; the rest is put into Unicode's composed form.
 */
export function removeHiddenText(raw: string): CleanText {
  let removed = 0;
  const without = (text: string, pattern: RegExp) =>
    text.replace(pattern, found => {
      removed += [...found].length;
      return '';
    });
  const plain = raw.replace(/\r\n?/g, '\n');
  // characters first, so that they cannot break up the markers of a comment
  const visible = hiddenCharacters.reduce(without, plain);
  let text = visible;
  for (let before = ''; before !== text; ) {
    before = text;
    text = hiddenMarkup.reduce(without, text);
  }
  return { text: text.normalize('NFC'), removed };
}

/** The first character that a reader of a text does not see, and its line; null when there is none. */
export function findHiddenCharacter(
  text: string,
): { readonly line: number; readonly codePoint: string } | null {
  const at = hiddenCharacters.map(pattern => text.search(pattern)).filter(i => i >= 0);
  if (at.length === 0) return null;
  const first = Math.min(...at);
  const code = (text.codePointAt(first) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return { line: text.slice(0, first).split('\n').length, codePoint: `U+${code}` };
}

/** Why added lines may not be what they look like: bidi controls or mixed look-alike scripts. */
export function findTrojanSource(added: string): readonly string[] {
  const reasons: string[] = [];
  if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/.test(added))
    reasons.push('bidirectional control characters');
  if (/[\u200b-\u200d\u2060\ufeff]/.test(added)) reasons.push('invisible characters');
  const words = added.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const mixed = words.find(
    w => /\p{Script=Latin}/u.test(w) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(w),
  );
  if (mixed !== undefined) reasons.push(`mixed scripts in ${JSON.stringify(mixed.slice(0, 40))}`);
  return reasons;
}
