/** Reads Markdown with micromark (CommonMark, and GFM for tables): the headings of a file, a text as a tree or as HTML. */
import { micromark, parse, postprocess, preprocess } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';

type Event = ReturnType<typeof postprocess>[number];

export interface Heading {
  /** Index of its first line. */
  readonly line: number;
  /** 1 to 6. */
  readonly level: number;
  /** The source text between the heading marks; several lines are joined by a space. */
  readonly text: string;
}

/**
 * Finds the headings of a file that are in no front matter, code, HTML block, quote or list.
 * @param lines without their terminators.
 */
export function findHeadings(lines: readonly string[]): readonly Heading[] {
  const found: Heading[] = [];
  let start = bodyStart(lines);
  let size = partLines;
  while (start < lines.length) {
    const end = nextTopLine(lines, start + size);
    const part = lines
      .slice(start, end + 1)
      .map(asOneLine)
      .join('\n');
    const headings = headingsIn(parseBlocks(part));
    // a part that ends inside of a block is read again with more lines
    const isWhole = end === lines.length || headings.at(-1)?.line === end - start;
    if (!isWhole) {
      size *= 2;
      continue;
    }
    const own = headings.filter(heading => start + heading.line < end);
    for (const heading of own) found.push({ ...heading, line: heading.line + start });
    start = end;
    size = partLines;
  }
  return found;
}

/** Markdown as HTML. Markup in the text is shown as text, and addresses that run something are left out. */
export function renderMarkdown(text: string): string {
  return micromark(text, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] });
}

/**
 * Longest text that is read with everything inside its blocks, which is the longest that GitHub takes, and most marks in it
 * of links, tables and tags: the time that some of them take grows with the square of their number.
 */
const [maxRead, maxReadMarks] = [66_000, 3_000];

/** The parts of a text as GitHub reads it, without emphasis; undefined for one that would take too long. */
export function readMarkdown(text: string): readonly Event[] | undefined {
  if (text.length > maxRead || (text.match(/[[<|]/g)?.length ?? 0) > maxReadMarks) return undefined;
  if (text.split(/\r\n?|\n/).some(line => asOneLine(line) !== line)) return undefined;
  const parser = parse({ extensions: [gfmTable(), { disable: { null: ['attention'] } }] });
  return postprocess(parser.document().write(preprocess()(text, undefined, true)));
}

/** A piece of Markdown: its type in micromark's words, and the pieces inside it. */
export interface MarkdownNode {
  readonly type: string;
  /** Its source; a list has none. */
  readonly text: () => string;
  /** Where it begins in its line, counted from 1. */
  readonly column: number;
  readonly children: readonly MarkdownNode[];
}

/** Most marks of emphasis that are paired: the time for that grows with the square of their number. */
const maxMarks = 1500;

/** A text as a tree. What hides text or refers to another place (HTML, quotes, definitions, entities) is text in it. */
export function parseMarkdown(text: string): readonly MarkdownNode[] {
  const left = ['blockQuote', 'characterReference', 'definition', 'htmlFlow', 'htmlText'];
  if ((text.match(/[*_]/g)?.length ?? 0) > maxMarks) left.push('attention');
  const parser = parse({ extensions: [gfmTable(), { disable: { null: left } }] });
  const lines = text.split(/\r\n?|\n/).map(asOneLine);
  const chunks = preprocess()(lines.join('\n'), undefined, true);
  const root: MarkdownNode[] = [];
  const open = [root];
  for (const [kind, token, context] of postprocess(parser.document().write(chunks))) {
    const children: MarkdownNode[] = [];
    const { type, start } = token;
    const node = {
      type,
      text: () => context.sliceSerialize(token),
      column: start.column,
      children,
    };
    if (kind === 'exit') open.pop();
    else {
      open.at(-1)?.push(node);
      open.push(children);
    }
  }
  return root;
}

/** A file is parsed in parts of this size, because the time that micromark takes for lists grows with its square. */
const partLines = 200;

/** The next line that ends every list and quote before it, if no fence or HTML block is open there. */
function nextTopLine(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++)
    if (lines[at - 1]?.trim() === '' && /^#{1,6}[ \t]+[^# \t]/.test(lines[at] ?? '')) return at;
  return lines.length;
}

/** True when a code fence or an HTML block is still open after the last line, so a heading there would be text. */
export function endsInsideBlock(lines: readonly string[]): boolean {
  const headings = findHeadings([...lines, '', '# Probe']);
  return headings.at(-1)?.line !== lines.length + 1;
}

/** Returns the index of the line after the front matter, or 0. */
export function bodyStart(lines: readonly string[]): number {
  if (!/^---\s*$/.test(lines[0] ?? '')) return 0;
  return lines.findIndex((l, i) => i > 0 && /^---\s*$/.test(l)) + 1;
}

/** Inline constructs cannot begin or end a block, so they are not parsed. */
const blocksOnly = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
};

function parseBlocks(markdown: string): readonly Event[] {
  const chunks = preprocess()(markdown, undefined, true);
  const parser = parse({ extensions: [gfmTable(), blocksOnly] });
  leaveUnresolved(parser.constructs.flow);
  return postprocess(parser.document().write(chunks));
}

/**
 * What these constructs do after they have matched is of use to a renderer alone, and works on the events of the
 * whole file each time: their number squared.
 */
const unresolved: ReadonlySet<string> = new Set(['setextUnderline', 'table']);

function leaveUnresolved(flow: ReturnType<typeof parse>['constructs']['flow']): void {
  for (const [first, given] of Object.entries(flow)) {
    const list = given === undefined ? [] : [given].flat();
    flow[first] = list.map(construct => {
      if (!unresolved.has(construct.name ?? '')) return construct;
      const { resolveTo: _to, resolveAll: _all, ...matching } = construct;
      return matching;
    });
  }
}

const containers: ReadonlySet<string> = new Set(['blockQuote', 'listOrdered', 'listUnordered']);
function headingsIn(events: readonly Event[]): readonly Heading[] {
  const headings: Heading[] = [];
  let depth = 0;
  let open: Heading = { line: 0, level: 0, text: '' };
  for (const [kind, token, context] of events) {
    if (containers.has(token.type)) depth += kind === 'enter' ? 1 : -1;
    if (depth > 0) continue;
    const line = token.start.line - 1;
    if (kind === 'enter') {
      if (token.type === 'atxHeading') open = { line, level: 0, text: '' };
      continue;
    }
    const source = () => context.sliceSerialize(token);
    if (token.type === 'atxHeadingText') open = { ...open, text: joinLines(source()) };
    else if (token.type === 'atxHeadingSequence' && open.level === 0)
      open = { ...open, level: source().length };
    else if (token.type === 'atxHeading') headings.push(open);
    // the text of an underlined heading is the paragraph above the line
    else if (token.type === 'paragraph') open = { line, level: 0, text: joinLines(source()) };
    else if (token.type === 'setextHeadingLine')
      headings.push({ ...open, level: source().trim().startsWith('=') ? 1 : 2 });
  }
  return headings;
}

function joinLines(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim())
    .join(' ');
}

/** The number of quotes and list items that one line may open. */
const maxContainers = 50;
const mark = String.raw`(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))`;
const deepLine = new RegExp(`^(?:[ \\t]*${mark}){${maxContainers}}(?=[ \\t]*${mark})`);
const thematicBreak = /^[ \t]*(?:(?:\*[ \t]*)+|(?:-[ \t]*)+)$/;

/**
 * Keeps a line one line for micromark, and makes container marks beyond `maxContainers` text: the time
 * that micromark takes grows with the square of their number.
 */
function asOneLine(line: string): string {
  const whole = line.replaceAll('\r', ' ');
  const marks = deepLine.exec(whole)?.[0];
  if (marks === undefined || thematicBreak.test(whole)) return whole;
  return `${marks}x${whole.slice(marks.length)}`;
}
