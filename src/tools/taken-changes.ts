/** What a patch takes over of the changes that a command made to project files. Writes nothing. */
import { listFirst, plural } from '../base/plural.ts';
import { normalisePath } from '../guard/paths.ts';
import { differs, type FileChange, nameUnheld } from '../workspace/files/change.ts';
import type { KeptChanges } from '../workspace/session/command-changes.ts';
import {
  checkFile,
  findText,
  listChanged,
  makeGone,
  type Preparation,
  type Prepared,
} from './prepare-file.ts';
import { parseState } from './show-changes.ts';
import type { ToolContext } from './tool.ts';

export interface Taken {
  readonly files: readonly Prepared[];
  readonly problems: readonly string[];
  /** How many files are taken over, for the result; empty for a call that takes none. */
  readonly summary: string;
  /** The changes of the command. */
  readonly kept: KeptChanges | undefined;
}

/** Prepares the changes of the command of this name; those of the last one by `true`, and none without a name. */
export async function takeChanges(
  name: true | string | undefined,
  context: ToolContext,
): Promise<Taken> {
  const none = { files: [], problems: [], summary: '', kept: undefined };
  if (name === undefined) return none;
  const kept = context.commandBook.find(`${name}` === 'true' ? undefined : `${name}`);
  if (kept === undefined)
    return { ...none, problems: ['from_command: no command changed project files'] };
  const { changes, notKept, modules } = kept.changes;
  const planned = new Set(context.evidence.plan?.affectedFiles.map(f => normalisePath(f)));
  // a command may leave other new files, such as build output
  const own = changes.filter(c => c.before !== undefined || planned.has(c.path));
  const made = await Promise.all(own.map(change => takeChange(change, context)));
  const others = changes.filter(c => !own.includes(c));
  const left = others.length === 0 ? '' : leftOut + listFirst(others, c => c.path, { most: 10 });
  return {
    files: made.flatMap(p => (p.ok ? [p.file] : [])),
    problems: [
      ...notKept.map(path => `from_command: what it wrote to ${path} was not kept`),
      ...modules.map(path => `${path}: a submodule, which a patch cannot hold`),
      ...made.flatMap(p => (p.ok ? [] : p.problems)),
    ],
    summary: `from command: ${plural(own.length, 'file')}${left}`,
    kept,
  };
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
  const { lines } = found.textBefore ?? {};
  const replacements =
    lines === undefined
      ? 'all'
      : listChanged({ startLine: 1, endLine: lines.length }, lines, text.lines);
  return checkFile({ path, ...found, text, replacements }, context, after?.mode);
}
