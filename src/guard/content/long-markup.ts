/** Finds what a page may not show of a text that takes too long to parse. Code in it counts as markup, too. */

/** A part of a text in micromark's words. */
export interface Piece {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** Nobody sees it, whatever it is. */
  readonly isHidden: boolean;
  /** What is hidden in it; counted from its start. */
  readonly inner?: readonly Piece[] | undefined;
}

/** A line of a diagram that draws nothing. */
export const isRemark = /^[\s>]*%%/;

/** A character by its name or number. */
export const entity = /&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z][a-z\d]{1,31};)/gi;

/** A tag as CommonMark defines it, whose values may hold a slash. */
export const commonTag =
  /<[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/gi;

/** Marks of quotes and lists before a block. */
const container = String.raw`(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*`;
const titleText = String.raw`(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^()\\])*\))`;

/** What no page shows: the group `hidden`, or the whole where there is none. */
const hiddenForms: readonly RegExp[] = [
  // alternative texts, titles, and words in the place of an address
  /!\[(?<hidden>(?:\\.|[^[\]\\]|\[[^[\]]*\]){1,1000})\]/g,
  new RegExp(
    String.raw`(?<=\])\(\s*(?:<[^<>\n]*>|(?=(?<run>\S{0,2000}))\k<run>)(?<hidden>\s+${titleText})\s*\)`,
    'g',
  ),
  /(?<=\])\(\s*<(?<hidden>[^<>\n]*\s[^<>\n]*)>/g,
  // the words behind the language of a fence
  new RegExp(
    `^${container}(?:\`{3,}(?!\`)(?=[^\`\\n]*$)|~{3,}(?!~))[ \\t]*\\S+(?<hidden>[ \\t][^\\n]*)$`,
    'gm',
  ),
  // definitions that serve as comments, or whose labels hold words, and the titles of the others
  new RegExp(`^${container}\\[[^\\[\\]\\n^]*\\s[^\\[\\]\\n]*\\]:[^\\n]*$`, 'gm'),
  new RegExp(
    String.raw`^${container}\[[^\[\]\n]+\]:[ \t]*(?:#|<>|\/\/)(?:\s+${titleText})?[ \t]*$`,
    'gm',
  ),
  new RegExp(
    String.raw`^${container}\[[^\[\]\n]+\]:[ \t]*(?:\n[ \t>]*)?\S+(?<hidden>(?:[ \t]+|[ \t]*\n[ \t>]*)${titleText})[ \t]*$`,
    'gm',
  ),
];

const footnote =
  /^ {0,3}\[\^(?<name>[^\]\s]+)\]:[^\n]*(?:\n(?![ \t]*(?:$|[#>`~<]|[-*+] |\d+[.)] )| {0,3}\[\^)[^\n]+|(?:\n[ \t]*)+\n {4}[^\n]*)*/gm;

/** The footnotes that nothing refers to, which a page leaves out. */
export function findFootnotes(source: string): readonly Piece[] {
  if (!source.includes('[^')) return [];
  const used = new Set(
    [...source.matchAll(/\[\^([^\]\s]+)\](?!:)/g)].map(([, name = '']) => name.toLowerCase()),
  );
  return [...source.matchAll(footnote)]
    .filter(({ groups }) => !used.has((groups?.name ?? '').toLowerCase()))
    .map(({ index: start, 0: text }) => hiddenPiece('footnote', start, start + text.length));
}

const hiddenPiece = (type: string, start: number, end: number): Piece => ({
  type,
  start,
  end,
  isHidden: true,
});

/** The whole text as HTML, with what Markdown hides in it. */
export function findMarkup(source: string): readonly Piece[] {
  const remarks = /^[ >\t]*(?:`{3,}|~{3,})[ \t]*mermaid\b/im.test(source)
    ? [/^[\s>]*%%[^\n]*$/gm]
    : [];
  const hidden = [...hiddenForms, ...remarks].flatMap(form =>
    [...source.matchAll(form)].map(({ index, 0: whole, groups }) => {
      const part = groups?.hidden ?? whole;
      const start = index + whole.lastIndexOf(part);
      return hiddenPiece('words', start, start + part.length);
    }),
  );
  const inner = [...findFootnotes(source), ...hidden];
  return [{ type: 'htmlFlow', start: 0, end: source.length, isHidden: false, inner }];
}
