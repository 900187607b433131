/** apply_patch: the only way to change files; all files change, or none. */
import * as z from 'zod';
import { plural, sum } from '../base/plural.ts';
import type { Claim, WriteClaim } from '../guard/claim.ts';
import type { EvidenceEvent, Rename } from '../guard/evidence.ts';
import { normalisePath } from '../guard/paths.ts';
import { toLineRanges } from '../guard/read-lines.ts';
import { type FileLines, findRenames } from '../guard/renames.ts';
import { listUnknown } from '../guard/seen-lines.ts';
import { changesCommentsOnly } from '../navigation/comments.ts';
import { listNewErrors } from '../navigation/navigator.ts';
import {
  describeMode,
  differs,
  type FileChange,
  type FileState,
} from '../workspace/files/change.ts';
import { countLines, renderDiff } from '../workspace/text/diff.ts';
import { isOpen } from '../workspace/text/edits.ts';
import {
  type NumberedDiff,
  type NumberedDiffOptions,
  renderNumberedDiff,
} from '../workspace/text/numbered-diff.ts';
import { parseTextFile, splitLines } from '../workspace/text/text-file.ts';
import { readPatchForm } from './known-forms.ts';
import { cutAtLine } from './patch.ts';
import {
  countReplaced,
  type FileArgs,
  fileSchema,
  listChanged,
  type PlacedEdit,
  type Prepared,
  placeEdits,
  prepareFile,
} from './prepare-file.ts';
import { showChanges } from './show-changes.ts';
import { type Taken, takeChanges } from './taken-changes.ts';
import { aside, defineTool, inResults, type ToolContext, type ToolResult } from './tool.ts';

/** Maximum files of one call; a renamed file is two of them. */
const maxFiles = 100;

const schema = z.strictObject({
  files: z.array(fileSchema).min(1).max(maxFiles).optional(),
  from_command: z
    .union([z.literal(true), z.string().max(20)])
    .optional()
    .meta({ ...aside('take over the diff of the last command'), ...inResults }),
  dry_run: z.boolean().optional(),
});

type Args = z.infer<typeof schema>;

export const applyPatch = defineTool({
  name: 'apply_patch',
  description: 'Change files, all or none. Lines: 1-based, as shown before this reply.',
  core: false,
  step: 'patch',
  schema,
  alternative: { schema: fileSchema, toArguments: asFiles },
  readForm: readPatchForm,
  claims: async (args, context) => {
    const taken = await takeChanges(args.from_command, context);
    const preview = isPreview(args, taken, context) || undefined;
    const named = (args.files ?? []).map(f => makeClaim(f, context));
    return [...(await Promise.all(named)), ...taken.files.map(p => claimTaken(p, preview))];
  },
  problems: async (args, context) => {
    const { files, taken, problems } = await prepareAll(args, context);
    const none = args.files === undefined && args.from_command === undefined;
    const listed = (args.files ?? []).map(f => normalisePath(f.path) ?? f.path);
    const repeated = [...new Set(listed.filter((p, i) => listed.indexOf(p) !== i))];
    const shared = taken.files.map(f => f.path).filter(p => listed.includes(p));
    return [
      none ? 'give files or from_command' : undefined,
      files.length > maxFiles
        ? `${files.length} files; at most ${maxFiles} in one call`
        : undefined,
      ...repeated.map(p => `${p}: listed twice; put all edits of a file into one entry`),
      ...shared.map(p => `${p}: changed by both files and from_command; use one of them`),
      ...problems,
    ].filter(problem => problem !== undefined);
  },
  run: async (args, context) => {
    const { files, taken } = await prepareAll(args, context);
    if (args.dry_run === true) return preview(files, context);
    if (isPreview(args, taken, context)) return showUnseen(taken, context);
    const written = await write(files, { taken, context });
    const endsLine = args.files?.some(f => f.edits?.some(e => e.content.endsWith('\n'))) === true;
    return endsLine ? { ...written, text: `${written.text}\n${newlineNote}` } : written;
  },
});

/** One file of its own is a list of one. */
function asFiles(args: object): object {
  if (!('path' in args) || 'files' in args) return args;
  const { from_command, dry_run, ...file } = args as Readonly<Record<string, unknown>>;
  return { from_command, dry_run, files: [file] };
}

const newlineNote = '[the final newline of content ends its last line, and adds none]';

interface All {
  readonly files: readonly Prepared[];
  readonly taken: Taken;
  readonly problems: readonly string[];
}

async function prepareAll(args: Args, context: ToolContext): Promise<All> {
  const named = await Promise.all((args.files ?? []).map(f => prepareFile(f, context)));
  const taken = await takeChanges(args.from_command, context);
  return {
    files: [...named.flatMap(p => (p.ok ? [p.file] : [])), ...taken.files],
    taken,
    problems: [...named.flatMap(p => (p.ok ? [] : p.problems)), ...taken.problems],
  };
}

/** The event after a change of files: their known lines, and the size of the patch. */
export function patchedEvent(
  { session, seen }: ToolContext,
  paths: readonly string[],
): EvidenceEvent {
  const changes = session.changes();
  const renames = renamesIn(changes);
  const lines = new Map(changes.map(c => [c.path, maxCount(c)]));
  // of a renamed file, the old and the new path count as one change
  const twice = renames.map(r => Math.min(lines.get(r.from) ?? 0, lines.get(r.to) ?? 0));
  return {
    kind: 'patched',
    known: paths.map(path => {
      const known = seen.listKnown(path);
      return { path, lines: known && toLineRanges(known.keys()) };
    }),
    patchDigest: session.patchDigest(),
    patchedFiles: changes.map(c => c.path),
    renames: renames.length === 0 ? undefined : renames,
    changedLines: sum([...lines.values()]) - sum(twice),
  };
}

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

async function makeClaim(f: FileArgs, context: ToolContext): Promise<Claim> {
  const change = f.delete === true ? 'delete' : f.edits === undefined ? 'replace' : 'edit';
  const path = normalisePath(f.path);
  const text =
    path === undefined || change !== 'edit' ? undefined : await context.session.text(path);
  const lines = text === undefined || text === 'binary' ? undefined : text.lines;
  const parts = placeEdits(path ?? f.path, f, { lines, context }).flatMap((edit, i) =>
    typeof edit === 'string' ? [] : claimEdit(edit, f.edits?.[i]?.start_line, lines ?? []),
  );
  const ranges = parts.flatMap(part => part.ranges);
  const whole = joinAdded(splitLines(f.content ?? '').lines);
  const added = [whole, ...parts.map(part => part.added)].join('');
  const comments = change !== 'delete' && (await changesComments(f, context)) ? true : undefined;
  return { kind: 'write', path: f.path, change, ranges, added, comments };
}

/** What an edit replaces and adds. Lines that it gives again as they are prove themselves, and the place beside them. */
function claimEdit(
  edit: PlacedEdit,
  start: number | undefined,
  lines: readonly string[],
): Pick<WriteClaim, 'ranges' | 'added'> {
  const { content, moved, startLine, endLine } = edit;
  const made = splitLines(content).lines;
  const isWhole = moved !== undefined || endLine > lines.length;
  if (isWhole || (endLine < startLine && start !== undefined))
    return { ranges: [edit], added: joinAdded(made) };
  const changed = listChanged(edit, lines, made);
  const ranges = changed.filter(range => range.endLine >= range.startLine);
  return { ranges, added: joinAdded(changed.flatMap(range => range.lines)) };
}

/** Lines as one text; a newline ends the last of them. */
const joinAdded = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('');

/** True for a change of nothing but comments, where an active skill tells it from one of code. */
async function changesComments(f: FileArgs, context: ToolContext): Promise<boolean> {
  if (!context.evidence.activeSkills.some(s => s.guards.paths?.includes('@docs'))) return false;
  const made = await prepareFile(f, context);
  if (!made.ok || made.file.textBefore === undefined || made.file.text === undefined) return false;
  const { path, textBefore, text } = made.file;
  const versions = [textBefore.lines.join('\n'), text.lines.join('\n')] as const;
  return changesCommentsOnly(context.symbols, path, versions);
}

function claimTaken(
  { path, textBefore, text, replacements }: Prepared,
  preview: boolean | undefined,
): Claim {
  const change = text === undefined ? 'delete' : textBefore === undefined ? 'replace' : 'edit';
  const lines = replacements === 'all' ? [] : (textBefore?.lines ?? []);
  const changed = listChanged({ startLine: 1, endLine: lines.length }, lines, text?.lines ?? []);
  const ranges = replacements === 'all' ? [] : changed;
  const added = joinAdded(changed.flatMap(range => range.lines));
  return { kind: 'write', path, change, ranges, added, preview };
}

/** True when a call would take over changes of lines that the model has not seen: it is shown them instead. */
function isPreview(args: Args, { files, kept }: Taken, context: ToolContext): boolean {
  if (files.length === 0) return false;
  if (args.dry_run === true || kept?.isSeen === false) return true;
  return (
    (kept !== undefined && kept.unshown.size > 0) || files.some(f => !isKnown(f, context.evidence))
  );
}

function isKnown(
  { path, textBefore, replacements }: Prepared,
  { known }: ToolContext['evidence'],
): boolean {
  const lines = textBefore?.lines ?? [];
  const ranges = replacements === 'all' ? [{ startLine: 1, endLine: lines.length }] : replacements;
  return ranges.every(range => listUnknown(range, lines.length, known.get(path)).length === 0);
}

/** Shows the places that the model has not seen yet. */
function showUnseen({ files, summary, kept }: Taken, context: ToolContext): ToolResult {
  if (kept?.isSeen === false)
    return {
      text: 'Nothing was changed: the diff of the command is in the results of this reply. Repeat the call.',
      isUnwritten: 'shown',
    };
  const counts = new Map(files.map(f => [f.path, f.textBefore?.lines.length ?? 0]));
  const { known } = context.evidence;
  const { text, events, left } = showChanges(
    files.map(f => ({ path: f.path, before: f.textBefore, after: f.text })),
    context.policy.limits.output_bytes,
    (path, startLine, endLine) =>
      kept?.unshown.get(path)?.has(startLine) === true ||
      listUnknown({ startLine, endLine }, counts.get(path) ?? 0, known.get(path)).length > 0,
  );
  if (kept !== undefined) {
    kept.unshown.clear();
    for (const [path, lines] of left) kept.unshown.set(path, lines);
  }
  return {
    text: `${summary}\nNothing was changed yet. These places were not shown before; repeat the call to write.\n${text}`,
    paths: files.map(f => f.path),
    events,
    isUnwritten: 'shown',
  };
}

function preview(files: readonly Prepared[], context: ToolContext): ToolResult {
  const diff = renderDiff(files.map(({ path, before, after }) => ({ path, before, after })));
  return {
    text: `Dry run: nothing was changed.\n${cutAtLine(diff, context.policy.limits.output_bytes)}`,
  };
}

async function write(
  files: readonly Prepared[],
  { taken, context }: { readonly taken: Taken; readonly context: ToolContext },
): Promise<ToolResult> {
  const kept = files.filter(p => p.after !== undefined).map(p => p.path);
  const errorsBefore = await context.navigator.errors(kept);
  const step = await context.session.apply(new Map(files.map(p => [p.path, p.after])));
  const errors = listNewErrors(errorsBefore, await context.navigator.errors(kept));
  const { output_bytes } = context.policy.limits;
  let free = output_bytes;
  const rows = files.map((p, i) => {
    const change = step[i] ?? { path: p.path, before: undefined, after: p.after };
    const isKnown = taken.files.includes(p) && keepsNumbers(p);
    const row = describe(p, change, {
      maxBytes: isKnown ? Math.min(free, takenBytes / taken.files.length) : free,
      context: isKnown || p.replacements === 'all' ? 0 : 3,
    });
    free = Math.max(0, free - Buffer.byteLength(row.text) - 2);
    return row;
  });
  const paths = files.map(p => p.path);
  context.seen.patch(new Map(rows.map(r => [r.path, r])));
  const found = errors.length === 0 ? [] : [`new errors:\n${errors.join('\n')}`];
  const hints = files.map(p => p.hint).filter(h => h !== '');
  const summary = taken.summary === '' ? [] : [taken.summary];
  return {
    text: cutAtLine(
      [...summary, ...rows.map(r => r.text), ...hints, ...found].join('\n\n'),
      output_bytes,
    ),
    ...buildFacts({ newErrors: errors.length, filesWithParseErrors: hints.length }),
    paths,
    events: [patchedEvent(context, paths)],
    change: 'patch',
  };
}

/** Most bytes that the result shows of what was taken over under the same numbers: the model has seen it. */
const takenBytes = 1_500;
/** The same of a file whose whole content the call gives. */
const wholeBytes = 2_000;

/** The counts that are not 0, for the ledger. */
function buildFacts(counts: Readonly<Record<string, number>>): Pick<ToolResult, 'facts'> {
  const facts = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  return Object.keys(facts).length === 0 ? {} : { facts };
}

/** True when each replacement gives as many lines as it takes. */
function keepsNumbers({ replacements }: Prepared): boolean {
  return (
    replacements !== 'all' &&
    replacements.every(r => r.inserted === Math.max(0, r.endLine - r.startLine + 1))
  );
}

/** The lines that a call itself wrote under the numbers that it gave: it knows them, however little a result shows. */
function listWritten({ replacements, text }: Prepared): NumberedDiff['shown'] {
  if (replacements === 'all') return new Map(text?.lines.map((line, i) => [i + 1, line]));
  const written = new Map<number, string>();
  for (const { startLine, endLine, inserted } of replacements) {
    for (let line = startLine; line < startLine + inserted; line++)
      written.set(line, text?.lines[line - 1] ?? '');
    if (inserted !== Math.max(0, endLine - startLine + 1)) break;
  }
  return written;
}

/** What a change was, as a diff with the numbers that the lines have now. */
function describe(
  p: Prepared,
  change: FileChange,
  { maxBytes, context }: Pick<NumberedDiffOptions, 'maxBytes' | 'context'>,
) {
  const { added, removed } = countLines(change);
  const { path, textBefore, text, replacements } = p;
  const moved = { path, replacements, before: textBefore?.lines, after: text?.lines };
  const isSame = textBefore !== undefined && !differs({ before: p.before, after: p.after });
  const end =
    text === undefined
      ? ', deleted'
      : `, now ${plural(text.lines.length, 'line')}${describeMode(p)}`;
  const head = isSame
    ? `${path}: no effect, because it held this already`
    : `${path}: +${added} -${removed}${end}${describeEnd(p)}`;
  if (text === undefined || textBefore === undefined)
    return { ...moved, text: head, shown: listWritten(p) };
  const whole = replacements === 'all';
  const replaced = whole ? undefined : countReplaced(replacements);
  const diff = renderNumberedDiff(textBefore.lines, text.lines, {
    numbers: 'after',
    replaced,
    context,
    maxBytes: whole ? Math.min(wholeBytes, maxBytes) : maxBytes,
  });
  const left = diff.left.size === 0 ? '' : `[cut: ${plural(diff.left.size, 'more place')}]`;
  return {
    ...moved,
    text: [head, diff.text, left].filter(t => t !== '').join('\n'),
    shown: new Map([...diff.shown, ...listWritten(p)]),
  };
}

/** Says that a file lacks the final newline that it had, or that a new one lacks it. */
function describeEnd({ textBefore, text }: Prepared): string {
  const lost = text !== undefined && isOpen(text) && !(textBefore && isOpen(textBefore));
  return lost ? ', without a final newline' : '';
}
