/** Which characters a reader does not see, by Unicode (UAX #31, UTS #51, UAX #9), and where writing needs them all the same. Pure. */

/** Letters and marks of a writing in which a joiner shapes the letters around it. */
const cursive =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Adlm}\\p{scx=Rohg}\\p{scx=Mand}]]';
/** Writings that have a virama, whose form a joiner chooses (UAX #31, contexts A2 and B). */
const indic =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}]]';
const virama =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca]';
/** Writings without spaces, where a zero-width one says that a line may break. */
const spaceless =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}]]';
const rightToLeft =
  '[\\p{L}&&[\\p{scx=Arab}\\p{scx=Hebr}\\p{scx=Syrc}\\p{scx=Thaa}\\p{scx=Nkoo}\\p{scx=Adlm}\\p{scx=Rohg}\\p{scx=Mand}]]';
const neutral = '[^\\p{L}\\p{N}\\p{Default_Ignorable_Code_Point}\\n]{0,8}';
const mark = '[\\u061c\\u200e\\u200f]';
const picture = '\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\p{Emoji_Modifier})?';

/** Each is one character too few to carry a message: what stands around it is seen. */
const needed: readonly string[] = [
  '\\p{RGI_Emoji_Tag_Sequence}',
  // families and professions; a selector of text or emoji style behind any picture
  `${picture}(?:\\u200d${picture})*`,
  '[0-9#*]\\ufe0f(?=\\u20e3)',
  // variants of ideographs in names, and of mathematical operators
  '\\p{Unified_Ideograph}[\\ufe00-\\ufe02\\u{e0100}-\\u{e010f}]',
  '[\\u2200-\\u22ff]\\ufe00',
  `(?<=${cursive})[\\u200c\\u200d](?=${cursive})`,
  // the abbreviation of the Hijri year
  '\\u0647\\u200d(?=[\\s.\\)])',
  `(?<=${virama})[\\u200c\\u200d]`,
  `(?<=${indic})\\u200d(?=${virama})`,
  '(?<=[\\p{L}&&\\p{scx=Mong}])[\\u180b-\\u180f]',
  `(?<=${spaceless})\\u200b(?=${spaceless})`,
  // a mark beside a word of its direction, never inside one
  `(?<=${rightToLeft}\\p{M}{0,4}${neutral})${mark}(?![\\p{L}\\p{M}\\p{N}])`,
  `(?<![\\p{L}\\p{M}\\p{N}]|${mark})${mark}(?=${neutral}${rightToLeft})`,
];

/** Invisible though not ignorable: the empty Braille pattern and the marks of annotations. */
const unseen = '[\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb]';
const control = '[\\u0000-\\u0008\\u000b\\u000e-\\u001f\\u007f-\\u009f]';

const ofText = new RegExp(`(${needed.join('|')})|${unseen}|${control}|\\u000c`, 'gv');
const ofCode = new RegExp(`(${needed.join('|')})|${unseen}|${control}|[\\u2028\\u2029]`, 'gv');
const ofResult = new RegExp(`(${needed.join('|')})|${unseen}+`, 'gv');

/** Takes hidden characters out, but for those that the writing around them needs. */
export function withoutHiddenCharacters(text: string): {
  readonly text: string;
  readonly removed: number;
} {
  let removed = 0;
  const visible = text.replace(ofText, (found: string, kept: string | undefined) => {
    if (kept !== undefined) return kept;
    removed += [...found].length;
    return '';
  });
  return { text: visible, removed };
}

/** The hidden characters of a text of code, with their places; a form feed is a mark of pages there. */
export function hiddenCharactersIn(
  text: string,
): readonly { readonly index: number; readonly character: string }[] {
  return [...text.matchAll(ofCode)].flatMap(found =>
    found[1] === undefined ? [{ index: found.index, character: found[0] }] : [],
  );
}

/** More in a row than this may spell something. */
const maxShown = 3;

/**
 * Text in which a few hidden characters are shown as `‹U+200B›` and a run of them as their number, so
 * that nothing can be told to the model that a person does not see. Control characters stay.
 */
export function showHiddenCharacters(text: string): {
  readonly text: string;
  readonly shown: number;
} {
  let shown = 0;
  const visible = text.replace(ofResult, (found: string, kept: string | undefined) => {
    if (kept !== undefined) return kept;
    const characters = [...found];
    shown += characters.length;
    return characters.length > maxShown
      ? `‹${characters.length} hidden characters›`
      : characters.map(c => `‹${nameOf(c)}›`).join('');
  });
  return { text: visible, shown };
}

/** `U+200B`. */
export function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}
