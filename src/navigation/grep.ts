/** Renders a page of search hits, each with its enclosing symbol, and reports what was cut. */
import type { CodeSymbol } from './definitions.ts';
import { enclosingSymbol, renderSymbol } from './format.ts';
import { detectLanguage } from './languages.ts';
import { printablePath } from './listing.ts';
import { testLike } from './lookup.ts';

export interface SearchHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface HitPage {
  readonly offset: number;
  readonly total: number;
  /** True if the search itself stopped early. */
  readonly cut: boolean;
  readonly maxBytes: number;
}

const maxLine = 200;

/** Sorts hits: code first, then tests and examples, then prose. Otherwise keeps the order. */
export function rankHits<T extends { readonly path: string }>(hits: readonly T[]): readonly T[] {
  const rank = (path: string) =>
    detectLanguage(path) === undefined ? 2 : testLike.test(path) ? 1 : 0;
  return [...hits].sort((a, b) => rank(a.path) - rank(b.path));
}

/** Renders hits grouped by file, in their order; `paths` are the files of the hits that fit. */
export function renderHits(
  hits: readonly SearchHit[],
  symbols: ReadonlyMap<string, readonly CodeSymbol[]>,
  page: HitPage,
): { text: string; paths: readonly string[] } {
  if (hits.length === 0) return { text: 'No match.', paths: [] };
  const rows: string[] = [];
  const paths = new Set<string>();
  let bytes = 0;
  let shown = 0;
  for (const hit of hits) {
    const head = paths.has(hit.path) ? [] : [printablePath(hit.path)];
    const row = [...head, renderHit(hit, symbols.get(hit.path) ?? [])].join('\n');
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > page.maxBytes && shown > 0) break;
    rows.push(row);
    paths.add(hit.path);
    shown += 1;
  }
  const left = page.total - page.offset - shown;
  if (left > 0) rows.push(`[cut: ${left} more hits; next page: offset ${page.offset + shown}]`);
  if (page.cut) rows.push('[cut: the search stopped early; use a narrower pattern or folder]');
  return { text: rows.join('\n'), paths: [...paths] };
}

function renderHit(hit: SearchHit, symbols: readonly CodeSymbol[]): string {
  const around = enclosingSymbol(symbols, hit.line);
  const text = hit.text.trim();
  const cut = text.length > maxLine ? `${text.slice(0, maxLine)}…` : text;
  return `  L${hit.line} ${around === undefined ? '' : `${renderSymbol(around)} `}${cut}`;
}
