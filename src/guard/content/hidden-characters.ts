/** Finds characters that a reader cannot see, except where a script needs them (UAX #31, UTS #51, UAX #9). */

/** A character class of the given Unicode scripts, by their four-letter codes. */
const scripts = (codes: string) =>
  codes
    .split(' ')
    .map(code => `\\p{scx=${code}}`)
    .join('');
const lettersAndMarks = (codes: string) => `[[\\p{L}\\p{M}]&&[${scripts(codes)}]]`;

/** Scripts in which a joiner shapes the letters around it. */
const cursive = lettersAndMarks('Arab Syrc Nkoo Mong Adlm Rohg Mand');
/** Scripts with a virama, whose form a joiner selects (UAX #31, contexts A2 and B). */
const indic = lettersAndMarks('Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh');
const virama =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca]';
/** Scripts without spaces, where a zero-width space marks a possible line break. */
const spaceless = lettersAndMarks('Thai Laoo Khmr Mymr Tibt');
const rightToLeft = `[\\p{L}&&[${scripts('Arab Hebr Syrc Thaa Nkoo Adlm Rohg Mand')}]]`;
const neutral = '[^\\p{L}\\p{N}\\p{Default_Ignorable_Code_Point}\\n]{0,8}';
const mark = '[\\u061c\\u200e\\u200f]';
const picture = '\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\p{Emoji_Modifier})?';

/** Legitimate uses. Each allows one hidden character between visible ones, which cannot carry a message. */
const needed: readonly string[] = [
  '\\p{RGI_Emoji_Tag_Sequence}',
  // families and professions; a text or emoji style selector after a pictograph
  `${picture}(?:\\u200d${picture})*`,
  '[0-9#*]\\ufe0f(?=\\u20e3)',
  // variants of ideographs in names, then of mathematical operators
  '\\p{Unified_Ideograph}[\\ufe00-\\ufe02\\u{e0100}-\\u{e010f}]',
  '[\\u2200-\\u22ff]\\ufe00',
  `(?<=${cursive})[\\u200c\\u200d](?=${cursive})`,
  // the abbreviation for the Hijri year
  '\\u0647\\u200d(?=[\\s.\\)])',
  `(?<=${virama})[\\u200c\\u200d]`,
  `(?<=${indic})\\u200d(?=${virama})`,
  '(?<=[\\p{L}&&\\p{scx=Mong}])[\\u180b-\\u180f]',
  `(?<=${spaceless})\\u200b(?=${spaceless})`,
  // a direction mark next to a right-to-left word, never inside a word
  `(?<=${rightToLeft}\\p{M}{0,4}${neutral})${mark}(?![\\p{L}\\p{M}\\p{N}])`,
  `(?<![\\p{L}\\p{M}\\p{N}]|${mark})${mark}(?=${neutral}${rightToLeft})`,
];

/** Default-ignorable characters, the blank Braille pattern, and interlinear annotation marks. */
const unseen = '[\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb]';
const control = '[\\u0000-\\u0008\\u000b\\u000e-\\u001f\\u007f-\\u009f]';

/** The legitimate uses, or the given characters; made when it is first needed. */
function pattern(characters: string): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(`(${needed.join('|')})|${characters}`, 'gv');
    return made;
  };
}
const ofText = pattern(`${unseen}|${control}|\\u000c`);
const ofCode = pattern(`${unseen}|${control}|[\\u2028\\u2029]`);
const ofResult = pattern(`${unseen}+`);

/**
 * The characters that the patterns above could replace or report. The patterns take long to compile and to
 * match, and most texts hold none of these characters.
 */
const candidate = new RegExp(`${unseen}|${control}|[\\u000c\\u2028\\u2029]`, 'v');

/** Removes hidden characters, except those that the script around them needs. */
export function withoutHiddenCharacters(text: string): {
  readonly text: string;
  readonly removed: number;
} {
  if (!candidate.test(text)) return { text, removed: 0 };
  let removed = 0;
  const visible = text.replace(ofText(), (found: string, kept: string | undefined) => {
    if (kept !== undefined) return kept;
    removed += [...found].length;
    return '';
  });
  return { text: visible, removed };
}

/** The hidden characters in source code, with their positions; a form feed is allowed there. */
export function hiddenCharactersIn(
  text: string,
): readonly { readonly index: number; readonly character: string }[] {
  if (!candidate.test(text)) return [];
  return [...text.matchAll(ofCode())].flatMap(found =>
    found[1] === undefined ? [{ index: found.index, character: found[0] }] : [],
  );
}

/** A longer run could spell out a message. */
const maxShown = 3;

/**
 * Replaces a few hidden characters by `‹U+200B›` and a longer run by its length, so that no text reaches
 * the model that a person cannot see. Keeps control characters.
 */
export function showHiddenCharacters(text: string): {
  readonly text: string;
  readonly shown: number;
} {
  if (!candidate.test(text)) return { text, shown: 0 };
  let shown = 0;
  const visible = text.replace(ofResult(), (found: string, kept: string | undefined) => {
    if (kept !== undefined) return kept;
    const characters = [...found];
    shown += characters.length;
    return characters.length > maxShown
      ? `‹${characters.length} hidden characters›`
      : characters.map(c => `‹${formatCodePoint(c)}›`).join('');
  });
  return { text: visible, shown };
}

/** `U+200B`. */
export function formatCodePoint(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}
