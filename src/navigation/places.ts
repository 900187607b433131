/** Renders a page of lookup results for the model, with their source, and reports what was cut. */
import { renderSymbol } from './format.ts';
import { printablePath } from './listing.ts';
import type { Locations, SymbolLocation } from './lookup.ts';

export interface PlacesPage {
  /** `index`, or the name of the language server. */
  readonly source: string;
  readonly offset: number;
  readonly maxPlaces: number;
  readonly maxBytes: number;
  /** The text of the line of a use; empty for a definition. */
  readonly lineOf: (place: SymbolLocation) => string;
}

const maxLine = 160;

/** Renders one line for each place, grouped by file; `paths` are the files of the places that fit. */
export function renderPlaces(
  { places, cut }: Locations,
  page: PlacesPage,
): { text: string; paths: readonly string[] } {
  const onPage = places.slice(page.offset, page.offset + page.maxPlaces);
  const { rows, paths, shown } = renderRows(
    onPage.map(place => ({ ...place, text: page.lineOf(place) })),
    { bytes: page.maxBytes, text: maxLine },
  );
  const next = page.offset + shown;
  const notes = [
    next < places.length ? `[cut: ${places.length - next} more; next page: offset ${next}]` : '',
    cut ? '[cut: the search stopped early; more files hold the name]' : '',
  ];
  const text = [`from ${page.source}:`, ...rows, ...notes].filter(row => row !== '').join('\n');
  return { text, paths };
}

/** A line of a file, and the symbol that it is in or defines. */
interface TextPlace extends SymbolLocation {
  readonly text: string;
}

/**
 * A row for each place within the bytes, below its file. Several in a row of one symbol stand below the symbol.
 * @param max bytes of all rows, and characters of the text of one.
 */
export function renderRows(
  places: readonly TextPlace[],
  max: { readonly bytes: number; readonly text: number },
): { readonly rows: readonly string[]; readonly paths: readonly string[]; readonly shown: number } {
  const rows: string[] = [];
  const paths = new Set<string>();
  const names = places.map(p => (p.symbol === undefined ? '' : renderSymbol(p.symbol)));
  const isWith = (i: number, other: number) =>
    names[i] !== '' && names[i] === names[other] && places[i]?.path === places[other]?.path;
  let bytes = 0;
  let shown = 0;
  for (const [i, { path, line, text }] of places.entries()) {
    const name = names[i] ?? '';
    const trimmed = text.trim();
    const cut = trimmed.length > max.text ? `${trimmed.slice(0, max.text)}…` : trimmed;
    const head = paths.has(path) ? [] : [printablePath(path)];
    const words = (...parts: readonly string[]) => parts.filter(p => p !== '').join(' ');
    const own = isWith(i, i - 1)
      ? [`    ${words(`L${line}`, cut)}`]
      : isWith(i, i + 1)
        ? [`  ${name}`, `    ${words(`L${line}`, cut)}`]
        : [`  ${words(`L${line}`, name, cut)}`];
    const row = [...head, ...own].join('\n');
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > max.bytes && shown > 0) break;
    rows.push(row);
    paths.add(path);
    shown += 1;
  }
  return { rows, paths: [...paths], shown };
}
