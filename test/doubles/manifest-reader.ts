/** Reads the manifest of a `constitution.md` back, with micromark and no code of the writer. */
import { bodyStart } from '../../src/base/markdown.ts';
import {
  type ManifestTask,
  type TaskStatus,
  tableHead,
  taskStatuses,
} from '../../src/workflows/manifest.ts';
import { parseTextFile } from '../../src/workspace/text/text-file.ts';
import { seeMarkdown } from './markdown-oracle.ts';

/** The tasks that the section lists; undefined when there is no section, or one that is no manifest table. */
export function readManifest(bytes: Uint8Array): readonly ManifestTask[] | undefined {
  const file = parseTextFile(bytes);
  if (file === 'binary') return undefined;
  const body = file.lines.slice(bodyStart(file.lines));
  const { headings } = seeMarkdown(body.join('\n'));
  const first = headings.findIndex(h => h.level === 2 && h.text === 'Workflow Artifacts');
  if (first < 0) return undefined;
  const next = headings.slice(first + 1).find(h => h.level <= 2);
  const section = body.slice(headings[first]?.line, next?.line);
  return parseTable(section.filter(line => line.startsWith('|')));
}

/** The tasks of a table; undefined when a row is not one that `renderTable` could have written. */
function parseTable(lines: readonly string[]): readonly ManifestTask[] | undefined {
  if (lines[0] !== tableHead[0] || lines[1] !== tableHead[1]) return undefined;
  const tasks: ManifestTask[] = [];
  for (const line of lines.slice(2)) {
    const [id, description, path, status, ...more] = cellsOf(line) ?? [];
    if (!id || description === undefined || path === undefined || more.length > 0) return undefined;
    if (!isStatus(status)) return undefined;
    const last = tasks.at(-1);
    const outputs = path === '' && description === '' ? [] : [{ description, path }];
    if (last?.id !== id) {
      if (tasks.some(t => t.id === id)) return undefined;
      tasks.push({ id, status, outputs });
    } else if (last.status === status && outputs.length > 0 && last.outputs.length > 0)
      tasks[tasks.length - 1] = { ...last, outputs: [...last.outputs, ...outputs] };
    else return undefined;
  }
  return tasks;
}

function isStatus(text: string | undefined): text is TaskStatus {
  return (taskStatuses as readonly (string | undefined)[]).includes(text);
}

/** The cells of a row as they were before they were escaped; undefined when the line is no row. */
function cellsOf(line: string): readonly string[] | undefined {
  const inner = /^\|(.*)\|\s*$/s.exec(line)?.[1];
  if (inner === undefined) return undefined;
  const cells = [''];
  for (const [token] of inner.matchAll(/\\.|[^\\]|\\$/gsu)) {
    if (token === '|') cells.push('');
    else cells[cells.length - 1] += token;
  }
  const unescaped = (_: string, c: string) => ({ n: '\n', r: '\r' })[c] ?? c;
  return cells.map(cell => cell.replace(/^ | $/g, '').replace(/\\(.)/gs, unescaped));
}
