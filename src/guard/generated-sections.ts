/** Removes the sections that a program wrote into a Markdown file: they are project data, not policy. */
import { findHeadings, type Heading } from '../markdown.ts';

/**
 * Returns the text without its generated sections. A generated section is a heading whose next
 * non-empty line is a comment that begins with `AUTO-GENERATED`; it ends at the next heading of the same
 * or a higher level. A heading inside a code fence is text.
 */
export async function withoutGeneratedSections(markdown: string): Promise<string> {
  const lines = markdown.split(/\r?\n/);
  const dropped = lines.some(isMarker) ? await generatedLines(lines) : new Set<number>();
  return lines
    .filter((_, i) => !dropped.has(i))
    .join('\n')
    .trim();
}

/** Indexes of the lines of all generated sections. */
export async function generatedLines(lines: readonly string[]): Promise<ReadonlySet<number>> {
  const headings = await findHeadings(lines);
  const generated = new Set<number>();
  for (const [i, heading] of headings.entries()) {
    if (!isGenerated(lines, heading)) continue;
    const next = headings.slice(i + 1).find(h => h.level <= heading.level);
    for (let line = heading.line; line < (next?.line ?? lines.length); line++) generated.add(line);
  }
  return generated;
}

function isGenerated(lines: readonly string[], heading: Heading): boolean {
  const next = lines.slice(heading.line + 1).find(l => l.trim() !== '');
  return next !== undefined && isMarker(next);
}

function isMarker(line: string): boolean {
  return /^\s*<!--\s*AUTO-GENERATED\b/.test(line);
}
