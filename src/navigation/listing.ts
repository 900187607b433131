/** Renders symbols for the model: one on a line, a page of files with theirs, and the outline of a file. Reports what was cut. */
import type { CodeSymbol } from './definitions.ts';

/** `F:main:L42`, or `C:Parser:L10-88` for several lines. */
export function renderSymbol(symbol: CodeSymbol): string {
  const { startLine, endLine } = symbol;
  return `${renderStart(symbol)}${endLine > startLine ? `-${endLine}` : ''}`;
}

/** `F:main:L42`: a symbol by its first line, where its extent is not asked for. */
export function renderStart({ kind, container, name, startLine }: CodeSymbol): string {
  const full = container === undefined ? name : `${container}.${name}`;
  return `${kind}:${full}:L${startLine}`;
}

export interface ListedFile {
  readonly path: string;
  readonly mode: string;
  readonly symbols: readonly CodeSymbol[];
}

interface Page {
  readonly offset: number;
  /** Number of files on all pages. */
  readonly total: number;
  readonly maxBytes: number;
  /** Which symbols a long listing shows; default: all. */
  readonly isWanted?: ((symbol: CodeSymbol) => boolean) | undefined;
}

const maxSymbols = 40;
/** Bytes up to which a listing shows every symbol, and most bytes of the symbols of a longer one. */
const shortListing = 1500;

/** Sorts files by depth, then by path. */
export function rankFiles<T extends { readonly path: string }>(files: readonly T[]): readonly T[] {
  const depth = (path: string) => path.split('/').length;
  return [...files].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

interface Listing {
  readonly text: string;
  /** Number of files that fit. */
  readonly shown: number;
  /** Paths of the files all of whose symbols are shown. */
  readonly outlined: readonly string[];
}

/** Renders one line for each file that fits. */
export function renderListing(files: readonly ListedFile[], page: Page): Listing {
  const all = files.map(renderFile);
  const { isWanted } = page;
  if (isWanted === undefined || isShort(all)) return fitRows(files, page, '');
  const note = '\n[only symbols that the task or plan names; all with symbols: true]';
  return fitRows(onlyWanted(files, isWanted), page, note);
}

const isShort = (rows: readonly string[]) =>
  rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0) <= shortListing;

/** The files with the symbols that are wanted, as many as fit. */
function onlyWanted(
  files: readonly ListedFile[],
  isWanted: (symbol: CodeSymbol) => boolean,
): readonly ListedFile[] {
  let left = shortListing;
  return files.map(file => {
    const symbols = file.symbols.filter(isWanted).filter(symbol => {
      left -= Buffer.byteLength(renderSymbol(symbol)) + 1;
      return left >= 0;
    });
    return { ...file, symbols };
  });
}

function fitRows(files: readonly ListedFile[], page: Page, note: string): Listing {
  const rows: string[] = [];
  let bytes = 0;
  for (const row of files.map(renderFile)) {
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > page.maxBytes && rows.length > 0) break;
    rows.push(row);
  }
  const end = page.offset + rows.length;
  const more =
    end < page.total ? `\n[cut: ${page.total - end} more files; next page: offset ${end}]` : '';
  const whole = note === '' ? files.slice(0, rows.length) : [];
  const outlined = whole.filter(f => f.symbols.length > 0);
  return {
    text: rows.join('\n') + note + more,
    shown: rows.length,
    outlined: outlined.map(f => f.path),
  };
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
