/** What a line of Markdown can begin: the marks of CommonMark's blocks, each looked at by itself. Pure. */

/** A quote or a list item begins. */
export interface ContainerStart {
  readonly kind: 'quote' | 'item';
  /** Columns up to its content, from where the line was looked at. */
  readonly width: number;
}

/** A block begins that holds no others. */
export type LeafStart =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'underline'; readonly level: 1 | 2 }
  | { readonly kind: 'fence'; readonly mark: string }
  /** `end` is null when it ends on the same line. */
  | { readonly kind: 'html'; readonly end: RegExp | null }
  | { readonly kind: 'break' };

/** Whether the line could go on with a paragraph: its own, or one in a container that the line is not in. */
export interface Around {
  readonly paragraph: boolean;
  readonly lazy: boolean;
}

/** Ends the HTML blocks that have no end of their own. */
export const emptyLine = /^ *$/;

const rawHtml: readonly (readonly [RegExp, RegExp])[] = [
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<(?:pre|script|style|textarea)(?:[ >]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
];
const blockNames = [
  ...['address', 'article', 'aside', 'base', 'basefont', 'blockquote', 'body', 'caption', 'center'],
  ...['col', 'colgroup', 'dd', 'details', 'dialog', 'dir', 'div', 'dl', 'dt', 'fieldset'],
  ...['figcaption', 'figure', 'footer', 'form', 'frame', 'frameset', 'h1', 'h2', 'h3', 'h4', 'h5'],
  ...['h6', 'head', 'header', 'hr', 'html', 'iframe', 'legend', 'li', 'link', 'main', 'menu'],
  ...['menuitem', 'nav', 'noframes', 'ol', 'optgroup', 'option', 'p', 'param', 'search', 'section'],
  ...['summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'title', 'tr', 'track', 'ul'],
];
const blockTag = new RegExp(`^</?(?:${blockNames.join('|')})(?: |/?>|$)`, 'i');
const attribute = / +[A-Za-z_:][\w.:-]*(?: *= *(?:[^ "'=<>`]+|'[^']*'|"[^"]*"))?/;
const loneTag = new RegExp(
  `^(?:<[A-Za-z][A-Za-z0-9-]*(?:${attribute.source})* */?>|</[A-Za-z][A-Za-z0-9-]* *>) *$`,
);
/** A line longer than this is no tag alone; it bounds what the pattern above looks at. */
const longestTag = 2000;

/**
 * The quote or list item that a line begins.
 * @param line from where the containers around it end; tabs are spaces by now.
 */
export function containerAt(line: string, { paragraph }: Around): ContainerStart | null {
  const [, space = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? [];
  if (space.length > 3 || isBreak(rest)) return null;
  if (rest.startsWith('>'))
    return { kind: 'quote', width: space.length + (rest[1] === ' ' ? 2 : 1) };
  const [, mark = '', gap = '', content = ''] = /^([-*+]|\d{1,9}[.)])( +|$)(.*)$/s.exec(rest) ?? [];
  if (mark === '') return null;
  const interrupts = content !== '' && /^(?:[-*+]|1[.)])$/.test(mark);
  if (paragraph && !interrupts) return null;
  // more than four are code inside the item
  const padding = content === '' || gap.length > 4 ? 1 : gap.length;
  return { kind: 'item', width: space.length + mark.length + padding };
}

/**
 * The block that a line begins, when it is neither text nor indented code.
 * @param line from where the containers around it end; tabs are spaces by now.
 */
export function leafAt(line: string, around: Around): LeafStart | null {
  const rest = trimmed(line);
  if (/^ {4}/.test(line)) return null;
  const atx = /^(#{1,6})(?: +(.*))?$/s.exec(rest);
  if (atx !== null)
    return { kind: 'heading', level: atx[1]?.length ?? 0, text: withoutClosing(atx[2] ?? '') };
  const mark = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(rest)?.[1];
  if (mark !== undefined) return { kind: 'fence', mark };
  const html = htmlAt(rest, around);
  if (html !== null) return html;
  const under = /^(?:=+|-+)$/.test(rest);
  if (under && around.paragraph) return { kind: 'underline', level: rest.startsWith('=') ? 1 : 2 };
  return isBreak(rest) ? { kind: 'break' } : null;
}

function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  // marks behind a word are part of it
  return end === 0 || text[end - 1] === ' ' ? trimmed(text.slice(0, end)) : text;
}

/** Without spaces at both ends, in time that grows with the line alone. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === ' ') from += 1;
  while (to > from && text[to - 1] === ' ') to -= 1;
  return text.slice(from, to);
}

function htmlAt(rest: string, { paragraph, lazy }: Around): LeafStart | null {
  if (!rest.startsWith('<')) return null;
  const raw = rawHtml.find(([start]) => start.test(rest))?.[1];
  if (raw !== undefined) return { kind: 'html', end: raw.test(rest) ? null : raw };
  const lone = !paragraph && !lazy && rest.length < longestTag && loneTag.test(rest);
  return lone || blockTag.test(rest) ? { kind: 'html', end: emptyLine } : null;
}

function isBreak(rest: string): boolean {
  return /^(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(rest);
}
