/** Finds symbols by name or line, and definitions and uses of a name by search and syntax, without a language server. */
import type { CodeSymbol } from './definitions.ts';
import type { Symbols } from './symbols.ts';

export interface SymbolLocation {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The definition itself, or the symbol around a use; undefined at the top of a file. */
  readonly symbol: CodeSymbol | undefined;
}

export interface Locations {
  readonly places: readonly SymbolLocation[];
  /** True if there may be more. */
  readonly cut: boolean;
}

export interface LookupSource {
  readonly symbols: Symbols;
  /** Lines that hold a word, bounded for each file: in all files, or in those that the index can parse. */
  readonly search: (
    word: string,
    where: 'everywhere' | 'code',
  ) => Promise<{
    readonly hits: readonly { readonly path: string; readonly line: number }[];
    readonly cut: boolean;
  }>;
  /** The files that hold each of these words, by one search. */
  readonly filesHolding: (
    words: readonly string[],
  ) => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** The current text of a file; undefined if it does not exist or is not text. */
  readonly text: (path: string) => Promise<string | undefined>;
}

export interface SymbolQuery {
  /** `name`, `Class.name`, or as in a listing (`F:name:L42`). */
  readonly name: string;
  /** The file of the request: its own definitions, and those near it, come first. */
  readonly from: string;
}

const maxFiles = 300;

/** The definitions of a name, the most likely first. */
export async function findDefinitions(
  source: LookupSource,
  wanted: SymbolQuery,
): Promise<Locations> {
  const { paths, cut } = await filesNaming(source, wanted, 'code');
  const found = await Promise.all(
    paths.map(async path => {
      const symbols = findSymbol(await symbolsIn(source, path), wanted.name);
      return symbols.map(symbol => ({ path, line: symbol.startLine, symbol }));
    }),
  );
  return { places: found.flat().sort(byLikelihood(wanted.from)), cut };
}

/** The uses of a name in code, including its definitions; the nearest files first. */
export async function lookUpReferences(
  source: LookupSource,
  wanted: SymbolQuery,
): Promise<Locations> {
  const { paths, cut, hits } = await filesNaming(source, wanted, 'everywhere');
  const word = lastPart(wanted.name);
  const found = await Promise.all(
    paths.map(async path => {
      const text = await source.text(path);
      if (text === undefined) return [];
      const lines =
        (await source.symbols.linesNaming(path, text, word)) ??
        hits.filter(h => h.path === path).map(h => h.line);
      const symbols = await source.symbols.listSymbols(path, text);
      return lines.map(line => ({ path, line, symbol: enclosingSymbol(symbols, line) }));
    }),
  );
  return { places: found.flat().sort(byLikelihood(wanted.from)), cut };
}

/** The symbols of the current text of a file; none if it is not text. */
export async function symbolsIn(
  source: Pick<LookupSource, 'symbols' | 'text'>,
  path: string,
): Promise<readonly CodeSymbol[]> {
  const text = await source.text(path);
  return text === undefined ? [] : source.symbols.listSymbols(path, text);
}

async function filesNaming(
  source: LookupSource,
  { name, from }: SymbolQuery,
  where: 'everywhere' | 'code',
) {
  const { hits, cut } = await source.search(lastPart(name), where);
  const all = [...new Set(hits.map(h => h.path))].sort(byDistance(from));
  return { hits, paths: all.slice(0, maxFiles), cut: cut || all.length > maxFiles };
}

/** The innermost symbol around a line, or undefined. */
export function enclosingSymbol(
  symbols: readonly CodeSymbol[],
  line: number,
): CodeSymbol | undefined {
  const around = symbols.filter(s => s.startLine <= line && line <= s.endLine);
  return around.sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0];
}

/** A symbol as a listing shows it: its name and its first line. */
const listed = /^[FCMITEVN]:(.+):L(\d+)(?:-\d+)?$/;

/** The symbols with a name: `name`, `Class.name`, or as in a listing (`F:name:L42`). */
export function findSymbol(symbols: readonly CodeSymbol[], wanted: string): readonly CodeSymbol[] {
  const [, name = wanted, line = ''] = listed.exec(wanted) ?? [];
  const found = symbols.filter(s => s.name === name || `${s.container}.${s.name}` === name);
  const there = found.filter(s => s.startLine === Number(line));
  return there.length > 0 ? there : found;
}

/** The word to search for: the last part of a qualified name. */
export function lastPart(name: string): string {
  const plain = listed.exec(name)?.[1] ?? name;
  return /(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+[!?]?$/u.exec(plain)?.[0] ?? plain;
}

/** Tests, fixtures, examples and vendored code, which are seldom what a lookup wants. */
export const isTestLike = (path: string) => testLike.some(place => place.test(path));
const testLike: readonly RegExp[] = [
  /(^|\/)((unit|integration)?[-_]?tests?|specs?|__tests__|testing|e2e|t)\//,
  /(^|\/)(testdata|fixtures?|examples?|vendor|third_party)\//,
  /(^|\/)(test_|conftest\b)[^/]*$|[._-](test|spec)s?\.|\w(Test|Spec)s?\.\w+$/,
];

function byLikelihood(from: string) {
  const near = byDistance(from);
  return (a: SymbolLocation, b: SymbolLocation) => near(a.path, b.path) || a.line - b.line;
}

/** Sorts by distance: the file itself, then code before tests, then by folders in between, then by name. */
function byDistance(from: string) {
  const rank = (path: string) => [
    path === from ? 0 : 1,
    isTestLike(path) && !isTestLike(from) ? 1 : 0,
    foldersBetween(path, from),
  ];
  return (a: string, b: string) => {
    const [x, y] = [rank(a), rank(b)];
    const first = x.findIndex((value, i) => value !== y[i]);
    return first < 0 ? (a < b ? -1 : a > b ? 1 : 0) : (x[first] ?? 0) - (y[first] ?? 0);
  };
}

function foldersBetween(path: string, from: string): number {
  const [a, b] = [path.split('/').slice(0, -1), from.split('/').slice(0, -1)];
  const shared = a.findIndex((part, i) => part !== b[i]);
  const common = shared < 0 ? a.length : shared;
  return a.length - common + (b.length - common);
}
