/** Reads the forms of arguments that models know from other agents, as those of Photon's tools. Pure. */
import { asObject } from '../base/schema-issue.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The form that apply_patch expects, for what it refuses. */
export const expectedForm =
  '{"path": "a.js", "edits": [{"start_line": 3, "end_line": 4, "old": "first and last line", "content": "new lines"}]}';

/** Names of what an edit replaces, and of what stands there then. */
const oldNames = ['old_string', 'old_str', 'old_text', 'old'];
const newNames = ['new_string', 'new_str', 'new_text', 'new', 'content'];
const diffNames = ['patch', 'diff', 'input'];

/**
 * A unified diff, the envelope of codex, and texts to replace, as arguments of apply_patch.
 * @param given the arguments, or their text if they are no JSON.
 * @returns undefined for another form, and for one of which a part cannot be read.
 */
export function readPatchForm(given: unknown): object | undefined {
  const { reason, dry_run, ...args } = asObject(
    typeof given === 'string' ? { patch: given } : given,
  );
  const files = 'from_command' in args ? undefined : readFiles(args);
  return files === undefined ? undefined : { ...pick({ reason, dry_run }), files };
}

function readFiles(args: Fields): readonly object[] | undefined {
  const { path: name, file_path: path = name, ...own } = args;
  const { name: diffName, value: text } = only(own, diffNames);
  if (diffName !== undefined && typeof text === 'string' && Object.keys(own).length === 1)
    return readDiff(text, path);
  const given = Array.isArray(args.files) ? args.files.map(asObject) : [args];
  return keepWhole(given.map(readFile));
}

/** The items if there are some and each could be read. */
const keepWhole = <T>(items: readonly (T | undefined)[]): readonly T[] | undefined => {
  const found = items.filter(item => item !== undefined);
  return found.length === 0 || found.length < items.length ? undefined : found;
};

/** A file in one of the other forms; undefined if it has none of them. */
function readFile(file: Fields): object | undefined {
  const { path: name, file_path: path = name, file_text, edits, command: _, ...edit } = file;
  if (file_text !== undefined) return { path, content: file_text, ...edit };
  if (Array.isArray(edits)) {
    const read = keepWhole(edits.map(each => readEdit(asObject(each))));
    return read && { path, edits: read, ...edit };
  }
  const read = readEdit(edit);
  return read?.old === '' ? { path, content: read.content } : read && { path, edits: [read] };
}

/** An edit by the text that it replaces. One of every place of it is that of the one place, or is refused with their lines. */
function readEdit(edit: Fields): Fields | undefined {
  const [old, made] = [only(edit, oldNames), only(edit, newNames)];
  if (old.name === undefined || made.name === undefined) return undefined;
  const { [old.name]: _, [made.name]: __, replace_all: ___, ...more } = edit;
  return { ...more, old: old.value, content: made.value };
}

/** The one field with one of these names. */
function only(fields: Fields, names: readonly string[]) {
  const [name, another] = names.filter(each => fields[each] !== undefined);
  return name === undefined || another !== undefined ? {} : { name, value: fields[name] };
}

const pick = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The head of a file in a diff, or in the envelope of codex. */
const heads =
  /^(?:\*\*\* (?<action>Add|Delete|Update) File: (?<named>.+)|--- (?<from>[^\t\n]+).*\n\+\+\+ (?<to>[^\t\n]+).*)$/gm;
/** Lines that say nothing of the text of a file. */
const around =
  /^(?:diff --git |index |(?:new|deleted) file mode |Index: |={10}|\*\*\* (?:Begin Patch|End Patch|End of File)$)/;

/** The files of a diff; undefined if a part of it cannot be read. Its lines are looked for, whatever numbers it states. */
function readDiff(given: string, path: unknown): readonly object[] | undefined {
  const text = given.replace(/\r\n/g, '\n').replace(/^\s*```\w*\n|\n```\s*$/g, '');
  const isBare = typeof path === 'string' && text.search(heads) < 0;
  const whole = isBare ? `*** Update File: ${path}\n${text}` : text;
  const found = [...whole.matchAll(heads)];
  const parts = found.map(({ 0: head, index, groups = {} }, i) =>
    readPart(groups, whole.slice(index + head.length, found[i + 1]?.index)),
  );
  const before = whole.slice(0, found[0]?.index).split('\n');
  return before.every(line => line === '' || around.test(line)) ? keepWhole(parts) : undefined;
}

function readPart(head: Readonly<Record<string, string>>, body: string): object | undefined {
  const [from = '', to = ''] = [head.named ?? head.from, head.named ?? head.to];
  const isGit = /^(?:a\/|\/dev\/null$)/.test(from) && /^(?:b\/|\/dev\/null$)/.test(to);
  const [path, name] = [from, to].map(each => (isGit ? each.replace(/^[ab]\//, '') : each));
  if (head.action === 'Delete' || to === '/dev/null') return { path, delete: true };
  const hunks = keepWhole(body.split(/^@@.*$/m).flatMap(readHunk));
  if (hunks === undefined) return undefined;
  if (head.action !== 'Add' && from !== '/dev/null')
    return path === name && hunks.every(({ old }) => old !== '')
      ? { path, edits: hunks }
      : undefined;
  const [hunk, another] = hunks;
  const isNew = hunk?.old === '' && another === undefined;
  return isNew ? { path: name, content: hunk.content } : undefined;
}

/** The lines of a hunk before and after, as texts; none of a hunk without lines. */
function readHunk(text: string): readonly ({ old: string; content: string } | undefined)[] {
  const [, ...all] = text.split('\n').filter(line => !around.test(line));
  // a blank line at the end only parts a hunk from what follows
  const lines = all.slice(0, all.findLastIndex(line => line !== '') + 1);
  if (lines.length === 0) return [];
  if (!lines.every(line => /^(?:[-+ ]|$)/.test(line))) return [undefined];
  const [old = '', content = ''] = ['-', '+'].map(sign => {
    const own = lines.filter(line => line === '' || line.startsWith(' ') || line.startsWith(sign));
    return own.map(line => `${line.slice(1)}\n`).join('');
  });
  return [{ old, content }];
}

/** The numbers of a view, as arguments of read_code_block; undefined for another form. */
export function readViewForm(given: unknown): object | undefined {
  const { view_range: range, offset, limit, ...args } = asObject(given);
  if (Array.isArray(range)) {
    const [start_line, end_line] = range;
    return { ...args, ...pick({ start_line, end_line: end_line === -1 ? undefined : end_line }) };
  }
  if (typeof offset !== 'number' && typeof limit !== 'number') return undefined;
  const first = Math.max(1, Number(offset ?? 1));
  return { ...args, start_line: first, end_line: first + Number(limit ?? 200) - 1 };
}

/** The words of a command, or its description, as arguments of run_command; undefined for another form. */
export function readShellForm(given: unknown): object | undefined {
  const { cmd, command = cmd, description, ...args } = asObject(given);
  const [shell, flag, line, ...more] = Array.isArray(command) ? command : [];
  const isLine = /^(?:ba|z)?sh$/.test(String(shell)) && /^-l?c$/.test(String(flag));
  if (isLine && more.length === 0) return { ...args, command: line };
  if (Array.isArray(command) || (cmd === undefined && description === undefined)) return undefined;
  return { ...args, command };
}
