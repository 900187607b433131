/** read_code_block: reads ranges, symbols or the first pages of several files. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { plural } from '../base/plural.ts';
import { parseJson } from '../base/schema-issue.ts';
import type { Claim, LineRange } from '../guard/claim.ts';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { nearestPaths } from '../guard/nearest-names.ts';
import { normalisePath } from '../guard/paths.ts';
import { rangesByFile, showLines, withBoundedReads } from '../guard/read-lines.ts';
import { hashLines } from '../guard/seen-lines.ts';
import { type OutlineSymbols, renderOutline, renderSymbol } from '../navigation/listing.ts';
import { findSymbol } from '../navigation/lookup.ts';
import { parseAddress } from '../skills/skill.ts';
import { isOpen } from '../workspace/text/edits.ts';
import type { TextFile } from '../workspace/text/text-file.ts';
import { readViewForm } from './known-forms.ts';
import { filePattern, listFiles } from './list-project-files.ts';
import { findCallers } from './lookup.ts';
import { showSkillFile } from './skill-files.ts';
import { aside, defineTool, type ToolContext, withoutReason } from './tool.ts';

const request = z.strictObject({
  file_path: z.string().min(1).max(4096),
  symbol_name: z.string().min(1).max(300).optional(),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional().meta(aside('default: start_line')),
});

type Request = z.infer<typeof request>;

const maxRequests = 20;

const schema = z.strictObject({ requests: z.array(request).min(1).max(maxRequests) });

/** A request of its own is a list of one. */
function asRequests(args: object): object {
  return 'file_path' in args && !('requests' in args) ? { requests: [args] } : args;
}

export const readCodeBlock = defineTool({
  name: 'read_code_block',
  description: 'Read lines or symbols of files; a path alone gives its first page or outline.',
  core: true,
  step: 'read',
  schema,
  alternative: { schema: request, toArguments: asRequests, isOffered: true },
  readForm: readViewForm,
  claims: args => args.requests.map(makeClaim),
  problems: async args =>
    [
      ...args.requests.flatMap(findProblems),
      listOwners(args.requests).size > 1
        ? '/requests: read the files of a skill and those of the workspace in separate calls'
        : undefined,
    ].filter(item => item !== undefined),
  run: async (args, context) => {
    const parts: string[] = [];
    const events: EvidenceEvent[] = [];
    const requests = args.requests.filter(isNew);
    const bounded = boundedClaims(requests, context);
    const allowance = openAllowance(bounded, context);
    let left = context.policy.limits.output_bytes;
    for (const [i, r] of requests.entries()) {
      const maxBytes = Math.max(0, left);
      const range = rangeIn(bounded[i]);
      const block = await readOne(r, { context, allowance, maxBytes, range });
      left -= Buffer.byteLength(block.text);
      parts.push(block.text);
      if (block.event) events.push(block.event);
    }
    const [owner = ''] = listOwners(args.requests);
    return {
      text: parts.join('\n\n'),
      events,
      paths: args.requests.map(r => r.file_path),
      linesOnly: args.requests.every(r => r.start_line !== undefined),
      // the text of a skill leaves the conversation with it
      whileActive: owner === '' ? undefined : context.skills.getActivation(owner),
    };
  },
});

/** False for what another request of the call holds, too. */
function isNew(own: Request, at: number, all: readonly Request[]): boolean {
  const holds = (a: Request, b: Request) => {
    const [outer, inner] = [getRange(a), getRange(b)];
    if (outer === undefined || inner === undefined) return isDeepStrictEqual(a, b);
    const isInside = outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
    return a.file_path === b.file_path && isInside;
  };
  return !all.some((o, i) => i !== at && holds(o, own) && (i < at || !holds(own, o)));
}

/** The skills whose files are asked for; the empty name is the workspace. */
function listOwners(requests: readonly Request[]): ReadonlySet<string> {
  return new Set(requests.map(r => parseAddress(r.file_path)?.skill ?? ''));
}

/**
 * The arguments of one call that reads what these calls read; undefined when some of them are not valid, or
 * when one call cannot hold all of their requests.
 */
export function joinReads(argumentsTexts: readonly string[]): string | undefined {
  const requests: Request[] = [];
  for (const text of argumentsTexts) {
    const parsed = schema.safeParse(parseArguments(text));
    if (!parsed.success) return undefined;
    requests.push(...parsed.data.requests);
  }
  return requests.length > maxRequests || listOwners(requests).size > 1
    ? undefined
    : JSON.stringify({ requests });
}

function parseArguments(text: string): unknown {
  const args = withoutReason(parseJson(text));
  return typeof args === 'object' && args !== null ? asRequests(args) : args;
}

/** A claim on a workspace file or a skill file. */
function makeClaim(r: Request): Claim {
  const named = parseAddress(r.file_path);
  const range = getRange(r);
  if (named !== undefined) return { kind: 'skill-file', ...named, range };
  return { kind: 'read', path: r.file_path, range };
}

function getRange({ start_line: startLine, end_line: endLine = startLine }: Request) {
  return startLine === undefined || endLine === undefined ? undefined : { startLine, endLine };
}

function findProblems(r: Request, i: number): string[] {
  if (r.start_line === undefined)
    return r.end_line === undefined ? [] : [`/requests/${i}: end_line without start_line`];
  if (r.symbol_name !== undefined) return [`/requests/${i}: give symbol_name or lines, not both`];
  return (r.end_line ?? r.start_line) < r.start_line
    ? [`/requests/${i}: end_line is before start_line`]
    : [];
}

/** Cuts a read at the lines of a file that the round may still read: its last line, or less than `start`. */
type Allowance = (path: string, start: number, end: number) => number;

/** What the requests claim, with the lines that the round may still read: the same that the guard judged. */
function boundedClaims(
  requests: readonly Request[],
  { evidence, policy }: ToolContext,
): readonly Claim[] {
  return withBoundedReads(
    requests.map(makeClaim),
    evidence.readThisRound,
    policy.limits.read_lines,
  );
}

function rangeIn(claim: Claim | undefined): LineRange | undefined {
  return claim?.kind === 'read' || claim?.kind === 'skill-file' ? claim.range : undefined;
}

/** Lines that were read in this round and those that the call names by number come first. */
function openAllowance(claims: readonly Claim[], { evidence, policy }: ToolContext): Allowance {
  const named = rangesByFile(claims);
  const read = new Map<string, Set<number>>();
  const listReadLines = (path: string) => {
    const lines = read.get(path) ?? new Set(evidence.readThisRound.get(path));
    for (const { startLine, endLine } of read.has(path) ? [] : (named.get(path) ?? []))
      for (let line = startLine; line <= endLine; line++) lines.add(line);
    read.set(path, lines);
    return lines;
  };
  return (path, start, end) => {
    const lines = listReadLines(path);
    for (let line = start; line <= end; line++) {
      if (!lines.has(line) && lines.size >= policy.limits.read_lines) return line - 1;
      lines.add(line);
    }
    return end;
  };
}

interface BlockResult {
  readonly text: string;
  readonly event?: EvidenceEvent | undefined;
}

interface ReadContext {
  readonly context: ToolContext;
  readonly allowance: Allowance;
  readonly maxBytes: number;
  /** The lines that the request names, as far as the round may still read them. */
  readonly range: LineRange | undefined;
}

async function readOne(r: Request, reading: ReadContext): Promise<BlockResult> {
  const { context, maxBytes } = reading;
  if (parseAddress(r.file_path) !== undefined)
    return { text: await showSkillFile(r.file_path, reading.range, { context, maxBytes }) };
  const path = normalisePath(r.file_path) ?? r.file_path;
  const listed = await listInstead(path, context);
  if (listed !== undefined) return listed;
  const file = await context.session.text(path);
  if (file === undefined) return { text: await describeMissing(path, context) };
  const converted = (await context.session.conversions([path])).get(path);
  const stored = storedForm(converted, file);
  if (file === 'binary') return { text: `${path}: not a text file.${stored}` };
  const { lines } = file;
  const most = context.policy.limits.read_lines;
  const { plan } = context.evidence;
  const isHashed = plan === undefined || plan.affectedFiles.some(p => normalisePath(p) === path);
  const source: Source = {
    path,
    lines,
    open: isOpen(file),
    maxBytes,
    stored,
    most,
    isHashed,
  };
  if (r.start_line !== undefined) {
    const until = Math.min(r.end_line ?? r.start_line, lines.length);
    if (r.start_line > lines.length)
      return { text: `${path}: the file has only ${plural(lines.length, 'line')}.` };
    const end = Math.min(reading.range?.endLine ?? until, until);
    return show(source, { start: r.start_line, end, until });
  }
  const whole = lines.join('\n');
  const symbols = await context.symbols.listSymbols(path, whole);
  const found = { symbols, notParsed: context.symbols.notParsed(path, whole) };
  return r.symbol_name === undefined
    ? readPage(source, found, reading)
    : readSymbol(r.symbol_name, found, { source, reading });
}

/** Of a folder or a pattern, the names of its files; undefined for any other path. The text of no file is shown. */
async function listInstead(path: string, context: ToolContext): Promise<BlockResult | undefined> {
  const { kind } = await context.session.facts(path);
  const isFolder = path === '' || kind === 'folder';
  const isPattern = kind === 'missing' && /[*?]/.test(path) && filePattern(path) !== undefined;
  if (!isFolder && !isPattern) return undefined;
  const wanted = isFolder ? { folder: path } : { pattern: path };
  const { text, events = [] } = await listFiles(wanted, context, 'none');
  return { text: `${path || 'The root'} is no file. Its files:\n${text}`, event: events[0] };
}

/** That no tracked file has a path, and which ones resemble it. */
async function describeMissing(path: string, { session }: ToolContext): Promise<string> {
  const paths = (await session.files()).map(f => f.path);
  const nearest = nearestPaths(path, paths);
  const similar = nearest.length === 0 ? '' : ` Similar paths: ${nearest.join(', ')}.`;
  return `${path}: the file does not exist.${similar}`;
}

interface Source {
  readonly path: string;
  readonly lines: readonly string[];
  /** What the file is, when a checkout shows it in another form; else empty. */
  readonly stored: string;
  /** True when the last line has no newline. */
  readonly open: boolean;
  readonly maxBytes: number;
  /** Most lines of a file in a round. */
  readonly most: number;
  /** True where an edit may state the hash of the lines: the plan names the file, or no plan is there yet. */
  readonly isHashed: boolean;
}

const maxNamed = 20;

/** Most lines of a file that a path alone shows whole, though the run has seen its symbols. */
const maxWhole = 100;

/**
 * The first lines of a file, and the symbols of the rest. Of a long file whose symbols a listing or search has shown, the
 * outline: its symbols or lines are to be read (constitution §4.1).
 */
function readPage(
  source: Source,
  { symbols, notParsed }: OutlineSymbols,
  { allowance, context: { evidence, policy } }: ReadContext,
): BlockResult {
  const { path, lines } = source;
  const isLong = lines.length > maxWhole || policy.reads === 'strict';
  if (isLong && symbols.length > 0 && evidence.outlined.has(path))
    return {
      text: `${renderOutline(path, lines.length, { symbols, notParsed })}\n[read a symbol or lines of it]`,
    };
  const end = allowance(path, 1, lines.length);
  const page = show(source, { start: 1, end, until: lines.length });
  if (notParsed !== undefined) return { ...page, text: `${page.text}\nsymbols: ${notParsed}` };
  const after = symbols.filter(s => s.startLine > page.last).slice(0, maxNamed);
  if (after.length === 0) return page;
  return { ...page, text: `${page.text}\nafter it: ${after.map(renderSymbol).join(', ')}` };
}

async function readSymbol(
  name: string,
  found: OutlineSymbols,
  { source, reading }: { source: Source; reading: ReadContext },
): Promise<BlockResult> {
  const { context, allowance } = reading;
  const [symbol, ...others] = findSymbol(found.symbols, name);
  if (symbol === undefined) {
    return {
      text: `${source.path}: no symbol ${name}.\n${renderOutline(source.path, source.lines.length, found)}`,
    };
  }
  const { startLine, endLine } = symbol;
  const end = allowance(source.path, startLine, endLine);
  const shown = show(source, { start: startLine, end, until: endLine });
  const notes = [renderSymbol(symbol)];
  const callers = await findCallers(symbol, context);
  if (callers !== '') notes.push(`called by: ${callers}`);
  if (others.length > 0) notes.push(`also: ${others.map(renderSymbol).join(', ')}`);
  return { ...shown, text: `${notes.join('\n')}\n${shown.text}` };
}

const lfsPointer = 'version https://git-lfs.github.com/spec/';

/** A line about a pointer of Git LFS, or another file that git converts between commit and checkout; else empty. */
function storedForm(converted: string | undefined, file: TextFile | 'binary'): string {
  const isPointer = file !== 'binary' && file.lines[0]?.startsWith(lfsPointer) === true;
  const pointer = 'this is a pointer of Git LFS; the content is not here';
  if (converted === undefined) return isPointer ? `\n[${pointer}]` : '';
  const committed = 'this is what the commit holds; a checkout shows the file in another form';
  return `\n[${isPointer ? pointer : committed} (${converted}), and Photon cannot change this file]`;
}

/** The lines to show; `until` is the last line that was asked for. */
interface Extent {
  readonly start: number;
  readonly end: number;
  readonly until: number;
}

/** Why a read ends early, and how to go on. */
function whyCut({ most, maxBytes }: Source, byBytes: boolean): string {
  return byBytes
    ? `the result has no room for more than ${maxBytes.toLocaleString('en')} bytes of this, so read them in another call`
    : `a round shows ${most.toLocaleString('en')} lines of a file, so read them in another round`;
}

/** Numbered lines, and a short hash of them. Only the lines shown count as read. */
function show(
  source: Source,
  { start, end, until }: Extent,
): BlockResult & { readonly last: number } {
  const known = new Map<number, string>();
  const rows: string[] = [];
  let bytes = 0;
  for (let line = start; line <= end; line++) {
    const text = source.lines[line - 1] ?? '';
    bytes += Buffer.byteLength(text) + 8;
    if (bytes > source.maxBytes) break;
    known.set(line, text);
    // a blank line stands between two numbers
    rows.push(text === '' && line > start ? '' : `${line}\t${text}`);
  }
  const last = start + rows.length - 1;
  if (rows.at(-1) === '') rows.splice(-1, 1, `${last}\t`);
  const cut =
    last < until ? `\n[cut: L${last + 1}-${until} not shown; ${whyCut(source, last < end)}]` : '';
  const open = source.open && last === source.lines.length ? '\n[no newline at end of file]' : '';
  const hash = source.isHashed ? ` #${hashLines(known)}` : '';
  const total = source.lines.length;
  const extent = `${source.path} ${last < start ? 'no line' : `L${start}-${last}`} of ${total}`;
  return {
    text: `${extent}${hash}\n${rows.join('\n')}${cut}${open}${source.stored}`,
    event: showLines('read', source.path, known),
    last,
  };
}
