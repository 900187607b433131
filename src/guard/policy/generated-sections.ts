/** Removes the section that Photon itself writes into `constitution.md`: the artifact manifest is data, not policy. */
import { findHeadings } from '../../base/markdown.ts';

/** The title of the only section of `constitution.md` that Photon writes. */
export const manifestTitle = 'Workflow Artifacts';

/** A section of a Markdown file. */
export interface Section {
  /** Index of its heading. */
  readonly from: number;
  /** The line after its last line. */
  readonly to: number;
}

/**
 * Finds every `## Workflow Artifacts`, in order. A section ends at the next heading of its level or above. A
 * heading in code, a comment, a quote or a list item is text.
 */
export function findManifestSections(lines: readonly string[]): readonly Section[] {
  const headings = findHeadings(lines);
  return headings.flatMap((heading, i) => {
    if (heading.level !== 2 || heading.text !== manifestTitle) return [];
    const next = headings.slice(i + 1).find(h => h.level <= 2);
    return [{ from: heading.line, to: next?.line ?? lines.length }];
  });
}

/**
 * Returns the text without its manifest. The section counts as generated when the first line of text below its
 * heading is a comment that begins with `AUTO-GENERATED`. All other sections stay, marked or not.
 */
export function withoutGeneratedSections(markdown: string): string {
  const lines = markdown.split(/\r?\n/);
  const generated = generatedLines(lines);
  return lines
    .filter((_, i) => !generated.has(i))
    .join('\n')
    .trim();
}

/** Indexes of the lines of the manifest. */
export function generatedLines(lines: readonly string[]): ReadonlySet<number> {
  const generated = new Set<number>();
  if (!lines.some(isMarker)) return generated;
  for (const { from, to } of findManifestSections(lines)) {
    const first = lines.slice(from + 1, to).find(l => l.trim() !== '' && !isUnderline(l));
    if (first === undefined || !isMarker(first)) continue;
    for (let line = from; line < to; line++) generated.add(line);
  }
  return generated;
}

function isMarker(line: string): boolean {
  return /^\s*<!--\s*AUTO-GENERATED\b/.test(line);
}

/** The second line of a heading that is underlined. */
function isUnderline(line: string): boolean {
  return /^ {0,3}-+\s*$/.test(line);
}
