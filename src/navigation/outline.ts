/** The outline of a file: the answer to a read that names a path alone. */

import type { CodeSymbol } from './definitions.ts';
import { renderSymbol } from './format.ts';

const maxSymbols = 300;

/** Path, size and symbols; no text of the file. */
export function renderOutline(
  path: string,
  lineCount: number,
  symbols: readonly CodeSymbol[],
): string {
  const head = `${path}: ${lineCount} lines`;
  if (symbols.length === 0) return `${head}; no symbols known, read it by lines.`;
  const rows = symbols.slice(0, maxSymbols).map(s => `  ${renderSymbol(s)}`);
  const rest =
    symbols.length > maxSymbols ? [`  [cut: ${symbols.length - maxSymbols} more symbols]`] : [];
  return [head, ...rows, ...rest].join('\n');
}
