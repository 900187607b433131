/** Where in the running text of a paragraph a reader does not see words as they are written. Pure. */

/** Longest construct that is looked for, and most places at which one is: it bounds the work. */
const longest = 20_000;
const maxPlaces = 1000;

const attribute = String.raw`\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`;
const title = String.raw`(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))`;
const address = String.raw`(?:<[^<>\n]*>|[^\s<>]+)`;

/** Constructs of CommonMark and of GitHub whose content is an attribute, an address or a formula. */
const hidden: readonly RegExp[] = [
  new RegExp(String.raw`<[A-Za-z][\w-]*(?:${attribute})*\s*/?>`, 'y'),
  // where a link leads, and the title that shows over it
  new RegExp(String.raw`\]\(\s*(?:${address})?(?:\s+${title})?\s*\)`, 'y'),
  new RegExp(String.raw`\]:\s*${address}(?:\s+${title})?`, 'y'),
  /\$\$[\s\S]*?\$\$/y,
  /\$(?![\s$])[^$]*?(?<![\s\\])\$(?![\w])/y,
];

/**
 * True when a place of a paragraph lies in a code span, a tag, an address or title of a link, or in
 * mathematics. It is read as GitHub shows it; where that is unsure, the place counts as hidden.
 */
export function isHiddenInline(paragraph: string, place: number): boolean {
  let at = 0;
  let places = 0;
  while (at < place) {
    if (/[`<\]$]/.test(paragraph[at] ?? '')) places += 1;
    if (places > maxPlaces) return true;
    const end = endOfConstruct(paragraph, at);
    if (end > place) return true;
    at = end;
  }
  return false;
}

/** Behind what begins at `at`: a construct, or one character. */
function endOfConstruct(text: string, at: number): number {
  const first = text[at];
  if (first === '\\') return at + 2;
  if (first === '`') return endOfCode(text, at);
  if (first !== '<' && first !== ']' && first !== '$') return at + 1;
  const near = text.slice(at, at + longest);
  for (const pattern of hidden) {
    pattern.lastIndex = 0;
    const found = pattern.exec(near);
    if (found !== null) return at + found[0].length;
  }
  return at + 1;
}

/** Behind a code span, or behind its marks when nothing closes them. */
function endOfCode(text: string, at: number): number {
  const mark = /`+/y;
  mark.lastIndex = at;
  const size = mark.exec(text)?.[0].length ?? 1;
  const close = new RegExp(`(?<!\`)\`{${size}}(?!\`)`, 'g');
  close.lastIndex = at + size;
  const found = close.exec(text);
  return found === null ? at + size : found.index + size;
}
