/** Plays a known fix through the tools, as a model would that made no mistake: what the rules refuse it, they refuse every model. */
import { literalPattern } from '../base/path-patterns.ts';
import { sum } from '../base/plural.ts';
import type { Model, ModelRequest, Turn } from '../model/turn.ts';
import type { FileChange, FileState } from '../workspace/files/change.ts';
import { compareLines } from '../workspace/text/compare-lines.ts';
import { countLines } from '../workspace/text/diff.ts';
import { applyEdits, isOpen, replaceContent } from '../workspace/text/edits.ts';
import { decodeText, parseTextFile, renderTextFile } from '../workspace/text/text-file.ts';

interface OracleCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface OracleTurn {
  readonly text: string;
  readonly calls: readonly OracleCall[];
}

/** Lines around a change that are read with it. */
const around = 3;
/** Most lines and characters that one call reads, below the limits of the constitution. */
const perRead = { lines: 300, chars: 7_000 } as const;
const perCall = { listings: 15, reads: 15 } as const;

/** A model that carries out exactly these changes. */
export function oracleModel(fix: readonly FileChange[]): Model {
  let refused: readonly string[] = [];
  let script = buildScript(fix);
  let number = 0;
  return {
    name: 'oracle',
    complete: async request => {
      const found = refusedPaths(request, fix).filter(path => !refused.includes(path));
      // what the rules keep from it can be left out, and the rest done without it
      if (found.length > 0) {
        refused = [...refused, ...found];
        script = buildScript(fix.filter(c => !refused.includes(c.path)));
      }
      const [turn = givingUp, ...rest] = script;
      script = rest;
      number += 1;
      return makeTurn(turn, number);
    },
  };
}

const givingUp: OracleTurn = {
  text: 'The known fix was played, and the run has not ended.',
  calls: [{ name: 'abstain', arguments: { reason: 'The known fix was played to its end.' } }],
};

/** Files of the fix that the last results name as protected, or as not read: their lines are longer than a read shows. */
function refusedPaths({ messages }: ModelRequest, fix: readonly FileChange[]): readonly string[] {
  const last = messages.findLastIndex(m => m.role === 'assistant');
  const texts = messages.slice(last + 1).map(m => m.text);
  const refusals = texts.filter(text => /PATH_PROTECTED|STALE_READ/.test(text));
  const names = ({ path }: FileChange, text: string) =>
    text.includes(`${path} is protected by `) || text.includes(`${path}:`);
  return fix.filter(c => refusals.some(text => names(c, text))).map(c => c.path);
}

function makeTurn({ text, calls }: OracleTurn, number: number): Turn {
  return {
    text,
    calls: calls.map(({ name, arguments: args }, i) => ({
      id: `oracle-${number}-${i}`,
      name,
      argumentsText: JSON.stringify(args),
    })),
    usage: { inputTokens: 0, outputTokens: 0 },
    finishReason: 'tool_calls',
  };
}

function buildScript(fix: readonly FileChange[]): readonly OracleTurn[] {
  const writable = fix.filter(c => makeFileArguments(c) !== undefined);
  const left = fix.filter(c => !writable.includes(c)).map(c => c.path);
  const note = `The tools cannot write what the fix changes in ${left.slice(0, 5).join(', ')}.`;
  if (writable.length > 0) return buildTurns(writable, left.length === 0 ? '' : ` ${note}`);
  const reason = fix.length === 0 ? 'Nothing of the known fix may be changed.' : note;
  return [
    { text: 'The fix cannot be played.', calls: [{ name: 'abstain', arguments: { reason } }] },
  ];
}

/** @param note what the first turn says besides its plan, such as what is left out. */
function buildTurns(fix: readonly FileChange[], note: string): readonly OracleTurn[] {
  const files = fix.map(makeFileArguments);
  const paths = fix.map(c => c.path);
  const lines = sum(fix.map(countPlanned));
  return [
    {
      text: `The failing tests show what is missing. I plan the change of these files.${note}`,
      calls: [
        { name: 'skill_activate', arguments: { skill_name: 'code-modify' } },
        {
          name: 'plan',
          arguments: {
            entry_symbols: paths.slice(0, 20),
            affected_files: paths.slice(0, 100),
            scope: 'what the tests require',
            // as generous as the default of the tool
            max_changed_lines: Math.min(5000, Math.max(100, 2 * lines)),
          },
        },
      ],
    },
    ...inGroups(listings(fix), perCall.listings).map(calls => ({
      text: 'I look where these files are and what is beside them.',
      calls,
    })),
    ...readings(fix),
    {
      text: 'These lines have to change. I change all files in one step.',
      calls: [{ name: 'apply_patch', arguments: { files } }],
    },
    { text: 'The tests must confirm the patch.', calls: [{ name: 'verify', arguments: {} }] },
    {
      text: 'The tests pass with the patch.',
      calls: [{ name: 'finish', arguments: { reason: 'the failing tests pass' } }],
    },
  ];
}

/** The lines that a plan must allow for a change: all of a file that is written as a whole. */
function countPlanned(change: FileChange): number {
  const { added, removed } = countLines(change);
  const text = change.after === undefined ? 'binary' : parseTextFile(change.after.bytes);
  const whole = text === 'binary' || listEdits(change) !== undefined ? 0 : text.lines.length;
  return Math.max(added, removed, whole);
}

/** A listing of each file that exists, and of the root for those that do not. */
function listings(fix: readonly FileChange[]): readonly OracleCall[] {
  const list = (args: Readonly<Record<string, string>>) => ({
    name: 'list_project_files',
    arguments: args,
  });
  const old = fix
    .filter(c => c.before !== undefined)
    .map(c => list({ pattern: literalPattern(c.path).slice(0, 200) }));
  return fix.some(c => c.before === undefined) ? [list({}), ...old] : old;
}

/** The rounds that read the lines around each change. */
function readings(fix: readonly FileChange[]): readonly OracleTurn[] {
  const requests = fix.flatMap(listReads);
  const rounds: (typeof requests)[] = [];
  let left = { lines: 0, chars: 0 };
  for (const request of requests) {
    const last = rounds.at(-1);
    const fits =
      last !== undefined &&
      last.length < perCall.reads &&
      left.lines >= request.lines &&
      left.chars >= request.chars;
    if (fits) last.push(request);
    else {
      rounds.push([request]);
      left = { lines: perRead.lines, chars: perRead.chars };
    }
    left = { lines: left.lines - request.lines, chars: left.chars - request.chars };
  }
  return rounds.map(round => ({
    text: 'I read the lines that have to change.',
    calls: [{ name: 'read_code_block', arguments: { requests: round.map(r => r.request) } }],
  }));
}

interface OracleRead {
  readonly request: {
    readonly file_path: string;
    readonly start_line: number;
    readonly end_line: number;
  };
  readonly lines: number;
  readonly chars: number;
}

/** Reads of a file: the surroundings of each change, or all of a file that is replaced or deleted. */
function listReads(change: FileChange): readonly OracleRead[] {
  const text = change.before === undefined ? 'binary' : parseTextFile(change.before.bytes);
  if (text === 'binary' || text.lines.length === 0) return [];
  const { lines } = text;
  const edits = listEdits(change);
  const wanted = new Set<number>();
  const want = (from: number, to: number) => {
    for (let line = Math.max(1, from); line <= Math.min(lines.length, to); line++) wanted.add(line);
  };
  if (edits === undefined) want(1, lines.length);
  else
    for (const { startLine, endLine } of edits.placed)
      want(startLine - around, endLine + 1 + around);
  const reads: OracleRead[] = [];
  let first = 0;
  let chars = 0;
  const end = (line: number) => {
    const request = { file_path: change.path, start_line: first, end_line: line };
    if (first > 0) reads.push({ request, lines: line - first + 1, chars });
    first = 0;
    chars = 0;
  };
  for (let line = 1; line <= lines.length; line++) {
    const size = (lines[line - 1]?.length ?? 0) + 10;
    const isFull = first > 0 && (line - first >= perRead.lines || chars + size > perRead.chars);
    if (!wanted.has(line) || isFull) end(line - 1);
    if (!wanted.has(line)) continue;
    if (first === 0) first = line;
    chars += size;
  }
  end(lines.length);
  return reads;
}

/** At most 200 edits that make exactly the new text of a file; undefined if it is written as a whole. */
function listEdits({ before, after }: FileChange) {
  const [old, now] = [before, after].map(s =>
    s === undefined ? 'binary' : parseTextFile(s.bytes),
  );
  if (old === undefined || old === 'binary' || now === undefined || now === 'binary')
    return undefined;
  const placed = compareLines(old.lines, now.lines).map(each => ({
    startLine: each.oldStart + 1,
    endLine: each.oldEnd,
    content: joinLines(now.lines.slice(each.newStart, each.newEnd)),
  }));
  const count = old.lines.length;
  const finalNewline = isOpen(old) === isOpen(now) ? undefined : isOpen(old);
  // the newline at the end belongs to an edit of the last line
  if (finalNewline !== undefined && !placed.some(e => Math.max(e.startLine, e.endLine) >= count))
    placed.push({ startLine: count, endLine: count, content: joinLines(old.lines.slice(-1)) });
  if (placed.length === 0 || placed.length > 200) return undefined;
  const made = applyEdits(old, placed, { finalNewline });
  const isExact =
    made.ok && Buffer.from(renderTextFile(made.file)).equals(after?.bytes ?? new Uint8Array());
  return isExact ? { placed, finalNewline } : undefined;
}

function joinLines(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}

/** True for a state whose text the tools can write: no link, submodule or binary file. */
function hasText({ mode, bytes }: FileState): boolean {
  return (mode === '100644' || mode === '100755') && parseTextFile(bytes) !== 'binary';
}

/** A file as `apply_patch` takes it, without its mode; undefined if nothing of the change can be written. */
function makeFileArguments(change: FileChange): Readonly<Record<string, unknown>> | undefined {
  const { path, before, after } = change;
  if ([before, after].some(state => state !== undefined && !hasText(state))) return undefined;
  if (after === undefined) return { path, delete: true };
  const edits = listEdits(change);
  if (edits !== undefined)
    return {
      path,
      edits: edits.placed.map(({ startLine, endLine, content }) => ({
        start_line: startLine,
        end_line: endLine,
        content,
      })),
      final_newline: edits.finalNewline,
    };
  const content = makeContent(change);
  return content === undefined ? undefined : { path, content };
}

/** The whole text of a file; undefined if it is too long, or if writing it would change nothing or break its encoding. */
function makeContent({ before, after }: FileChange): string | undefined {
  if (after === undefined || after.bytes.length > 1_000_000) return undefined;
  const now = decodeText(after.bytes);
  const old = before === undefined ? undefined : parseTextFile(before.bytes);
  if (now === 'binary' || old === 'binary') return undefined;
  if (now.encoding !== (old?.encoding ?? 'utf8')) return undefined;
  const made = renderTextFile(replaceContent(old, now.text));
  return before !== undefined && Buffer.from(made).equals(before.bytes) ? undefined : now.text;
}

function inGroups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}
