/** Where the headings of a Markdown file are, as CommonMark has it, with tables of GFM; nothing is rendered. */
import { type Around, containerAt, emptyLine, type LeafStart, leafAt } from './markdown-starts.ts';

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
  /** True when a code fence or an HTML block is still open at the end, so that a line behind it is no heading. */
  readonly open: boolean;
}

type Container =
  | { readonly kind: 'quote' }
  /** `bare`: nothing stood behind its mark, so that an empty line ends it. */
  | { readonly kind: 'item'; readonly width: number; bare: boolean };

type Leaf =
  | { readonly kind: 'none' | 'table' }
  | { readonly kind: 'paragraph'; readonly from: number; readonly lines: string[] }
  | { readonly kind: 'fence'; readonly mark: string }
  | { readonly kind: 'html'; readonly end: RegExp };

/** The blocks that are open, outermost first, and the one that they hold. */
interface Reader {
  containers: Container[];
  leaf: Leaf;
  readonly headings: Heading[];
}

/** A line, and where in it the containers end that it goes on with. */
interface Place {
  readonly index: number;
  readonly line: string;
  readonly at: number;
  /** How many containers it goes on with. */
  readonly depth: number;
}

/** Deeper nested, marks are text; it bounds the work for a line. */
const maxContainers = 100;

const none: Leaf = { kind: 'none' };

/**
 * ATX and setext headings outside of front matter, code, HTML blocks, quotes and list items.
 * @param lines without their terminators.
 */
export function findHeadings(lines: readonly string[]): Headings {
  const reader: Reader = { containers: [], leaf: none, headings: [] };
  for (let index = bodyStart(lines); index < lines.length; index++)
    readLine(reader, index, withoutTabs(lines[index] ?? ''));
  const { leaf, containers, headings } = reader;
  // a line that is in none of its containers ends whatever is open in them
  const inRaw = leaf.kind === 'fence' || (leaf.kind === 'html' && leaf.end !== emptyLine);
  return { headings, open: inRaw && containers.length === 0 };
}

/** The line after the front matter; 0 where there is none. */
export function bodyStart(lines: readonly string[]): number {
  if (!/^---\s*$/.test(lines[0] ?? '')) return 0;
  return lines.findIndex((l, i) => i > 0 && /^---\s*$/.test(l)) + 1;
}

/** Tabs are stops of four columns. */
function withoutTabs(line: string): string {
  let out = '';
  for (const [i, part] of line.split('\t').entries())
    out += i === 0 ? part : ' '.repeat(4 - (out.length % 4)) + part;
  return out;
}

function readLine(reader: Reader, index: number, line: string): void {
  const place = goOn(reader, index, line);
  const rest = line.slice(place.at);
  const whole = place.depth === reader.containers.length;
  if (whole && isInRaw(reader, rest)) return;
  const text = emptyLine.test(rest) ? place : openContainers(reader, place);
  if (!emptyLine.test(line.slice(text.at))) readText(reader, text);
  else endBlocks(reader, text.depth);
}

/** The containers that a line goes on with, outermost first. */
function goOn({ containers }: Reader, index: number, line: string): Place {
  let at = 0;
  let depth = 0;
  for (const container of containers) {
    const rest = line.slice(at);
    const width = container.kind === 'quote' ? quoteWidth(rest) : itemWidth(container, rest);
    if (width === null) break;
    at += width;
    depth += 1;
  }
  return { index, line, at, depth };
}

function quoteWidth(rest: string): number | null {
  return /^ {0,3}> ?/.exec(rest)?.[0].length ?? null;
}

function itemWidth(item: Extract<Container, { kind: 'item' }>, rest: string): number | null {
  const empty = emptyLine.test(rest);
  if (empty && item.bare) return null;
  if (!empty && !rest.startsWith(' '.repeat(item.width))) return null;
  item.bare = false;
  return Math.min(item.width, rest.length);
}

/** True when the line is one of a fence or an HTML block; it may be its last one. */
function isInRaw(reader: Reader, rest: string): boolean {
  const { leaf } = reader;
  if (leaf.kind === 'fence') {
    const mark = /^ {0,3}(`+|~+) *$/.exec(rest)?.[1];
    if (mark?.startsWith(leaf.mark)) reader.leaf = none;
    return true;
  }
  if (leaf.kind !== 'html') return false;
  if (leaf.end.test(rest)) reader.leaf = none;
  return true;
}

function openContainers(reader: Reader, place: Place): Place {
  let { at, depth } = place;
  while (depth < maxContainers) {
    const rest = place.line.slice(at);
    const around = aroundOf(reader, depth);
    // an underline makes a heading of the paragraph above it, even where it looks like a mark
    if (around.paragraph && isHeadingUnder(reader, leafAt(rest, around))) break;
    const start = containerAt(rest, around);
    if (start === null) break;
    endBlocks(reader, depth);
    at = Math.min(at + start.width, place.line.length);
    depth += 1;
    const bare = emptyLine.test(place.line.slice(at));
    reader.containers.push(
      start.kind === 'quote' ? { kind: 'quote' } : { kind: 'item', width: start.width, bare },
    );
  }
  return { ...place, at, depth };
}

function aroundOf({ leaf, containers }: Reader, depth: number): Around {
  const inside = depth === containers.length;
  const isText = leaf.kind === 'paragraph';
  return { paragraph: isText && inside, lazy: isText && !inside };
}

/** Ends the block at hand, and the containers that the line is not in. */
function endBlocks(reader: Reader, depth: number): void {
  reader.containers.length = depth;
  reader.leaf = none;
}

function readText(reader: Reader, { index, line, at, depth }: Place): void {
  const rest = line.slice(at);
  const around = aroundOf(reader, depth);
  const start = leafAt(rest, around);
  if (start !== null && (start.kind !== 'underline' || isHeadingUnder(reader, start))) {
    openLeaf(reader, { start, index, depth });
    return;
  }
  const { leaf } = reader;
  if (leaf.kind === 'paragraph') {
    const isTable = around.paragraph && isDelimiterRow(rest, leaf.lines.at(-1) ?? '');
    if (isTable) reader.leaf = { kind: 'table' };
    else if (start === null || around.lazy) leaf.lines.push(rest.trim());
    else endBlocks(reader, depth); // a break behind definitions
    return;
  }
  if (leaf.kind === 'table' && depth === reader.containers.length) return;
  endBlocks(reader, depth);
  const isCode = rest.startsWith('    ');
  if (!isCode) reader.leaf = { kind: 'paragraph', from: index, lines: [rest.trim()] };
}

interface Opening {
  readonly start: LeafStart;
  readonly index: number;
  readonly depth: number;
}

function openLeaf(reader: Reader, { start, index, depth }: Opening): void {
  const { leaf, headings } = reader;
  endBlocks(reader, depth);
  const add = (heading: Heading) => {
    if (depth === 0) headings.push(heading);
  };
  if (start.kind === 'heading') add({ line: index, level: start.level, text: start.text });
  else if (start.kind === 'fence') reader.leaf = start;
  else if (start.kind === 'html' && start.end !== null) reader.leaf = { ...start, end: start.end };
  else if (start.kind === 'underline' && leaf.kind === 'paragraph') {
    const skipped = definitionLines(leaf.lines);
    const text = leaf.lines.slice(skipped).join(' ');
    add({ line: leaf.from + skipped, level: start.level, text });
  }
}

/** True for an underline, unless all that stands above it are definitions of links. */
function isHeadingUnder({ leaf }: Reader, start: LeafStart | null): boolean {
  if (start?.kind !== 'underline' || leaf.kind !== 'paragraph') return false;
  return definitionLines(leaf.lines) < leaf.lines.length;
}

const definition =
  /^\[(?:[^\]\\[]|\\.)+\]: *(?:<[^<>]*>|[^ <]\S*)(?: +(?:"[^"]*"|'[^']*'|\([^()]*\)))? *$/;

/** How many lines at the start of a paragraph are definitions of links, those of one line each. */
function definitionLines(lines: readonly string[]): number {
  const first = lines.findIndex(l => !definition.test(l));
  return first < 0 ? lines.length : first;
}

/** The line under the head of a table (GFM): as many columns as the head. */
function isDelimiterRow(line: string, head: string): boolean {
  const row = line.trim();
  if (!/^\|? *:?-+:? *(?:\| *:?-+:? *)*\|?$/.test(row) || !/[|:]/.test(row)) return false;
  return columns(row) === columns(head);
}

function columns(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).length;
}
