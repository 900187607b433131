/** Renders the manifest table with the status of each task as Markdown, cell by cell without loss, and parses it back. */

/** Every status; state file and manifest use the same names. */
export const taskStatuses = [
  'PENDING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'SKIPPED',
  'NEEDS_REVIEW',
] as const;

export type TaskStatus = (typeof taskStatuses)[number];

/** A task as the manifest lists it: one row per output, or one row with empty cells when there is no output. */
export interface ManifestTask {
  readonly id: string;
  readonly status: TaskStatus;
  readonly outputs: readonly { readonly description: string; readonly path: string }[];
}

export const tableHead = ['| Task | Artifact | Path | Status |', '|---|---|---|---|'];

/** One row per output; a task without outputs has one row whose middle cells are empty. */
export function renderTable(tasks: readonly ManifestTask[]): readonly string[] {
  const rows = tasks.flatMap(({ id, status, outputs }) =>
    (outputs.length > 0 ? outputs : [{ description: '', path: '' }]).map(o =>
      [id, o.description, o.path, status].map(escapeCell),
    ),
  );
  return [...tableHead, ...rows.map(cells => `| ${cells.join(' | ')} |`)];
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

/**
 * Parses the lines of a table that `renderTable` made.
 * @returns undefined when a line is none that it could have made, so that the table has one meaning only.
 */
export function parseTable(lines: readonly string[]): readonly ManifestTask[] | undefined {
  const tasks = new Map<string, ManifestTask>();
  for (const line of lines.slice(tableHead.length)) {
    const [id = '', description = '', path = '', status = ''] = splitCells(line);
    if (!isStatus(status)) return undefined;
    const outputs = tasks.get(id)?.outputs ?? [];
    tasks.set(id, {
      id,
      status,
      outputs: path === '' ? outputs : [...outputs, { description, path }],
    });
  }
  const parsed = [...tasks.values()];
  return renderTable(parsed).join('\n') === lines.join('\n') ? parsed : undefined;
}

/**
 * Says where a manifest differs from the state; undefined when it does not. A task that runs may be listed as pending, and
 * the other way round: a start and an interruption write no commit.
 */
export function findDifference(
  listed: readonly ManifestTask[] | undefined,
  wanted: readonly ManifestTask[],
): string | undefined {
  if (listed === undefined) return 'its table cannot be read';
  const renderRows = (tasks: readonly ManifestTask[]) =>
    new Set(
      renderTable(tasks.map(t => (t.status === 'RUNNING' ? { ...t, status: 'PENDING' } : t))),
    );
  const [there, due] = [renderRows(listed), renderRows(wanted)];
  const stale = [...there].find(row => !due.has(row));
  const missing = [...due].find(row => !there.has(row));
  if (stale !== undefined) return `it lists "${stale}"`;
  return missing === undefined ? undefined : `it lacks "${missing}"`;
}

function isStatus(text: string): text is TaskStatus {
  return (taskStatuses as readonly string[]).includes(text);
}

const unescapes = new Map(Object.entries(escapes).map(([raw, escaped]) => [escaped, raw]));

/** The cells of a row, as they were before they were escaped. */
function splitCells(line: string): readonly string[] {
  const cells = [''];
  for (const [token] of line.matchAll(/\\.|./gs)) {
    if (token === '|') cells.push('');
    else cells[cells.length - 1] += unescapes.get(token) ?? token;
  }
  // a bar begins and ends the row, and a space begins and ends a cell
  return cells.slice(1, -1).map(cell => cell.slice(1, -1));
}
