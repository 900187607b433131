/** apply_patch: the only way to change files, by line edits or whole contents; all files change, or none. */
import * as z from 'zod';
import type { Claim } from '../guard/claim.ts';
import type { EvidenceEvent, KnownLines, Rename } from '../guard/evidence.ts';
import { normalisePath } from '../guard/paths.ts';
import { type FileLines, findRenames } from '../guard/renames.ts';
import type { SyntaxReport } from '../navigation/syntax/syntax.ts';
import type { FileChange, FileState } from '../workspace/files/change.ts';
import type { KnownFiles, Session } from '../workspace/session/session.ts';
import { countLines, renderDiff } from '../workspace/text/diff.ts';
import { applyEdits, replaceContent } from '../workspace/text/edits.ts';
import {
  allKnown,
  type MovedFile,
  type Replacement,
  shiftKnown,
} from '../workspace/text/known-lines.ts';
import {
  findUnwritable,
  parseTextFile,
  renderTextFile,
  type TextFile,
} from '../workspace/text/text-file.ts';
import { bounded } from './patch.ts';
import { findAddedErrors, renderHint } from './syntax-hints.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';

const edit = z.strictObject({
  start_line: z.int().min(1),
  end_line: z
    .int()
    .min(0)
    .optional()
    .describe('default start_line; start_line-1 inserts before it'),
  content: z.string().max(1_000_000),
});

const file = z.strictObject({
  path: z.string().min(1).max(4096),
  content: z.string().max(1_000_000).optional().describe('the whole file'),
  edits: z.array(edit).min(1).max(200).optional(),
  final_newline: z
    .boolean()
    .optional()
    .describe('with edits of the last line: whether it ends with a newline; default as before'),
  delete: z.boolean().optional(),
});

type FileArgs = z.infer<typeof file>;

/** Maximum files of one call; a renamed file is two of them. */
const maxFiles = 100;

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Change files: edits (1-based lines before this call), content, or delete. Several files in one call; all or nothing.',
  core: false,
  step: 'patch',
  schema: z.strictObject({
    files: z.array(file).min(1).max(maxFiles),
    dry_run: z.boolean().optional(),
  }),
  claims: args => args.files.map(makeClaim),
  problems: async (args, context) => {
    const repeated = repeatedPaths(args.files).map(
      p => `${p}: listed twice; put all edits of a file into one entry`,
    );
    const each = await Promise.all(args.files.map(f => prepare(f, context)));
    return [...repeated, ...each.flatMap(p => (p.ok ? [] : p.problems))];
  },
  run: async (args, context) => {
    const prepared = (await Promise.all(args.files.map(f => prepare(f, context)))).filter(
      p => p.ok,
    );
    return args.dry_run === true ? preview(prepared, context) : write(prepared, context);
  },
});

/** The event after a change of the session: the known lines of the changed files, and the size of the patch. */
export function patchedEvent(session: Session, known: KnownFiles): EvidenceEvent {
  const changes = session.changes();
  const renames = renamesIn(changes);
  const lines = new Map(changes.map(c => [c.path, maxCount(c)]));
  // of a renamed file, the old and the new path count as one change
  const twice = renames.map(r => Math.min(lines.get(r.from) ?? 0, lines.get(r.to) ?? 0));
  return {
    kind: 'patched',
    known,
    patchDigest: session.patchDigest(),
    patchedFiles: changes.map(c => c.path),
    renames: renames.length === 0 ? undefined : renames,
    changedLines: sum([...lines.values()]) - sum(twice),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

function maxCount(change: FileChange): number {
  const { added, removed } = countLines(change);
  return Math.max(added, removed);
}

function renamesIn(changes: readonly FileChange[]): readonly Rename[] {
  const readFileLines = (path: string, state: FileState | undefined): readonly FileLines[] => {
    const text = state === undefined ? 'binary' : parseTextFile(state.bytes);
    return text === 'binary' ? [] : [{ path, lines: text.lines }];
  };
  const gone = changes.filter(c => c.after === undefined);
  const made = changes.filter(c => c.before === undefined);
  if (gone.length === 0 || made.length === 0) return [];
  return findRenames(
    gone.flatMap(c => readFileLines(c.path, c.before)),
    made.flatMap(c => readFileLines(c.path, c.after)),
  );
}

function makeClaim(f: FileArgs): Claim {
  const change = f.delete === true ? 'delete' : f.edits === undefined ? 'replace' : 'edit';
  const ranges = (f.edits ?? []).map(e => ({
    startLine: e.start_line,
    endLine: e.end_line ?? e.start_line,
  }));
  // each text as whole lines: a newline at its end is no further line
  const added = [f.content ?? '', ...(f.edits ?? []).map(e => e.content)]
    .map(text => (text === '' || text.endsWith('\n') ? text : `${text}\n`))
    .join('');
  return { kind: 'write', path: f.path, change, ranges, added };
}

function repeatedPaths(files: readonly FileArgs[]): readonly string[] {
  const paths = files.map(f => normalisePath(f.path) ?? f.path);
  return [...new Set(paths.filter((p, i) => paths.indexOf(p) !== i))];
}

type PreparedFile =
  | { readonly ok: false; readonly problems: readonly string[] }
  | {
      readonly ok: true;
      readonly path: string;
      readonly after: FileState | undefined;
      readonly file: TextFile | undefined;
      readonly replacements: readonly Replacement[] | 'all';
      /** Parse errors that do not refuse the edit, for its result; empty when there are none. */
      readonly hint: string;
    };

/** The new state of one file, or the problems with it. Writes nothing. */
async function prepare(f: FileArgs, context: ToolContext): Promise<PreparedFile> {
  const path = normalisePath(f.path);
  if (path === undefined || path === '')
    return { ok: true, path: f.path, after: undefined, ...noText }; // the guard refuses this path
  const forms = [f.content !== undefined, f.edits !== undefined, f.delete === true].filter(
    Boolean,
  ).length;
  if (forms !== 1) return bad(`${path}: give exactly one of content, edits or delete`);
  const before = await context.session.state(path);
  const text = await context.session.text(path);
  if (text === 'binary') return bad(`${path}: not a text file`);
  const above = await context.session.above(path);
  if (above !== undefined) return bad(`${path}: ${above.path} is a file, not a folder`);
  if (f.delete === true) {
    return before === undefined
      ? bad(`${path}: cannot be deleted, because it does not exist`)
      : { ok: true, path, after: undefined, ...noText };
  }
  const made = f.edits === undefined ? whole(text, f) : edited(path, text, f);
  if (!made.ok) return bad(...made.problems);
  const strange = findUnwritable(made.file);
  if (strange !== undefined)
    return bad(`${path}: the file is Latin-1, which cannot encode ${strange}`);
  const versions = { before: text, after: made.file };
  const added = await findAddedErrors(path, versions, context.syntax);
  if (added?.complete && text !== undefined)
    return bad(...describeRefusal(path, { before: text, after: made.file }, added));
  const after: FileState = { mode: before?.mode ?? '100644', bytes: renderTextFile(made.file) };
  const hint = added === undefined ? '' : renderHint(path, added);
  return { ok: true, path, after, file: made.file, replacements: made.replacements, hint };
}

const noText = { file: undefined, replacements: 'all', hint: '' } as const;

function bad(...problems: string[]): PreparedFile {
  return { ok: false, problems };
}

type EditResult =
  | {
      readonly ok: true;
      readonly file: TextFile;
      readonly replacements: readonly Replacement[] | 'all';
    }
  | { readonly ok: false; readonly problems: readonly string[] };

function whole(
  before: TextFile | undefined,
  { content = '', final_newline }: FileArgs,
): EditResult {
  if (final_newline !== undefined)
    return {
      ok: false,
      problems: ['final_newline goes with edits; content ends as it is written'],
    };
  if (content.includes('\0'))
    return { ok: false, problems: ['content contains a NUL character; only text can be written'] };
  return { ok: true, file: replaceContent(before, content), replacements: 'all' };
}

function edited(
  path: string,
  before: TextFile | undefined,
  { edits = [], final_newline }: FileArgs,
): EditResult {
  if (before === undefined)
    return { ok: false, problems: [`${path}: the file does not exist; give content to create it`] };
  if (edits.some(e => e.content.includes('\0')))
    return { ok: false, problems: [`${path}: content contains a NUL character`] };
  const result = applyEdits(
    before,
    edits.map(e => ({
      startLine: e.start_line,
      content: e.content,
      endLine: e.end_line,
    })),
    { finalNewline: final_newline },
  );
  return result.ok ? result : { ok: false, problems: result.problems.map(p => `${path}: ${p}`) };
}

/** Why an edit is refused that adds errors to a file without any, with both versions. */
function describeRefusal(
  path: string,
  text: { readonly before: TextFile; readonly after: TextFile },
  { errors: [first] }: SyntaxReport,
): string[] {
  const line = first?.line ?? 1;
  return [
    `${path}: would no longer parse: line ${line}: ${first?.message}`,
    `after the edit:\n${excerpt(text.after, line)}`,
    `before the edit:\n${excerpt(text.before, line)}`,
  ];
}

function excerpt(text: TextFile, line: number): string {
  return numbered(text, Math.max(1, line - 3), Math.min(text.lines.length, line + 3));
}

function numbered(text: TextFile, start: number, end: number): string {
  const rows: string[] = [];
  for (let line = start; line <= end; line++)
    rows.push(`${line}\t${(text.lines[line - 1] ?? '').slice(0, 400)}`);
  return rows.join('\n');
}

type ReadyFile = Extract<PreparedFile, { ok: true }>;

async function preview(prepared: readonly ReadyFile[], context: ToolContext): Promise<ToolResult> {
  const changes = await Promise.all(
    prepared.map(async p => ({
      path: p.path,
      before: await context.session.state(p.path),
      after: p.after,
    })),
  );
  return {
    text: `Dry run: nothing was changed.\n${bounded(renderDiff(changes), context.policy.limits.output_bytes)}`,
  };
}

async function write(prepared: readonly ReadyFile[], context: ToolContext): Promise<ToolResult> {
  const before = new Map(prepared.map(p => [p.path, context.evidence.known.get(p.path)]));
  const step = await context.session.apply(new Map(prepared.map(p => [p.path, p.after])), before);
  const known = new Map(prepared.map(p => [p.path, knownAfter(p, context)]));
  const rows = prepared.map((p, i) =>
    describe(p, step.changes[i] ?? { path: p.path, before: undefined, after: p.after }),
  );
  for (const { path, shown } of rows) {
    const lines = known.get(path);
    if (lines) known.set(path, new Map([...lines, ...shown]));
  }
  const errors = await context.navigator.newErrors(
    prepared.filter(p => p.after !== undefined).map(p => p.path),
  );
  const found = errors.length === 0 ? [] : [`new errors:\n${errors.join('\n')}`];
  const hints = prepared.map(p => p.hint).filter(h => h !== '');
  return {
    text: bounded(
      [...rows.map(r => r.text), ...hints, ...found].join('\n\n'),
      context.policy.limits.output_bytes,
    ),
    ...buildFacts({ newErrors: errors.length, filesWithParseErrors: hints.length }),
    paths: prepared.map(p => p.path),
    events: [patchedEvent(context.session, known)],
    moves: new Map(
      prepared.map((p, i) => [p.path, buildMovedFile(p, rows[i]?.shown ?? new Map())]),
    ),
  };
}

function buildMovedFile({ file, replacements }: ReadyFile, shown: KnownLines): MovedFile {
  const all = file === undefined ? new Map() : allKnown(file.lines);
  return { replacements, shown: replacements === 'all' ? all : shown };
}

/** The counts that are not 0, for the ledger. */
function buildFacts(counts: Readonly<Record<string, number>>): Pick<ToolResult, 'facts'> {
  const facts = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  return Object.keys(facts).length === 0 ? {} : { facts };
}

function knownAfter(p: ReadyFile, context: ToolContext): ReadonlyMap<number, string> | undefined {
  if (p.file === undefined) return undefined;
  if (p.replacements === 'all') return allKnown(p.file.lines);
  return shiftKnown(context.evidence.known.get(p.path) ?? new Map(), p.replacements, p.file.lines);
}

/** Summary of a change, with the renumbered lines around it. */
function describe(p: ReadyFile, change: Parameters<typeof countLines>[0]) {
  const { added, removed } = countLines(change);
  const shown = new Map<number, string>();
  const head = `${p.path}: +${added} -${removed}${p.file === undefined ? ', deleted' : `, now ${p.file.lines.length} lines`}`;
  if (p.file === undefined || p.replacements === 'all') return { path: p.path, text: head, shown };
  const parts: string[] = [];
  let moved = 0;
  for (const r of p.replacements) {
    const start = Math.max(1, r.startLine + moved - 3);
    const end = Math.min(p.file.lines.length, r.startLine + moved + r.inserted + 2);
    moved += r.inserted - Math.max(0, r.endLine - r.startLine + 1);
    for (let line = start; line <= end; line++) shown.set(line, p.file.lines[line - 1] ?? '');
    parts.push(numbered(p.file, start, end));
  }
  return { path: p.path, text: [head, ...parts].join('\n'), shown };
}
