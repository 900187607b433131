/** The headings and tables of a Markdown file by micromark, which none of Photon's rules share code with. */
import { parse, postprocess, preprocess } from 'micromark';
import { gfmTable } from 'micromark-extension-gfm-table';

export interface SeenHeading {
  /** Index of its first line. */
  readonly line: number;
  readonly level: number;
  /** As it is written, without its marks. */
  readonly text: string;
}

export interface Seen {
  /** Those that stand in no quote and no list. */
  readonly headings: readonly SeenHeading[];
  /** First lines of tables that stand in no quote and no list. */
  readonly tables: readonly number[];
}

const containers: ReadonlySet<string> = new Set(['blockQuote', 'listOrdered', 'listUnordered']);

/** Reads a Markdown body; front matter is the caller's to take away. */
export function seeMarkdown(markdown: string): Seen {
  const chunks = preprocess()(markdown, 'utf8', true);
  const events = postprocess(
    parse({ extensions: [gfmTable()] })
      .document()
      .write(chunks),
  );
  const headings: SeenHeading[] = [];
  const tables: number[] = [];
  let depth = 0;
  let open: { line: number; level: number; text: string } | null = null;
  for (const [kind, token, context] of events) {
    const type = String(token.type);
    if (containers.has(type)) depth += kind === 'enter' ? 1 : -1;
    if (depth > 0) continue;
    const line = token.start.line - 1;
    if (kind === 'enter' && type === 'table') tables.push(line);
    if (kind === 'enter' && /^(atx|setext)Heading$/.test(type)) open = { line, level: 0, text: '' };
    if (open === null || kind !== 'exit') continue;
    const text = context.sliceSerialize(token);
    if (type === 'atxHeadingSequence' && open.level === 0) open.level = text.length;
    if (type === 'setextHeadingLine') open.level = text.trim().startsWith('=') ? 1 : 2;
    if (type === 'atxHeadingText' || type === 'setextHeadingText') open.text = text;
    if (/^(atx|setext)Heading$/.test(type)) {
      headings.push(open);
      open = null;
    }
  }
  return { headings, tables };
}
