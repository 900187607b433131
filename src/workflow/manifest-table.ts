/** Renders the manifest table as Markdown, cell by cell without loss. */
import type { TaskStatus } from './status.ts';

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
