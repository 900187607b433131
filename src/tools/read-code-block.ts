/** read_code_block: reads ranges or symbols of several files; a path alone returns the outline of the file. */
import * as z from 'zod';
import type { Claim, LineRange } from '../guard/claim.ts';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { normalisePath } from '../guard/paths.ts';
import { digest } from '../ledger/ledger.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { findSymbol, renderSymbol } from '../navigation/format.ts';
import { renderOutline } from '../navigation/outline.ts';
import { parseAddress } from '../skills/skill.ts';
import { showSkillFile } from './skill-files.ts';
import { defineTool, type ToolContext } from './tool.ts';

const request = z.strictObject({
  file_path: z.string().min(1).max(4096),
  symbol_name: z.string().min(1).max(300).optional(),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional().describe('default: start_line'),
});

type Request = z.infer<typeof request>;

export const readCodeBlock = defineTool({
  name: 'read_code_block',
  description: 'Read several ranges or symbols in one call. A path alone returns its outline.',
  core: true,
  step: 'read',
  schema: z.strictObject({ requests: z.array(request).min(1).max(20) }),
  claims: args => args.requests.map(claimOf),
  problems: async args => args.requests.flatMap(problemsOf),
  run: async (args, context) => {
    const parts: string[] = [];
    const events: EvidenceEvent[] = [];
    let left = context.policy.limits.output_bytes;
    for (const r of args.requests) {
      const block = await readOne(r, context, Math.max(0, left));
      left -= Buffer.byteLength(block.text);
      parts.push(block.text);
      if (block.event) events.push(block.event);
    }
    return { text: parts.join('\n\n'), events, paths: args.requests.map(r => r.file_path) };
  },
});

/** A claim on a workspace file or a skill file; for a skill file, a path alone means its first lines. */
function claimOf(r: Request): Claim {
  const named = parseAddress(r.file_path);
  if (named !== null) return { kind: 'skill-file', ...named, range: skillRange(r) };
  return { kind: 'read', path: r.file_path, ...rangeOf(r), ...symbolOf(r) };
}

const maxSkillLines = 500;

function skillRange(r: Request): LineRange {
  const startLine = r.start_line ?? 1;
  const whole = r.start_line === undefined ? maxSkillLines : startLine;
  return { startLine, endLine: r.end_line ?? whole };
}

function rangeOf(r: Request) {
  if (r.start_line === undefined) return {};
  return { range: { startLine: r.start_line, endLine: r.end_line ?? r.start_line } };
}

function symbolOf(r: Request) {
  return r.symbol_name === undefined ? {} : { symbol: r.symbol_name };
}

function problemsOf(r: Request, i: number): string[] {
  if (r.start_line === undefined)
    return r.end_line === undefined ? [] : [`/requests/${i}: end_line without start_line`];
  if (r.symbol_name !== undefined) return [`/requests/${i}: give symbol_name or lines, not both`];
  return (r.end_line ?? r.start_line) < r.start_line
    ? [`/requests/${i}: end_line is before start_line`]
    : [];
}

interface BlockResult {
  readonly text: string;
  readonly event?: EvidenceEvent;
}

async function readOne(r: Request, context: ToolContext, maxBytes: number): Promise<BlockResult> {
  if (parseAddress(r.file_path) !== null)
    return { text: await showSkillFile(r.file_path, skillRange(r), { context, maxBytes }) };
  const path = normalisePath(r.file_path) ?? r.file_path;
  const file = await context.session.text(path);
  if (file === null) return { text: `${path}: the file does not exist.` };
  if (file === 'binary') return { text: `${path}: not a text file.` };
  const text = file.lines.join('\n');
  const symbols = await context.symbols.symbolsOf(path, text);
  const source: Source = { path, lines: file.lines, maxBytes };
  if (r.symbol_name !== undefined) return readSymbol(r.symbol_name, symbols, { source, context });
  if (r.start_line !== undefined) {
    const end = Math.min(r.end_line ?? r.start_line, file.lines.length);
    if (r.start_line > file.lines.length)
      return { text: `${path}: the file has only ${file.lines.length} lines.` };
    return show(source, r.start_line, end);
  }
  return { text: renderOutline(path, file.lines.length, symbols) };
}

interface Source {
  readonly path: string;
  readonly lines: readonly string[];
  readonly maxBytes: number;
}

async function readSymbol(
  name: string,
  symbols: readonly CodeSymbol[],
  { source, context }: { source: Source; context: ToolContext },
): Promise<BlockResult> {
  const [symbol, ...others] = findSymbol(symbols, name);
  if (symbol === undefined) {
    return {
      text: `${source.path}: no symbol ${name}.\n${renderOutline(source.path, source.lines.length, symbols)}`,
    };
  }
  const end = Math.min(symbol.endLine, symbol.startLine + context.policy.limits.read_lines - 1);
  const shown = show(source, symbol.startLine, end);
  const notes = [renderSymbol(symbol)];
  const calls = await context.symbols.callsOf(source.path, source.lines.join('\n'), symbol);
  if (calls.length > 0) notes.push(`calls: ${calls.slice(0, 20).join(', ')}`);
  const callers = await callersOf(symbol, context);
  if (callers.length > 0) notes.push(`called by: ${callers.join(', ')}`);
  if (others.length > 0) notes.push(`also: ${others.map(renderSymbol).join(', ')}`);
  return { ...shown, text: `${notes.join('\n')}\n${shown.text}` };
}

/** At most ten lines where the name is followed by a parenthesis. */
async function callersOf(symbol: CodeSymbol, context: ToolContext): Promise<readonly string[]> {
  if (!/^[\w$]+$/.test(symbol.name)) return [];
  const { hits } = await context.session.grep({
    patterns: [`${symbol.name}(`],
    folder: '',
    fixed: true,
    ignoreCase: false,
  });
  return hits
    .filter(h => !(h.line === symbol.startLine))
    .slice(0, 10)
    .map(h => `${h.path}:L${h.line}`);
}

/** Numbered lines with a short digest. Only the lines shown count as read. */
function show(source: Source, start: number, end: number): BlockResult {
  const known = new Map<number, string>();
  const rows: string[] = [];
  let bytes = 0;
  for (let line = start; line <= end; line++) {
    const text = source.lines[line - 1] ?? '';
    bytes += Buffer.byteLength(text) + 8;
    if (bytes > source.maxBytes) break;
    known.set(line, text);
    rows.push(`${line}\t${text}`);
  }
  const last = start + rows.length - 1;
  const cut = last < end ? `\n[cut: L${last + 1}-${end} not shown; read them in another call]` : '';
  const hash = digest(rows.join('\n')).slice(0, 8);
  const head = `${source.path} L${start}-${Math.max(start, last)} of ${source.lines.length} #${hash}`;
  return {
    text: `${head}\n${rows.join('\n')}${cut}`,
    event: { kind: 'read', path: source.path, lines: known },
  };
}
