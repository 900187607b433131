/** Renders a page of search hits, each with its enclosing symbol, and reports what was cut. */
import type { GrepHit } from '../workspace/git/git-grep.ts';
import type { CodeSymbol } from './definitions.ts';
import { enclosingSymbol } from './format.ts';
import { detectLanguage } from './languages.ts';
import { testLike } from './lookup.ts';
import { renderRows, type ShownPlaces } from './places.ts';

export interface HitPage {
  readonly offset: number;
  readonly total: number;
  /** True if the search itself stopped early. */
  readonly cut: boolean;
  readonly maxBytes: number;
}

/** Sorts hits: code first, then tests and examples, then prose. Otherwise keeps the order. */
export function rankHits<T extends { readonly path: string }>(hits: readonly T[]): readonly T[] {
  const rank = (path: string) =>
    detectLanguage(path) === undefined ? 2 : testLike.test(path) ? 1 : 0;
  return [...hits].sort((a, b) => rank(a.path) - rank(b.path));
}

/** Renders hits grouped by file, in their order. */
export function renderHits(
  hits: readonly GrepHit[],
  symbols: ReadonlyMap<string, readonly CodeSymbol[]>,
  page: HitPage,
): ShownPlaces {
  if (hits.length === 0) return { text: 'No match.', paths: [], whole: [] };
  const around = (h: GrepHit) => enclosingSymbol(symbols.get(h.path) ?? [], h.line);
  const places = hits.map(hit => ({ ...hit, symbol: around(hit) }));
  const { rows, ...shown } = renderRows(places, { bytes: page.maxBytes, text: 200 });
  const left = page.total - page.offset - rows.length;
  const notes = [
    left > 0 ? `[cut: ${left} more hits; next page: offset ${page.offset + rows.length}]` : '',
    page.cut ? '[cut: the search stopped early; use a narrower pattern or folder]' : '',
  ];
  return { text: [...rows, ...notes].filter(row => row !== '').join('\n'), ...shown };
}
