/** Finds the headings of a Markdown file with micromark (CommonMark, and GFM for tables). Renders nothing. */
import type { postprocess } from 'micromark';

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
export async function findHeadings(lines: readonly string[]): Promise<readonly Heading[]> {
  const from = bodyStart(lines);
  const body = lines.slice(from).map(asOneLine).join('\n');
  const headings = headingsIn(await parseBlocks(body));
  return headings.map(heading => ({ ...heading, line: heading.line + from }));
}

/** True when a code fence or an HTML block is still open after the last line, so a heading there would be text. */
export async function endsInsideBlock(lines: readonly string[]): Promise<boolean> {
  const headings = await findHeadings([...lines, '', '# Probe']);
  return headings.at(-1)?.line !== lines.length + 1;
}

/** Returns the index of the line after the front matter, or 0 when there is none. */
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

/** Loads micromark at the first call: most runs never need it. */
async function parseBlocks(markdown: string): Promise<readonly Event[]> {
  const [{ parse, postprocess, preprocess }, { gfmTable }] = await Promise.all([
    import('micromark'),
    import('micromark-extension-gfm-table'),
  ]);
  const chunks = preprocess()(markdown, undefined, true);
  const parser = parse({ extensions: [gfmTable(), blocksOnly] });
  return postprocess(parser.document().write(chunks));
}

const containers: ReadonlySet<string> = new Set(['blockQuote', 'listOrdered', 'listUnordered']);
const headingTypes: ReadonlySet<string> = new Set(['atxHeading', 'setextHeading']);
const textTypes: ReadonlySet<string> = new Set(['atxHeadingText', 'setextHeadingText']);

function headingsIn(events: readonly Event[]): readonly Heading[] {
  const headings: Heading[] = [];
  let depth = 0;
  let open: Heading | null = null;
  for (const [kind, token, context] of events) {
    if (containers.has(token.type)) depth += kind === 'enter' ? 1 : -1;
    if (depth > 0) continue;
    const line = token.start.line - 1;
    if (kind === 'enter' && headingTypes.has(token.type)) open = { line, level: 0, text: '' };
    if (open === null || kind === 'enter') continue;
    const source = context.sliceSerialize(token);
    // the token of an underlined heading also spans the link definitions above its text
    if (textTypes.has(token.type)) open = { ...open, line, text: joinLines(source) };
    else if (token.type === 'atxHeadingSequence' && open.level === 0)
      open = { ...open, level: source.length };
    else if (token.type === 'setextHeadingLine')
      open = { ...open, level: source.trim().startsWith('=') ? 1 : 2 };
    else if (headingTypes.has(token.type)) {
      headings.push(open);
      open = null;
    }
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
