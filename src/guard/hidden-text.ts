/** Text that a reader does not see is taken out and counted before a model reads it (THREATS 3.8). */

import { hiddenCharactersIn, nameOf, withoutHiddenCharacters } from './hidden-characters.ts';
import { findLookAlike } from './look-alikes.ts';

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

/**
 * Removes what rendering hides. Ends of lines of every kind become newlines; the rest is put into
 * Unicode's composed form.
 */
export function removeHiddenText(raw: string): CleanText {
  // characters first, so that they cannot break up the markers of a comment
  const visible = withoutHiddenCharacters(raw.replace(/\r\n?|[\u2028\u2029]/g, '\n'));
  let { text, removed } = visible;
  for (let before = ''; before !== text; ) {
    before = text;
    for (const pattern of hiddenMarkup)
      text = text.replace(pattern, found => {
        removed += [...found].length;
        return '';
      });
  }
  return { text: text.normalize('NFC'), removed };
}

/** The first character that a reader of a text does not see, and its line; null when there is none. */
export function findHiddenCharacter(
  text: string,
): { readonly line: number; readonly codePoint: string } | null {
  const [first] = hiddenCharactersIn(text);
  if (first === undefined) return null;
  const line = text.slice(0, first.index).split('\n').length;
  return { line, codePoint: nameOf(first.character) };
}

export interface CodeAround {
  /** Text in which a word may stand that another looks like, such as the whole file; default: the text itself. */
  readonly around?: string;
  /** True for a file that is read and not run: the places where its words may break are no disguise. */
  readonly prose?: boolean;
}

/** Why added lines may not be what they look like: characters that nobody sees, words that read as others. */
export function findTrojanSource(
  added: string,
  { around, prose = false }: CodeAround = {},
): readonly string[] {
  const text = prose ? added.replace(/(?<=\p{Ll})\u00ad(?=\p{Ll})/gu, '') : added;
  // a mark of the byte order stands in front of many files
  const hidden = hiddenCharactersIn(text.replace(/^\ufeff/, '')).map(h => h.character);
  const isDirection = (c: string) => /\p{Bidi_Control}/u.test(c);
  const direction = hidden.filter(isDirection);
  const unseen = hidden.filter(c => !isDirection(c));
  const alike = findLookAlike(text, around);
  return [
    ...(direction.length > 0 ? [`bidirectional control characters: ${namesOf(direction)}`] : []),
    ...(unseen.length > 0 ? [`invisible characters: ${namesOf(unseen)}`] : []),
    ...(alike === null ? [] : [`look-alike letters in ${alike.slice(0, 40)}`]),
  ];
}

function namesOf(characters: readonly string[]): string {
  const names = [...new Set(characters.map(nameOf))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
}
