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
  const rows: string[] = [`from ${page.source}:`];
  const paths = new Set<string>();
  let bytes = 0;
  let shown = 0;
  for (const place of places.slice(page.offset, page.offset + page.maxPlaces)) {
    const head = paths.has(place.path) ? [] : [printablePath(place.path)];
    const row = [...head, renderPlace(place, page.lineOf(place))].join('\n');
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > page.maxBytes && shown > 0) break;
    rows.push(row);
    paths.add(place.path);
    shown += 1;
  }
  const next = page.offset + shown;
  if (next < places.length)
    rows.push(`[cut: ${places.length - next} more; next page: offset ${next}]`);
  if (cut) rows.push('[cut: the search stopped early; more files hold the name]');
  return { text: rows.join('\n'), paths: [...paths] };
}

function renderPlace({ line, symbol }: SymbolLocation, text: string): string {
  const around = symbol === undefined ? '' : ` ${renderSymbol(symbol)}`;
  const trimmed = text.trim();
  const cut = trimmed.length > maxLine ? `${trimmed.slice(0, maxLine)}…` : trimmed;
  return `  L${line}${around}${cut === '' ? '' : ` ${cut}`}`;
}
