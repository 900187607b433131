/** Renders a page of places for the model, those of a lookup or the hits of a search, and reports what was cut. */
import { cutEnd } from '../base/plural.ts';
import type { GrepHit } from '../workspace/git/git-grep.ts';
import type { CodeSymbol } from './definitions.ts';
import { detectLanguage } from './languages.ts';
import { printablePath, renderStart, renderSymbol } from './listing.ts';
import { enclosingSymbol, isTestLike, type Locations, type SymbolLocation } from './lookup.ts';

interface PlacesPage {
  /** `index`, or the name of the language server. */
  readonly source: string;
  readonly offset: number;
  readonly maxPlaces: number;
  readonly maxBytes: number;
  /** The text of the line of a use; empty for a definition. */
  readonly lineOf: (place: SymbolLocation) => string;
}

/** Rendered places. */
export interface ShownPlaces {
  readonly text: string;
  /** The files of the places that fit. */
  readonly paths: readonly string[];
  /** The lines that are shown in full, but for the white space around them. */
  readonly whole: readonly { readonly path: string; readonly line: number }[];
}

/** Renders one line for each place, grouped by file. */
export function renderPlaces({ places, cut }: Locations, page: PlacesPage): ShownPlaces {
  const onPage = places.slice(page.offset, page.offset + page.maxPlaces);
  const texts = onPage.map(place => ({ ...place, text: page.lineOf(place) }));
  const { rows, ...shown } = renderRows(texts, { bytes: page.maxBytes, text: 160 });
  const next = page.offset + rows.length;
  const notes = [
    next < places.length ? `[cut: ${places.length - next} more; next page: offset ${next}]` : '',
    cut ? '[cut: the search stopped early; more files hold the name]' : '',
  ];
  const text = [`from ${page.source}:`, ...rows, ...notes].filter(row => row !== '').join('\n');
  return { text, ...shown };
}

interface HitPage {
  readonly offset: number;
  readonly total: number;
  /** True if the search itself stopped early. */
  readonly cut: boolean;
  readonly maxBytes: number;
}

/** Sorts hits: code first, then tests and examples, then prose. Otherwise keeps the order. */
export function rankHits<T extends { readonly path: string }>(hits: readonly T[]): readonly T[] {
  const rank = (path: string) =>
    detectLanguage(path) === undefined ? 2 : isTestLike(path) ? 1 : 0;
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

/** A row for each place within the bytes, below its file; those that follow each other in a symbol stand below it. */
function renderRows(
  places: readonly (SymbolLocation & { readonly text: string })[],
  max: { readonly bytes: number; readonly text: number },
): Omit<ShownPlaces, 'text'> & { readonly rows: readonly string[] } {
  const rows: string[] = [];
  const paths = new Set<string>();
  const whole: { path: string; line: number }[] = [];
  const names = places.map(({ symbol, text }) =>
    symbol === undefined ? '' : ` ${text === '' ? renderSymbol(symbol) : renderStart(symbol)}`,
  );
  const groups = places.map((p, i) => (names[i] === '' ? i : `${p.path}${names[i]}`));
  let bytes = 0;
  for (const [i, { path, line, text }] of places.entries()) {
    const [name = '', trimmed] = [names[i], text.trim()];
    const cut = cutEnd(trimmed, max.text);
    const shown = cut === '' ? '' : ` ${cut}`;
    const isNext = groups[i - 1] === groups[i];
    const isBelow = isNext || groups[i + 1] === groups[i];
    const head = `${paths.has(path) ? '' : `${printablePath(path)}\n`}${isBelow && !isNext ? `${name}\n` : ''}`;
    const row = `${head}${isBelow ? `  L${line}` : ` L${line}${name}`}${shown}`;
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > max.bytes && rows.length > 0) break;
    rows.push(row);
    paths.add(path);
    if (cut !== '' && cut === trimmed) whole.push({ path, line });
  }
  return { rows, paths: [...paths], whole };
}
