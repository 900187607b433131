/** Reads the forms of arguments that models know from other agents, as those of Photon's tools. Pure. */
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';
import { asObject } from '../base/schema-issue.ts';
import { attempt } from '../base/system-errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The form that apply_patch expects, for what it refuses. */
export const expectedForm =
  '{"path": "a.js", "edits": [{"start_line": 3, "end_line": 4, "old": "first and last line", "content": "new lines"}]}';

/** Names of what an edit replaces, and of what stands there then. */
const oldNames = ['old_string', 'old_str', 'old_text', 'old'];
const newNames = ['new_string', 'new_str', 'new_text', 'new', 'content'];
const diffNames = ['patch', 'diff', 'input'];

const nameFields = (names: readonly string[], schema: object): Fields =>
  Object.fromEntries(names.map(name => [name, schema]));

/** What the other forms name besides the arguments of their tools, as JSON schemas: a protocol may have to know each name. */
export const formFields = {
  patch: {
    ...nameFields([...oldNames, ...newNames, ...diffNames, 'file_path', 'file_text', 'command'], {
      type: 'string',
    }),
    replace_all: { type: 'boolean' },
  },
  view: { view_range: {}, ...nameFields(['offset', 'limit'], { type: 'integer' }) },
  shell: nameFields(['cmd', 'description'], { type: 'string' }),
} as const;

/**
 * A unified diff, the envelope of codex, and texts to replace, as arguments of apply_patch.
 * @param given the arguments, or their text if they are no JSON.
 * @returns undefined for another form, and for one of which a part cannot be read.
 */
export function readPatchForm(given: unknown): object | undefined {
  const { reason, dry_run, ...args } = asObject(
    typeof given === 'string' ? { patch: given } : given,
  );
  const made = readWholePatch(args);
  if (made === undefined) return undefined;
  return { ...pick({ reason, dry_run }), ...made };
}

function readWholePatch(args: Fields): object | undefined {
  if ('replace' in args || 'from_command' in args) return undefined;
  const { path: name, file_path: path = name, ...own } = args;
  const { name: diffName, value: text } = only(own, diffNames);
  if (diffName !== undefined && typeof text === 'string' && Object.keys(own).length === 1) {
    const files = readDiff(text, typeof path === 'string' ? path : undefined);
    return files === undefined ? undefined : { files };
  }
  if (own.replace_all === true) return readReplaceAll({ ...own, path });
  const given = Array.isArray(args.files) ? args.files.map(asObject) : [args];
  const files = given.map(readFile);
  return files.includes(undefined) ? undefined : { files };
}

/** Every place of a text. */
function readReplaceAll({ path, replace_all: _, ...edit }: Fields): object | undefined {
  const { old, content, ...more } = readEdit(edit) ?? {};
  const isPlain = typeof old === 'string' && Object.keys(more).length === 0;
  return isPlain ? { replace: [{ old, new: content, paths: [path] }] } : undefined;
}

/** A file in one of the other forms; undefined if it has none of them. */
function readFile(file: Fields): object | undefined {
  const { path: name, file_path: path = name, file_text, edits, command: _, ...edit } = file;
  if (file_text !== undefined) return { path, content: file_text, ...edit };
  if (Array.isArray(edits)) {
    const read = edits.map(each => readEdit(asObject(each)));
    return read.includes(undefined) ? undefined : { path, edits: read, ...edit };
  }
  const read = readEdit(edit);
  return read?.old === '' ? { path, content: read.content } : read && { path, edits: [read] };
}

/** An edit by the text that it replaces. */
function readEdit(edit: Fields): Fields | undefined {
  const [old, made] = [only(edit, oldNames), only(edit, newNames)];
  if (old.name === undefined || made.name === undefined || edit.replace_all === true)
    return undefined;
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

/** The files of a diff; undefined if a part of it cannot be read. */
function readDiff(text: string, path: string | undefined): readonly object[] | undefined {
  const unified = asUnified(text, path);
  if (unified === undefined) return undefined;
  const files = attempt(() => parsePatch(unified.diff).map(readFileDiff));
  return files === undefined || files.includes(undefined)
    ? undefined
    : [...unified.deleted, ...files.flatMap(f => f ?? [])];
}

const header =
  /^(?:diff --git |index |new file mode |deleted file mode |Index: |={10}|--- |\+\+\+ )/;

/** A diff as `diff` parses it: with file headers, and with hunks that state their lines. */
function asUnified(text: string, path: string | undefined) {
  const lines = text
    .replace(/\r\n/g, '\n')
    .replace(/^\s*```\w*\n|\n```\s*$/g, '')
    .split('\n');
  const isBare =
    path !== undefined && !lines.some(line => /^(?:--- |\*\*\* \w+ File: )/.test(line));
  const diff = isBare ? [`--- ${path}`, `+++ ${path}`] : [];
  const deleted: object[] = [];
  let hunk: { readonly head: string; readonly body: string[] } | undefined;
  const open = (head: string) => {
    if (hunk !== undefined) diff.push(...renderHunk(hunk.head, hunk.body));
    hunk = head === '' ? undefined : { head, body: [] };
  };
  for (const [i, line] of lines.entries()) {
    const [, action, named = ''] = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(line) ?? [];
    const begins = line.startsWith('--- ') && lines[i + 1]?.startsWith('+++ ') === true;
    if (line.startsWith('@@')) open(line);
    else if (action === 'Delete') deleted.push({ path: named, delete: true });
    else if (action !== undefined) {
      open('');
      diff.push(`--- ${action === 'Add' ? '/dev/null' : named}`, `+++ ${named}`);
      open('@@');
    } else if (/^\*\*\* (?:Begin Patch|End Patch|End of File)$/.test(line)) open('');
    else if (begins || (header.test(line) && (hunk === undefined || !/^[-+]/.test(line)))) {
      open('');
      diff.push(line);
    } else if (hunk !== undefined && /^(?:[-+ \\]|$)/.test(line)) hunk.body.push(line);
    else if (line.trim() !== '') return undefined;
  }
  open('');
  return { diff: diff.join('\n'), deleted };
}

/** A hunk whose head counts its lines; a blank line at its end only parts it from what follows. */
function renderHunk(head: string, body: readonly string[]): readonly string[] {
  const end = body.findLastIndex(line => line !== '') + 1;
  const lines = body.slice(0, end).map(line => line || ' ');
  const count = (signs: RegExp) => lines.filter(line => signs.test(line)).length;
  const start = /^@@ -(\d+)/.exec(head)?.[1] ?? '0';
  const from = `${start},${count(/^[- ]/)}`;
  return lines.length === 0 ? [] : [`@@ -${from} +${start},${count(/^[+ ]/)} @@`, ...lines];
}

function readFileDiff({ oldFileName = '', newFileName = '', hunks }: StructuredPatch) {
  const isGit =
    /^(?:a\/|\/dev\/null$)/.test(oldFileName) && /^(?:b\/|\/dev\/null$)/.test(newFileName);
  const [from, to] = [oldFileName, newFileName].map(name =>
    isGit ? name.replace(/^[ab]\//, '') : name,
  );
  if (hunks.length === 0 || from === '' || to === '') return undefined;
  if (to === '/dev/null') return { path: from, delete: true };
  const made = hunks.map(readHunk);
  const ends = hunks.flatMap(h => findEnd(h) ?? []);
  if (from === '/dev/null') {
    const [first, another] = made;
    const content = hunks[0]?.lines
      .filter(l => l.startsWith('+'))
      .map(l => `${l.slice(1)}\n`)
      .join('');
    const isNew = first?.old === '' && another === undefined;
    return isNew
      ? { path: to, content: ends[0] === false ? content?.slice(0, -1) : content }
      : undefined;
  }
  // a hunk without a line of the file has its number alone
  const isPlaced = hunks.every((h, i) => made[i]?.old !== '' || h.oldStart > 1);
  if (from !== to || !isPlaced) return undefined;
  const edits = made.map(({ old, content }, i) => {
    const start_line = hunks[i]?.oldStart ?? 1;
    return old === '' ? { start_line, end_line: start_line - 1, content } : { old, content };
  });
  return { path: from, edits, ...pick({ final_newline: ends[0] }) };
}

/** The lines of a hunk before and after, as texts; the last one ends with a newline if it is blank. */
function readHunk({ lines }: StructuredPatchHunk) {
  const [old = '', content = ''] = [/^[- ]/, /^[+ ]/].map(signs => {
    const own = lines.filter(line => signs.test(line)).map(line => line.slice(1));
    return own.at(-1) === '' ? `${own.join('\n')}\n` : own.join('\n');
  });
  return { old, content };
}

/** Whether a hunk says that its file ends with a newline now, or that it no longer does. */
function findEnd({ lines }: StructuredPatchHunk): boolean | undefined {
  const signs = lines.flatMap((line, i) =>
    line.startsWith('\\') ? (lines[i - 1] ?? '').slice(0, 1) : [],
  );
  return signs.includes('+') ? false : signs.includes('-') ? true : undefined;
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
