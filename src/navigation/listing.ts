/** A page of files with their symbols, for the model; says what it cut. */

import type { CodeSymbol } from './definitions.ts';
import { renderSymbol } from './format.ts';

export interface ListedFile {
  readonly path: string;
  readonly mode: string;
  readonly symbols: readonly CodeSymbol[];
}

export interface Page {
  readonly offset: number;
  /** Files there are in all, this page and others. */
  readonly total: number;
  readonly maxBytes: number;
}

const maxSymbols = 40;

/** Shallow files first, then by path. */
export function rankFiles<T extends { readonly path: string }>(files: readonly T[]): readonly T[] {
  const depth = (path: string) => path.split('/').length;
  return [...files].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

/** One line a file; `shown` of them fit. */
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

/** A path on one line whatever it holds. */
export function printablePath(path: string): string {
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}
