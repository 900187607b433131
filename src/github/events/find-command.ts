/** The words of a comment ► the command in it, as GitHub would show them to a reader. Pure. */
import { isHiddenInline } from './hidden-inline.ts';

/** A verb as written (lower case), not yet known to exist, and the words behind it. */
export interface FoundCommand {
  readonly verb: string;
  readonly words: string;
}

/** Blocks that a reader does not see as running text: how each begins and what ends it. */
const hiddenBlocks: readonly (readonly [RegExp, RegExp])[] = [
  [/<!--/, /--!?>/],
  [/<\?/, /\?>/],
  [/<!\[CDATA\[/, /\]\]>/],
  [/<![A-Za-z]/, />/],
  // a formula on lines of its own
  [/^ {0,3}\$\$/, /\$\$/],
  [/^ {0,3}<(?:pre|script|style|textarea)(?=[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  // the tags of a page, up to an empty line
  [
    /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s>]|\/>|$)/i,
    /^\s*$/,
  ],
];

const fenceStart = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const quoted = /^ {0,3}>/;
const max = 100_000;

/**
 * The first `/photon` at the very start of a line that is running text: not in a fence, indented
 * code, an HTML comment or block, or a quote (whose paragraph goes on until a blank line), nor in a formula, a
 * code span, a tag, or the address or title of a link. Its words
 * go on to the end of the comment. Null when there is none.
 */
export function findCommand(body: string): FoundCommand | null {
  const lines = body.slice(0, max).replace(/\r\n?/g, '\n').split('\n');
  const reader = { fence: '', until: null as RegExp | null, quote: false };
  for (const [i, line] of lines.entries()) {
    if (!isRunningText(line, reader)) continue;
    const found = /^\/photon(?:[ \t]+(\S+))?(?:[ \t]+(.*))?[ \t]*$/.exec(line);
    if (found === null || isHiddenInline(...paragraphAround(lines, i))) continue;
    const rest = lines.slice(i + 1).join('\n');
    return {
      verb: (found[1] ?? 'help').toLowerCase(),
      words: `${found[2] ?? ''}\n${rest}`.trim(),
    };
  }
  return null;
}

/** The lines up to the next empty ones, and where in them a line begins. */
function paragraphAround(lines: readonly string[], index: number): [string, number] {
  const isEnd = (line: string | undefined) => line === undefined || line.trim() === '';
  let [from, to] = [index, index];
  while (!isEnd(lines[from - 1])) from -= 1;
  while (!isEnd(lines[to + 1])) to += 1;
  const before = lines.slice(from, index).map(line => `${line}\n`);
  const text = lines.slice(from, to + 1).join('\n');
  return [text, before.join('').length];
}

interface Reader {
  /** The fence that is open; empty outside. */
  fence: string;
  /** What ends the hidden block that is open. */
  until: RegExp | null;
  /** True while a paragraph of a quote may go on. */
  quote: boolean;
}

/** True when the line begins as running text; the reader moves past it. */
function isRunningText(line: string, reader: Reader): boolean {
  if (reader.fence !== '') {
    const end = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? '';
    if (end.startsWith(reader.fence)) reader.fence = '';
    return false;
  }
  if (reader.until !== null) {
    if (reader.until.test(line)) reader.until = null;
    return false;
  }
  const fence = fenceStart.exec(line)?.[1];
  if (fence !== undefined) {
    reader.fence = fence;
    reader.quote = false;
    return false;
  }
  reader.until = openedBlock(line);
  if (quoted.test(line)) {
    // a fence or a heading in a quote has no paragraph that could go on
    reader.quote = !/^ {0,3}>[ >]*(?:$|`{3,}|~{3,}|#{1,6} )/.test(line);
    return false;
  }
  reader.quote = reader.quote && line.trim() !== '';
  return !reader.quote;
}

/** What must come to end a hidden block that this line opens and does not end itself. */
function openedBlock(line: string): RegExp | null {
  for (const [start, end] of hiddenBlocks) {
    let rest = line;
    for (;;) {
      const opened = start.exec(rest);
      if (opened === null) break;
      rest = rest.slice(opened.index + opened[0].length);
      const closed = end.exec(rest);
      if (closed === null) return end;
      rest = rest.slice(closed.index + closed[0].length);
    }
  }
  return null;
}
