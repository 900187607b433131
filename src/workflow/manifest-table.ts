/** The table of the manifest as Markdown and back, cell by cell without loss. */
import { type TaskStatus, taskStatuses } from './status.ts';

const head = ['| Task | Artifact | Path | Status |', '|---|---|---|---|'];

/** One row an output; a task without outputs has one row whose middle cells are empty. */
export function renderTable(tasks: readonly ManifestTask[]): readonly string[] {
  const rows = tasks.flatMap(({ id, status, outputs }) =>
    (outputs.length > 0 ? outputs : [{ description: '', path: '' }]).map(o =>
      [id, o.description, o.path, status].map(escapeCell),
    ),
  );
  return [...head, ...rows.map(cells => `| ${cells.join(' | ')} |`)];
}

/** The tasks of a table; null when a row is not one that `renderTable` could have written. */
export function parseTable(lines: readonly string[]): readonly ManifestTask[] | null {
  if (lines[0] !== head[0] || lines[1] !== head[1]) return null;
  const tasks: ManifestTask[] = [];
  for (const line of lines.slice(2)) {
    const [id, description, path, status, ...more] = cellsOf(line) ?? [];
    if (!id || description === undefined || path === undefined || more.length > 0) return null;
    if (!isStatus(status)) return null;
    const last = tasks.at(-1);
    const outputs = path === '' && description === '' ? [] : [{ description, path }];
    if (last?.id !== id) {
      if (tasks.some(t => t.id === id)) return null;
      tasks.push({ id, status, outputs });
    } else if (last.status === status && outputs.length > 0 && last.outputs.length > 0)
      tasks[tasks.length - 1] = { ...last, outputs: [...last.outputs, ...outputs] };
    else return null;
  }
  return tasks;
}

function isStatus(text: string | undefined): text is TaskStatus {
  return (taskStatuses as readonly (string | undefined)[]).includes(text);
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '|': '\\|',
  '\n': '\\n',
  '\r': '\\r',
};

function escapeCell(text: string): string {
  return text.replace(/[\\|\n\r]/g, c => escapes[c] ?? c);
}

/** The cells of a row as they were before they were escaped; null when the line is no row. */
function cellsOf(line: string): readonly string[] | null {
  const inner = /^\|(.*)\|\s*$/s.exec(line)?.[1];
  if (inner === undefined) return null;
  const cells = [''];
  for (const [token] of inner.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (token === '|') cells.push('');
    else cells[cells.length - 1] += token;
  }
  const unescaped = (_: string, c: string) => ({ n: '\n', r: '\r' })[c] ?? c;
  return cells.map(cell => cell.replace(/^ | $/g, '').replace(/\\(.)/gs, unescaped));
}

/** A task as the manifest lists it: one row an output, or one with empty cells for a task without. */
export interface ManifestTask {
  readonly id: string;
  readonly status: TaskStatus;
  readonly outputs: readonly { readonly description: string; readonly path: string }[];
}
