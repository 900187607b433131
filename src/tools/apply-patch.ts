/** apply_patch: the only way to change files, by line edits or whole contents; all files change, or none. */
import * as z from 'zod';
import type { Claim } from '../guard/claim.ts';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { normalisePath } from '../guard/paths.ts';
import type { FileState } from '../workspace/files/change.ts';
import type { KnownFiles, Session } from '../workspace/session/session.ts';
import { countLines, renderDiff } from '../workspace/text/diff.ts';
import { applyEdits, replaceContent } from '../workspace/text/edits.ts';
import { allKnown, type Replacement, shiftKnown } from '../workspace/text/known-lines.ts';
import { findUnwritable, renderTextFile, type TextFile } from '../workspace/text/text-file.ts';
import { bounded } from './patch.ts';
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
  delete: z.boolean().optional(),
});

type FileArgs = z.infer<typeof file>;

export const applyPatch = defineTool({
  name: 'apply_patch',
  description:
    'Change files: edits (1-based lines before this call), content, or delete. Several files in one call; all or nothing.',
  core: false,
  step: 'patch',
  schema: z.strictObject({
    files: z.array(file).min(1).max(50),
    dry_run: z.boolean().optional(),
  }),
  claims: args => args.files.map(claimOf),
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
  return {
    kind: 'patched',
    known,
    patchDigest: session.patchDigest(),
    patchedFiles: changes.map(c => c.path),
    changedLines: changes.map(countLines).reduce((sum, c) => sum + Math.max(c.added, c.removed), 0),
  };
}

function claimOf(f: FileArgs): Claim {
  const change = f.delete === true ? 'delete' : f.edits === undefined ? 'replace' : 'edit';
  const ranges = (f.edits ?? []).map(e => ({
    startLine: e.start_line,
    endLine: e.end_line ?? e.start_line,
  }));
  const added = [f.content ?? '', ...(f.edits ?? []).map(e => e.content)]
    .filter(t => t !== '')
    .join('\n');
  return { kind: 'write', path: f.path, change, ranges, added };
}

function repeatedPaths(files: readonly FileArgs[]): readonly string[] {
  const paths = files.map(f => normalisePath(f.path) ?? f.path);
  return [...new Set(paths.filter((p, i) => paths.indexOf(p) !== i))];
}

type Prepared =
  | { readonly ok: false; readonly problems: readonly string[] }
  | {
      readonly ok: true;
      readonly path: string;
      readonly after: FileState | null;
      readonly file: TextFile | null;
      readonly replacements: readonly Replacement[] | 'all';
    };

/** The new state of one file, or the problems with it. Writes nothing. */
async function prepare(f: FileArgs, context: ToolContext): Promise<Prepared> {
  const path = normalisePath(f.path);
  if (path === null || path === '')
    return { ok: true, path: f.path, after: null, file: null, replacements: 'all' }; // the guard refuses this path
  const forms = [f.content !== undefined, f.edits !== undefined, f.delete === true].filter(
    Boolean,
  ).length;
  if (forms !== 1) return bad(`${path}: give exactly one of content, edits or delete`);
  const before = await context.session.state(path);
  const text = await context.session.text(path);
  if (text === 'binary') return bad(`${path}: not a text file`);
  const above = await context.session.above(path);
  if (above !== null) return bad(`${path}: ${above.path} is a file, not a folder`);
  if (f.delete === true) {
    return before === null
      ? bad(`${path}: cannot be deleted, because it does not exist`)
      : { ok: true, path, after: null, file: null, replacements: 'all' };
  }
  const made = f.edits === undefined ? whole(text, f.content ?? '') : edited(path, text, f.edits);
  if (!made.ok) return bad(...made.problems);
  const strange = findUnwritable(made.file);
  if (strange !== null) return bad(`${path}: the file is Latin-1, which cannot encode ${strange}`);
  const problems = await addedErrors(path, { before: text, after: made.file }, context);
  if (problems.length > 0) return bad(...problems);
  const after: FileState = { mode: before?.mode ?? '100644', bytes: renderTextFile(made.file) };
  return { ok: true, path, after, file: made.file, replacements: made.replacements };
}

function bad(...problems: string[]): Prepared {
  return { ok: false, problems };
}

type Made =
  | {
      readonly ok: true;
      readonly file: TextFile;
      readonly replacements: readonly Replacement[] | 'all';
    }
  | { readonly ok: false; readonly problems: readonly string[] };

function whole(before: TextFile | null, content: string): Made {
  if (content.includes('\0'))
    return { ok: false, problems: ['content contains a NUL character; only text can be written'] };
  return { ok: true, file: replaceContent(before, content), replacements: 'all' };
}

function edited(
  path: string,
  before: TextFile | null,
  edits: NonNullable<FileArgs['edits']>,
): Made {
  if (before === null)
    return { ok: false, problems: [`${path}: the file does not exist; give content to create it`] };
  if (edits.some(e => e.content.includes('\0')))
    return { ok: false, problems: [`${path}: content contains a NUL character`] };
  const result = applyEdits(
    before,
    edits.map(e => ({
      startLine: e.start_line,
      content: e.content,
      ...(e.end_line === undefined ? {} : { endLine: e.end_line }),
    })),
  );
  return result.ok ? result : { ok: false, problems: result.problems.map(p => `${path}: ${p}`) };
}

/** Refuses an edit that adds parse errors to a file without any, and shows both versions. */
async function addedErrors(
  path: string,
  text: { before: TextFile | null; after: TextFile },
  context: ToolContext,
): Promise<string[]> {
  if (text.before === null) return [];
  const errors = await context.symbols.syntaxErrors(path, text.after.lines.join('\n'));
  if (errors === 'unknown-language' || errors.length === 0) return [];
  const before = await context.symbols.syntaxErrors(path, text.before.lines.join('\n'));
  if (before === 'unknown-language' || before.length > 0) return [];
  const first = errors[0];
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

type Ready = Extract<Prepared, { ok: true }>;

async function preview(prepared: readonly Ready[], context: ToolContext): Promise<ToolResult> {
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

async function write(prepared: readonly Ready[], context: ToolContext): Promise<ToolResult> {
  const before = new Map(prepared.map(p => [p.path, context.evidence.known.get(p.path) ?? null]));
  const step = await context.session.apply(new Map(prepared.map(p => [p.path, p.after])), before);
  const known = new Map(prepared.map(p => [p.path, knownAfter(p, context)]));
  const rows = prepared.map((p, i) =>
    describe(p, step.changes[i] ?? { path: p.path, before: null, after: p.after }),
  );
  for (const { path, shown } of rows) {
    const lines = known.get(path);
    if (lines) known.set(path, new Map([...lines, ...shown]));
  }
  const errors = await context.navigator.newErrors(
    prepared.filter(p => p.after !== null).map(p => p.path),
  );
  const found = errors.length === 0 ? [] : [`new errors:\n${errors.join('\n')}`];
  return {
    text: bounded(
      [...rows.map(r => r.text), ...found].join('\n\n'),
      context.policy.limits.output_bytes,
    ),
    ...(errors.length === 0 ? {} : { facts: { newErrors: errors.length } }),
    paths: prepared.map(p => p.path),
    events: [patchedEvent(context.session, known)],
  };
}

function knownAfter(p: Ready, context: ToolContext): ReadonlyMap<number, string> | null {
  if (p.file === null) return null;
  if (p.replacements === 'all') return allKnown(p.file.lines);
  return shiftKnown(context.evidence.known.get(p.path) ?? new Map(), p.replacements, p.file.lines);
}

/** Summary of a change, with the renumbered lines around it. */
function describe(p: Ready, change: Parameters<typeof countLines>[0]) {
  const { added, removed } = countLines(change);
  const shown = new Map<number, string>();
  const head = `${p.path}: +${added} -${removed}${p.file === null ? ', deleted' : `, now ${p.file.lines.length} lines`}`;
  if (p.file === null || p.replacements === 'all') return { path: p.path, text: head, shown };
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
