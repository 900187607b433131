/** Prepares the new state of one file that apply_patch names, and checks it. Writes nothing. */
import * as z from 'zod';
import type { EditRange, LineRange } from '../guard/claim.ts';
import { normalisePath } from '../guard/paths.ts';
import type { Replacement } from '../guard/seen-lines.ts';
import type { SyntaxChecker, SyntaxReport } from '../navigation/syntax/syntax.ts';
import type { FileMode, FileState } from '../workspace/files/change.ts';
import { compareLines, type ReplacedLines } from '../workspace/text/compare-lines.ts';
import { applyEdits, type EditResult, placeText, replaceContent } from '../workspace/text/edits.ts';
import { findUnwritable, renderTextFile, type TextFile } from '../workspace/text/text-file.ts';
import { expectedForm } from './known-forms.ts';
import { aside, inResults, type ToolContext } from './tool.ts';

/** An edit ends at its start or after it; only `start_line - 1` is an insertion. */
const edit = z
  .strictObject({
    start_line: z.int().min(1).optional().meta(aside('default: where old is, if it is there once')),
    end_line: z
      .int()
      .min(0)
      .optional()
      .describe('default start_line; start_line-1 inserts before it'),
    content: z.string().max(1_000_000),
    old: z.string().max(1_000_000).optional().describe('first and last line replaced, or #hash'),
  })
  .refine(e => (e.start_line ?? e.old) !== undefined, {
    path: ['start_line'],
    error: `is missing, and so is old. Expected: ${expectedForm}`,
  })
  .refine(e => e.end_line === undefined || e.end_line >= (e.start_line ?? Infinity) - 1, {
    path: ['end_line'],
    error: 'is before start_line - 1; only start_line - 1 inserts',
  });

/** What a call names of one file. */
export const fileSchema = z.strictObject({
  path: z.string().min(1).max(4096),
  content: z.string().max(1_000_000).optional().describe('the whole file'),
  edits: z.array(edit).min(1).max(200).optional(),
  final_newline: z
    .boolean()
    .optional()
    .meta({
      ...aside('with edits of the last line: whether it ends with a newline; default as before'),
      ...inResults,
    }),
  delete: z.boolean().optional(),
});

export type FileArgs = z.infer<typeof fileSchema>;

/** A file before and after a patch. */
export interface Prepared {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
  readonly textBefore: TextFile | undefined;
  /** Undefined for a file that goes. */
  readonly text: TextFile | undefined;
  readonly replacements: readonly Replacement[] | 'all';
  /** Parse errors that do not refuse the patch, for its result; empty when there are none. */
  readonly hint: string;
}

/** What is wrong with a file, or its new state. */
export type Preparation =
  | { readonly ok: false; readonly problems: readonly string[] }
  | { readonly ok: true; readonly file: Prepared };

/** The new state of one file, or the problems with it. */
export async function prepareFile(f: FileArgs, context: ToolContext): Promise<Preparation> {
  const path = normalisePath(f.path);
  // the guard refuses this path
  if (path === undefined || path === '')
    return makeGone({ path: f.path, before: undefined, textBefore: undefined });
  const forms = [f.content !== undefined, f.edits !== undefined, f.delete === true];
  if (forms.filter(Boolean).length !== 1)
    return bad(`${path}: give exactly one of content, edits or delete`);
  const found = await findText(path, context);
  if (typeof found === 'string') return bad(found);
  const { before, textBefore } = found;
  if (f.delete === true) {
    return before === undefined
      ? bad(`${path}: cannot be deleted, because it does not exist`)
      : makeGone({ path, before, textBefore });
  }
  const made =
    f.edits === undefined
      ? makeWhole(textBefore, f)
      : makeEdited(path, textBefore, { args: f, context });
  return made.ok ? checkFile({ path, before, textBefore, ...made }, context) : made;
}

/** The state and text of a path that a patch may write; else what is wrong with it. */
export async function findText(
  path: string,
  { session }: ToolContext,
): Promise<Pick<Prepared, 'before' | 'textBefore'> | string> {
  const before = await session.state(path);
  const textBefore = await session.text(path);
  if (textBefore === 'binary') return `${path}: not a text file`;
  const above = await session.above(path);
  if (above !== undefined) return `${path}: ${above.path} is a file, not a folder`;
  return { before, textBefore };
}

/** A file with its new text, unless it cannot be written or no longer parses. Its mode stays by default. */
export async function checkFile(
  file: Omit<Prepared, 'after' | 'hint' | 'text'> & { readonly text: TextFile },
  { syntax }: ToolContext,
  mode: FileMode = file.before?.mode ?? '100644',
): Promise<Preparation> {
  const { path, textBefore, text } = file;
  const strange = findUnwritable(text);
  if (strange !== undefined)
    return bad(`${path}: the file is Latin-1, which cannot encode ${strange}`);
  const versions = { before: textBefore, after: text };
  const added = await findAddedErrors(path, versions, syntax);
  if (added?.complete && textBefore !== undefined)
    return bad(describeRefusal(path, { before: textBefore, after: text }, added));
  const after: FileState = { mode, bytes: renderTextFile(text) };
  return {
    ok: true,
    file: { ...file, after, hint: added === undefined ? '' : renderHint(path, added) },
  };
}

/** An edit by the lines that it replaces now, and what stands there then. */
export interface PlacedEdit extends EditRange {
  readonly content: string;
}

/**
 * Where the edits of a file lie now: by the numbers that the model saw and what it says it replaces, or by that alone.
 * A problem stands for an edit whose text is not there once.
 */
export function placeEdits(
  path: string,
  { edits = [] }: FileArgs,
  given: { readonly lines: readonly string[] | undefined; readonly context: ToolContext },
): readonly (PlacedEdit | string)[] {
  const { lines, context } = given;
  return edits.map(
    ({ start_line: startLine, end_line: endLine = startLine, old = '', content }, i) => {
      if (startLine === undefined || endLine === undefined) {
        const placed = placeText(lines ?? [], { old, content });
        return 'startLine' in placed ? placed : describePlaces(`${path}: edit ${i + 1}`, placed);
      }
      const meant = { startLine, endLine, old: edits[i]?.old };
      const range =
        lines === undefined ? { startLine, endLine } : context.seen.place(path, lines, meant);
      return { ...range, content };
    },
  );
}

function describePlaces(edit: string, [first, ...others]: readonly number[]): string {
  if (first === undefined)
    return `${edit}: its old is nowhere in the file; state it as the lines are now`;
  const all = [first, ...others].slice(0, 10).join(', ');
  return `${edit}: its old is at lines ${all}; say which, as in ${expectedForm}`;
}

/** The same replacements, counted in both texts. */
export function countReplaced(replacements: readonly Replacement[]): readonly ReplacedLines[] {
  let moved = 0;
  return replacements.map(({ startLine, endLine, inserted }) => {
    const oldStart = startLine - 1;
    const oldEnd = Math.max(oldStart, endLine);
    const newStart = oldStart + moved;
    moved += inserted - (oldEnd - oldStart);
    return { oldStart, oldEnd, newStart, newEnd: newStart + inserted };
  });
}

/** A file that a patch deletes. */
export function makeGone(
  file: Pick<Prepared, 'path' | 'before' | 'textBefore'>,
): Extract<Preparation, { ok: true }> {
  return {
    ok: true,
    file: { ...file, after: undefined, text: undefined, replacements: 'all', hint: '' },
  };
}

function bad(...problems: string[]): Extract<Preparation, { ok: false }> {
  return { ok: false, problems };
}

type Made =
  | ({ readonly ok: true } & { readonly text: TextFile } & Pick<Prepared, 'replacements'>)
  | Extract<Preparation, { ok: false }>;

function makeWhole(before: TextFile | undefined, { content = '', final_newline }: FileArgs): Made {
  if (final_newline !== undefined)
    return bad('final_newline goes with edits; content ends as it is written');
  if (content.includes('\0'))
    return bad('content contains a NUL character; only text can be written');
  return { ok: true, text: replaceContent(before, content), replacements: 'all' };
}

function makeEdited(
  path: string,
  before: TextFile | undefined,
  { args, context }: { readonly args: FileArgs; readonly context: ToolContext },
): Made {
  if (before === undefined)
    return bad(`${path}: the file does not exist; give content to create it`);
  const { edits = [], final_newline } = args;
  if (edits.some(e => e.content.includes('\0')))
    return bad(`${path}: content contains a NUL character`);
  const all = placeEdits(path, args, { lines: before.lines, context });
  const placed = all.filter(each => typeof each !== 'string');
  if (placed.length < all.length) return bad(...all.filter(each => typeof each === 'string'));
  const empty = placed.findIndex(e => e.content === '' && e.endLine < e.startLine);
  if (empty >= 0)
    return bad(`${path}: edit ${empty + 1} inserts nothing; the content of a blank line is "\\n"`);
  const result = applyEdits(before, placed, { finalNewline: final_newline });
  return result.ok
    ? { ok: true, text: result.file, replacements: findReplacements(before, result) }
    : bad(...result.problems.map(p => `${path}: ${p}`));
}

/** The replacements of edits without the lines that an edit gives again as they were. */
function findReplacements(
  before: TextFile,
  { file, replacements }: Extract<EditResult, { ok: true }>,
): readonly Replacement[] {
  let moved = 0;
  return replacements.flatMap(({ startLine, endLine, inserted }) => {
    const start = startLine - 1 + moved;
    const made = file.lines.slice(start, start + inserted);
    moved += inserted - (endLine - startLine + 1);
    return listChanged({ startLine, endLine }, before.lines, made);
  });
}

/** The parts of a range that differ from the lines in its place, each with those of them that it gets. */
export function listChanged(
  { startLine, endLine }: LineRange,
  lines: readonly string[],
  made: readonly string[],
): readonly (Replacement & { readonly lines: readonly string[] })[] {
  return compareLines(lines.slice(startLine - 1, endLine), made).map(r => ({
    startLine: startLine + r.oldStart,
    endLine: startLine - 1 + r.oldEnd,
    inserted: r.newEnd - r.newStart,
    lines: made.slice(r.newStart, r.newEnd),
  }));
}

/** Why an edit is refused that adds errors to a file without any, with both versions. */
function describeRefusal(
  path: string,
  text: { readonly before: TextFile; readonly after: TextFile },
  { errors: [first] }: SyntaxReport,
): string {
  const line = first?.line ?? 1;
  return [
    `${path}: would no longer parse: line ${line}: ${first?.message}`,
    `after the edit:\n${excerpt(text.after, line)}`,
    `before the edit:\n${excerpt(text.before, line)}`,
    'Nothing was changed',
  ].join('\n');
}

/** The lines around a line, numbered. */
function excerpt({ lines }: TextFile, at: number): string {
  const rows: string[] = [];
  for (let line = Math.max(1, at - 3); line <= Math.min(lines.length, at + 3); line++)
    rows.push(`${line}\t${(lines[line - 1] ?? '').slice(0, 400)}`);
  return rows.join('\n');
}

/** What the model is told of errors that only a grammar of the index reports. */
export const notCertain =
  'possible errors; the grammar of the index does not know the whole language, so they may be none';

/** The text of a file before an edit, undefined when it did not exist, and after it. */
interface EditedText {
  readonly before: TextFile | undefined;
  readonly after: TextFile;
}

/** The report on the text after an edit, when it has errors and the text before it had none; undefined otherwise. */
export async function findAddedErrors(
  path: string,
  { before, after }: EditedText,
  syntax: SyntaxChecker,
): Promise<SyntaxReport | undefined> {
  const found = await syntax.check(path, joinLines(after));
  if (found === undefined || found.errors.length === 0) return undefined;
  const earlier = before === undefined ? undefined : await syntax.check(path, joinLines(before));
  return earlier === undefined || earlier.errors.length === 0 ? found : undefined;
}

function joinLines(file: TextFile): string {
  return file.lines.join('\n');
}

/** Errors of written files that did not refuse the edit, for its result. */
export function renderHint(path: string, { complete, errors }: SyntaxReport): string {
  const rows = errors.slice(0, 3).map(e => `${path}:${e.line}: ${e.message}`);
  return [complete ? `${path}: does not parse` : `${path}: ${notCertain}`, ...rows].join('\n');
}
