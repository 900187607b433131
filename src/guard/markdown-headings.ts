/** Where the headings of a Markdown file are, as CommonMark has it; nothing is rendered. */

export interface Heading {
  /** Index of its first line. */
  readonly line: number;
  /** 1 to 6. */
  readonly level: number;
  /** Its words, without marks. */
  readonly text: string;
}

export interface Headings {
  readonly headings: readonly Heading[];
  /** True when a code fence or an HTML block is still open at the end. */
  readonly open: boolean;
}

/** Ends of the HTML blocks that an empty line does not end. */
const htmlBlocks: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<(?:pre|script|style|textarea)(?:[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
];
const htmlTag =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|details|dialog|div|dl|dt|dd|fieldset|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|li|link|main|menu|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?:[\s/>]|$)/i;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const fenceMark = /^\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*(`{3,}(?=[^`]*$)|~{3,})/;

/** What a line is read in. */
interface Reader {
  /** The mark that a fence was opened with; empty outside of one. */
  fence: string;
  /** What ends the HTML block; null outside of one. */
  html: RegExp | null;
  inList: boolean;
  /** First line of the paragraph that may become a heading by the line under it; -1 for none. */
  paragraph: number;
}

/**
 * ATX and setext headings outside of front matter, code fences, HTML blocks and list items.
 * @param lines without their terminators.
 */
export function findHeadings(lines: readonly string[]): Headings {
  const headings: Heading[] = [];
  const reader: Reader = { fence: '', html: null, inList: false, paragraph: -1 };
  for (let i = bodyStart(lines); i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (isInBlock(reader, line) || opensBlock(reader, line)) {
      reader.paragraph = -1;
      continue;
    }
    const heading = headingAt(reader, lines, i);
    if (heading !== null) headings.push(heading);
    const goesOn = heading === null && isParagraph(reader, line);
    if (!goesOn) reader.paragraph = -1;
    else if (reader.paragraph < 0) reader.paragraph = i;
  }
  const open = reader.fence !== '' || (reader.html !== null && reader.html !== untilEmptyLine);
  return { headings, open };
}

/** The line after the front matter; 0 where there is none. */
export function bodyStart(lines: readonly string[]): number {
  if (!/^---\s*$/.test(lines[0] ?? '')) return 0;
  return lines.findIndex((l, i) => i > 0 && /^---\s*$/.test(l)) + 1;
}

function isInBlock(reader: Reader, line: string): boolean {
  if (reader.fence !== '') {
    const mark = /^\s*(?:>\s?)*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
    if (mark?.startsWith(reader.fence)) reader.fence = '';
    return true;
  }
  if (reader.html === null) return false;
  if (reader.html.test(line)) reader.html = null;
  return true;
}

function opensBlock(reader: Reader, line: string): boolean {
  const indented = /^(?: {4}|\t)/.test(line);
  if (listItem.test(line)) reader.inList = true;
  else if (line.trim() !== '' && !/^\s/.test(line)) reader.inList = false;
  const fence = fenceMark.exec(line)?.[1];
  if (fence !== undefined && (reader.inList || !indented)) {
    reader.fence = fence;
    return true;
  }
  const html = htmlBlocks.find(([start]) => start.test(line));
  if (html !== undefined) {
    // a block may end on the line that it began on
    if (!html[1].test(line.replace(/^\s*<!--/, ''))) reader.html = html[1];
    return true;
  }
  if (!htmlTag.test(line)) return false;
  reader.html = untilEmptyLine;
  return true;
}

const untilEmptyLine = /^\s*$/;

function headingAt(reader: Reader, lines: readonly string[], i: number): Heading | null {
  const line = lines[i] ?? '';
  if (reader.inList && /^\s/.test(line)) return null;
  const atx = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line);
  if (atx?.[1] !== undefined) return { line: i, level: atx[1].length, text: atx[2] ?? '' };
  const under = /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1];
  if (under === undefined || reader.paragraph < 0) return null;
  const text = lines
    .slice(reader.paragraph, i)
    .map(l => l.trim())
    .join(' ');
  return { line: reader.paragraph, level: under.startsWith('=') ? 1 : 2, text };
}

function isParagraph(reader: Reader, line: string): boolean {
  if (reader.inList || line.trim() === '' || /^\s*[|>]/.test(line)) return false;
  return reader.paragraph >= 0 || !/^(?: {4}|\t)/.test(line);
}
