/** Which parts of a paragraph GitHub does not show as they are written. Pure. */

/** Longest construct that is recognised, in characters, and maximum number of them: they limit the work. */
const maxLength = 20_000;
const maxConstructs = 1000;

const attribute = String.raw`\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`;
const title = String.raw`(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))`;
const address = String.raw`(?:<[^<>\n]*>|[^\s<>]+)`;

/** Constructs of CommonMark and GitHub that hold attributes, addresses or formulas. */
const hidden: readonly RegExp[] = [
  new RegExp(String.raw`<[A-Za-z][\w-]*(?:${attribute})*\s*/?>`, 'y'),
  // the address and the title of a link
  new RegExp(String.raw`\]\(\s*(?:${address})?(?:\s+${title})?\s*\)`, 'y'),
  new RegExp(String.raw`\]:\s*${address}(?:\s+${title})?`, 'y'),
  /\$\$[\s\S]*?\$\$/y,
  /\$(?![\s$])[^$]*?(?<![\s\\])\$(?![\w])/y,
];

/**
 * True when an offset of a paragraph lies in a code span, a tag, the address or title of a link, or a
 * formula. If it is uncertain how GitHub shows the text, the offset counts as hidden.
 */
export function isHiddenInline(paragraph: string, offset: number): boolean {
  let at = 0;
  let constructs = 0;
  while (at < offset) {
    if (/[`<\]$]/.test(paragraph[at] ?? '')) constructs += 1;
    if (constructs > maxConstructs) return true;
    const end = endOfConstruct(paragraph, at);
    if (end > offset) return true;
    at = end;
  }
  return false;
}

/** The offset behind the construct, or the character, that begins at `at`. */
function endOfConstruct(text: string, at: number): number {
  const first = text[at];
  if (first === '\\') return at + 2;
  if (first === '`') return endOfCode(text, at);
  if (first !== '<' && first !== ']' && first !== '$') return at + 1;
  const near = text.slice(at, at + maxLength);
  for (const pattern of hidden) {
    pattern.lastIndex = 0;
    const found = pattern.exec(near);
    if (found !== null) return at + found[0].length;
  }
  return at + 1;
}

/** The offset behind a code span, or behind its opening marks when nothing closes them. */
function endOfCode(text: string, at: number): number {
  const mark = /`+/y;
  mark.lastIndex = at;
  const size = mark.exec(text)?.[0].length ?? 1;
  const close = new RegExp(`(?<!\`)\`{${size}}(?!\`)`, 'g');
  close.lastIndex = at + size;
  const found = close.exec(text);
  return found === null ? at + size : found.index + size;
}
