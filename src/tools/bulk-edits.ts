/** Changes of many places by one call: a literal replacement over files, and what a command wrote. */
import * as z from 'zod';
import { pathMatcher } from '../base/path-patterns.ts';
import { listFirst, plural } from '../base/plural.ts';
import { normalisePath } from '../guard/paths.ts';
import type { Replacement } from '../guard/seen-lines.ts';
import { differs, type FileChange, nameUnheld } from '../workspace/files/change.ts';
import type { KeptChanges } from '../workspace/session/command-changes.ts';
import { isOpen, replaceContent, replaceLiterals } from '../workspace/text/edits.ts';
import type { TextFile } from '../workspace/text/text-file.ts';
import {
  checkFile,
  findText,
  listChanged,
  makeGone,
  type Preparation,
  type Prepared,
} from './prepare-file.ts';
import { parseState } from './show-changes.ts';
import { aside, inResults, type ToolContext } from './tool.ts';

const replacement = z.strictObject({
  old: z.string().min(1).max(100_000),
  new: z.string().max(100_000),
  paths: z
    .array(z.string().min(1).max(4096))
    .max(100)
    .optional()
    .describe('default: the planned files'),
});

/** The arguments of apply_patch that change many places. */
export const bulkArguments = {
  replace: z.array(replacement).min(1).max(20).optional().describe('literal text, every place'),
  from_command: z
    .union([z.literal(true), z.string().max(20)])
    .optional()
    .meta({ ...aside('take over the diff of the last command'), ...inResults }),
};

interface BulkArgs {
  readonly replace?: readonly z.infer<typeof replacement>[] | undefined;
  readonly from_command?: true | string | undefined;
}

/** The files that such arguments change. */
export interface Bulk {
  readonly files: readonly Prepared[];
  readonly problems: readonly string[];
  /** What is changed in numbers, for the result; empty without such arguments. */
  readonly summary: string;
  /** The changes of the command that are taken over. */
  readonly kept: KeptChanges | undefined;
}

/** Prepares what the arguments change; writes nothing. */
export async function prepareBulk(args: BulkArgs, context: ToolContext): Promise<Bulk> {
  const replaced = await findReplacedFiles(args.replace ?? [], context);
  const taken = await findTakenFiles(args.from_command, context);
  const checked = [...replaced.files, ...taken.files];
  return {
    files: checked.flatMap(p => (p.ok ? [p.file] : [])),
    problems: [
      ...replaced.problems,
      ...taken.problems,
      ...checked.flatMap(p => (p.ok ? [] : p.problems)),
    ],
    summary: [replaced.summary, taken.summary].filter(text => text !== '').join('\n'),
    kept: taken.kept,
  };
}

interface Found {
  readonly files: readonly Preparation[];
  readonly problems: readonly string[];
  readonly summary: string;
}

async function findReplacedFiles(
  replacements: NonNullable<BulkArgs['replace']>,
  context: ToolContext,
): Promise<Found> {
  const problems: string[] = [];
  const places = replacements.map(() => ({ places: 0, files: 0 }));
  const byPath = new Map<string, number[]>();
  for (const [i, { paths }] of replacements.entries()) {
    const found = await findPaths(paths, context);
    problems.push(...found.problems.map(p => `replace ${i + 1}: ${p}`));
    for (const path of found.paths) byPath.set(path, [...(byPath.get(path) ?? []), i]);
  }
  const files: Preparation[] = [];
  for (const [path, items] of byPath) {
    const text = await findText(path, context);
    if (typeof text === 'string' || text.textBefore === undefined) continue;
    const { textBefore } = text;
    const own = items.flatMap(i => replacements[i] ?? []);
    const made = replaceLiterals(joinLines(textBefore), own);
    for (const [k, n] of made.counts.entries()) {
      const total = places[items[k] ?? -1];
      if (total === undefined || n === 0) continue;
      total.places += n;
      total.files += 1;
    }
    if (made.counts.some(n => n > 0))
      files.push(await prepareReplaced({ path, ...text, textBefore }, made.text, context));
  }
  for (const [i, { places: n }] of places.entries())
    if (n === 0 && problems.length === 0)
      problems.push(`replace ${i + 1}: old occurs in none of its files`);
  const summary = places
    .map((n, i) => `replace ${i + 1}: ${plural(n.places, 'place')} in ${plural(n.files, 'file')}`)
    .join('\n');
  return { files, problems, summary };
}

/** The files of the session that a list names: files, folders and patterns; without a list, those of the plan. */
async function findPaths(
  named: readonly string[] | undefined,
  { session, evidence }: ToolContext,
): Promise<{ readonly paths: readonly string[]; readonly problems: readonly string[] }> {
  const all = (await session.files()).filter(f => f.mode.startsWith('100')).map(f => f.path);
  const known = new Set(all);
  const list = named ?? evidence.plan?.affectedFiles ?? [];
  const problems: string[] = [];
  const paths = list.flatMap(each => {
    const path = normalisePath(each);
    if (path !== undefined && known.has(path)) return [path];
    const matches = /[*?[{]/.test(each) ? pathMatcher([each]) : undefined;
    const found = all.filter(p =>
      matches === undefined ? p.startsWith(`${path}/`) : matches(p) !== undefined,
    );
    // a file that the plan is going to make holds nothing yet
    if (found.length === 0 && named !== undefined) problems.push(`${each}: no such file`);
    return found;
  });
  return { paths: [...new Set(paths)], problems };
}

async function findTakenFiles(
  name: BulkArgs['from_command'],
  context: ToolContext,
): Promise<Found & { readonly kept: KeptChanges | undefined }> {
  if (name === undefined) return { files: [], problems: [], summary: '', kept: undefined };
  const kept = context.commandBook.find(`${name}` === 'true' ? undefined : `${name}`);
  if (kept === undefined)
    return {
      files: [],
      problems: ['from_command: no command changed project files'],
      summary: '',
      kept,
    };
  const { changes, notKept, modules } = kept.changes;
  const planned = new Set(context.evidence.plan?.affectedFiles.map(f => normalisePath(f)));
  // a command may leave other new files, such as build output
  const own = changes.filter(c => c.before !== undefined || planned.has(c.path));
  const problems = [
    ...notKept.map(path => `from_command: what it wrote to ${path} was not kept`),
    ...modules.map(path => `${path}: a submodule, which a patch cannot hold`),
  ];
  const files = await Promise.all(own.map(change => takeChange(change, context)));
  const others = changes.filter(c => !own.includes(c));
  const left = others.length === 0 ? '' : leftOut + listFirst(others, c => c.path, { most: 10 });
  return { files, problems, kept, summary: `from command: ${plural(own.length, 'file')}${left}` };
}

const leftOut = '; left out, because the plan does not name them: ';

async function takeChange(change: FileChange, context: ToolContext): Promise<Preparation> {
  const { path, after } = change;
  const found = await findText(path, context);
  if (typeof found === 'string') return { ok: false, problems: [found] };
  if (differs({ before: found.before, after: change.before }))
    return { ok: false, problems: [`${path}: changed since the command; run it again`] };
  const text = parseState(after);
  if (text === undefined) return makeGone({ path, ...found });
  const unheld = after && nameUnheld(after, text === 'binary');
  if (text === 'binary' || unheld !== undefined)
    return { ok: false, problems: [`${path}: ${unheld}, which a patch cannot hold`] };
  const replacements =
    found.textBefore === undefined ? 'all' : compareTexts(found.textBefore, text);
  return checkFile({ path, ...found, text, replacements }, context, after?.mode);
}

function prepareReplaced(
  file: Pick<Prepared, 'path' | 'before'> & { readonly textBefore: TextFile },
  content: string,
  context: ToolContext,
): Promise<Preparation> {
  const text = replaceContent(file.textBefore, content);
  return checkFile({ ...file, text, replacements: compareTexts(file.textBefore, text) }, context);
}

const compareTexts = ({ lines }: TextFile, after: TextFile): readonly Replacement[] =>
  listChanged({ startLine: 1, endLine: lines.length }, lines, after.lines);

function joinLines(file: TextFile): string {
  return `${file.lines.join('\n')}${file.lines.length === 0 || isOpen(file) ? '' : '\n'}`;
}

/** The files in which a bulk change gives a definition its new name: what it makes of one is worth more than a use. */
export async function findRenaming(
  files: readonly Prepared[],
  { symbols }: ToolContext,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { path, textBefore, text } of files) {
    const [before = [], after = []] = await Promise.all(
      [textBefore, text].map(t => symbols.listSymbols(path, t?.lines.join('\n') ?? '')),
    );
    const had = new Set(before.map(s => s.name));
    if (after.some(s => !had.has(s.name))) found.add(path);
  }
  return found;
}
