/** Renders the outline of a file, the result of reading a path without lines. */
import type { CodeSymbol } from './definitions.ts';
import { renderSymbol } from './format.ts';

const maxSymbols = 300;

/** The symbols of a file, and why there are none for a file that was not parsed. */
export interface OutlineSymbols {
  readonly symbols: readonly CodeSymbol[];
  readonly notParsed: string | null;
}

/** The path, the size and the symbols of a file, without its text. */
export function renderOutline(
  path: string,
  lineCount: number,
  { symbols, notParsed }: OutlineSymbols,
): string {
  const head = `${path}: ${lineCount} lines`;
  if (symbols.length === 0)
    return `${head}. ${notParsed === null ? 'No symbols are known' : `The file was ${notParsed}`}; read the file by lines.`;
  const rows = symbols.slice(0, maxSymbols).map(s => `  ${renderSymbol(s)}`);
  const rest =
    symbols.length > maxSymbols ? [`  [cut: ${symbols.length - maxSymbols} more symbols]`] : [];
  return [head, ...rows, ...rest].join('\n');
}
