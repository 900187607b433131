/** Renders files with their symbols for the model: a page of a listing, and the outline of one file. Reports what was cut. */
import type { CodeSymbol } from './definitions.ts';
import { renderSymbol } from './format.ts';

export interface ListedFile {
  readonly path: string;
  readonly mode: string;
  readonly symbols: readonly CodeSymbol[];
}

export interface Page {
  readonly offset: number;
  /** Number of files on all pages. */
  readonly total: number;
  readonly maxBytes: number;
}

const maxSymbols = 40;

/** Sorts files by depth, then by path. */
export function rankFiles<T extends { readonly path: string }>(files: readonly T[]): readonly T[] {
  const depth = (path: string) => path.split('/').length;
  return [...files].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

/** Renders one line for each file; `shown` is the number of files that fit. */
export function renderListing(
  files: readonly ListedFile[],
  page: Page,
): { text: string; shown: number } {
  const rows: string[] = [];
  let bytes = 0;
  for (const file of files) {
    const row = renderFile(file);
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > page.maxBytes && rows.length > 0) break;
    rows.push(row);
  }
  const end = page.offset + rows.length;
  const more =
    end < page.total ? `\n[cut: ${page.total - end} more files; next page: offset ${end}]` : '';
  return { text: rows.join('\n') + more, shown: rows.length };
}

function renderFile(file: ListedFile): string {
  const kinds: Readonly<Record<string, string>> = { '120000': ' (link)', '160000': ' (submodule)' };
  const symbols = file.symbols.slice(0, maxSymbols).map(renderSymbol);
  const rest =
    file.symbols.length > maxSymbols ? [`+${file.symbols.length - maxSymbols} more`] : [];
  return [`${printablePath(file.path)}${kinds[file.mode] ?? ''}`, ...symbols, ...rest].join(' ');
}

/** A path on one line, whatever characters it holds. */
export function printablePath(path: string): string {
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}

const maxOutlined = 300;

/** The symbols of a file, and why there are none for a file that was not parsed. */
export interface OutlineSymbols {
  readonly symbols: readonly CodeSymbol[];
  readonly notParsed: string | undefined;
}

/** The path, the size and the symbols of a file, without its text. */
export function renderOutline(
  path: string,
  lineCount: number,
  { symbols, notParsed }: OutlineSymbols,
): string {
  const head = `${path}: ${lineCount} lines`;
  if (symbols.length === 0)
    return `${head}. ${notParsed === undefined ? 'No symbols are known' : `The file was ${notParsed}`}; read the file by lines.`;
  const rows = symbols.slice(0, maxOutlined).map(s => `  ${renderSymbol(s)}`);
  const rest =
    symbols.length > maxOutlined ? [`  [cut: ${symbols.length - maxOutlined} more symbols]`] : [];
  return [head, ...rows, ...rest].join('\n');
}
