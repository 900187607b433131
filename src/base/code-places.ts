/** Places in code that a text names, such as `src/price.js:12-18`. Pure. */

/** A place that a text names. */
export interface CodePlace {
  /** As it stands in the text. */
  readonly text: string;
  readonly path: string;
  /** 1-based. */
  readonly start: number;
  readonly end: number;
}

/** A place, and whether the commit that the text is about has these lines. */
export interface CheckedPlace extends CodePlace {
  readonly exists: boolean;
}

/** Source of the pattern of a place: a path with an extension, a line, and perhaps the last line. */
export const placePattern = String.raw`(?<![\w./@:-])(?:[\w@.-]+/)*[\w@.-]+\.\w{1,12}:\d{1,7}(?:-\d{1,7})?(?![\w:/-])`;

/** Maximum number of places of one text. */
const maxPlaces = 60;

/** The places that a text names, each once. */
export function findPlaces(text: string): readonly CodePlace[] {
  const found = new Map<string, CodePlace>();
  for (const [name] of text.matchAll(new RegExp(placePattern, 'g'))) {
    const [, path = '', first = '', last = first] =
      /^(?:\.\/)?(.+):(\d+)(?:-(\d+))?$/.exec(name) ?? [];
    found.set(name, { text: name, path, start: Number(first), end: Number(last) });
    if (found.size === maxPlaces) break;
  }
  return [...found.values()];
}

/** Address of the lines at a commit on the server of the workflow run; empty if there is none. */
export function linesAddress(
  { page, base }: { readonly page?: string; readonly base: { readonly commit: string } },
  { path, start, end }: CodePlace,
): string {
  const [, repository] = /^(https?:\/\/.+)\/actions\/runs\/\d+$/.exec(page ?? '') ?? [];
  if (repository === undefined || !/^[0-9a-f]{40,64}$/.test(base.commit)) return '';
  const file = path.split('/').map(encodeURIComponent).join('/');
  const lines = start === end ? `L${start}` : `L${start}-L${end}`;
  return `${repository}/blob/${base.commit}/${file}#${lines}`;
}
