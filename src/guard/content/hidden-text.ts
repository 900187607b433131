/** Removes and counts text that a reader cannot see, before a model reads it. */
import {
  formatCodePoint,
  hiddenCharactersIn,
  withoutHiddenCharacters,
} from './hidden-characters.ts';
import { findLookAlike } from './look-alikes.ts';

export interface CleanText {
  readonly text: string;
  /** Hidden characters and hidden pieces of markup that were removed. */
  readonly removed: number;
}

/** Markup that rendering hides: comments (closed or not), declarations, link definitions used as comments. */
const hiddenMarkup: readonly RegExp[] = [
  /<!--[\s\S]*?(?:--!?>|$)/g,
  /<\?[\s\S]*?(?:\?>|$)/g,
  /<![A-Z[][\s\S]*?(?:>|$)/gi,
  /^[ ]{0,3}\[[^\]\n]*\]:[ \t]*(?:#|<>|\/\/)[ \t]*(?:\([^)\n]*\)|"[^"\n]*"|'[^'\n]*')[ \t]*$/gm,
];

/**
 * Marks on one letter beyond what any script uses (Unicode's Stream-Safe Text Format). To put a run of them in order
 * takes time that grows with its square, and nothing can end that.
 */
const tooManyMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** Markup whose removal joins new markup, this many times over, was made to: then the rest is removed from there on. */
const maxPasses = 20;

/**
 * Removes what rendering hides. Every kind of line ending becomes a newline; the rest is normalised to
 * NFC.
 */
export function removeHiddenText(raw: string): CleanText {
  // hidden characters go first, so that they cannot split a comment marker
  const visible = withoutHiddenCharacters(raw.replace(/\r\n?|[\u2028\u2029]/g, '\n'));
  let { text, removed } = visible;
  for (let before = '', passes = 0; before !== text; passes++) {
    before = text;
    if (passes === maxPasses) {
      text = text.slice(0, Math.min(...hiddenMarkup.map(pattern => findFirst(text, pattern))));
      removed += [...before].length - [...text].length;
    }
    for (const pattern of hiddenMarkup)
      text = text.replace(pattern, found => {
        removed += [...found].length;
        return '';
      });
  }
  text = text.replace(tooManyMarks, found => {
    removed += [...found].length;
    return '';
  });
  return { text: text.normalize('NFC'), removed };
}

function findFirst(text: string, pattern: RegExp): number {
  const at = text.search(pattern);
  return at < 0 ? text.length : at;
}

interface CodeAround {
  /** Text to search for the word that a look-alike imitates, such as the whole file. Default: the text itself. */
  readonly around?: string;
  /** True for prose, where soft hyphens inside words are legitimate. */
  readonly prose?: boolean;
}

/** Why added lines may not be what they look like: hidden characters, or words that imitate others. */
export function findTrojanSource(
  added: string,
  { around, prose = false }: CodeAround = {},
): readonly string[] {
  const text = prose ? added.replace(/(?<=\p{Ll})\u00ad(?=\p{Ll})/gu, '') : added;
  // many files begin with a byte order mark
  const hidden = hiddenCharactersIn(text.replace(/^\ufeff/, '')).map(h => h.character);
  const isDirection = (c: string) => /\p{Bidi_Control}/u.test(c);
  const direction = hidden.filter(isDirection);
  const unseen = hidden.filter(c => !isDirection(c));
  const alike = findLookAlike(text, around);
  return [
    direction.length > 0
      ? `bidirectional control characters: ${formatNames(direction)}`
      : undefined,
    unseen.length > 0 ? `invisible characters: ${formatNames(unseen)}` : undefined,
    alike === undefined ? undefined : `look-alike letters in ${alike.slice(0, 40)}`,
  ].filter(item => item !== undefined);
}

function formatNames(characters: readonly string[]): string {
  const names = [...new Set(characters.map(formatCodePoint))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
}
