/** Sections of a Markdown file that a machine wrote: they are data of a project and no law. */
import { findHeadings, type Heading } from './markdown-headings.ts';

/**
 * The text without its generated sections. Such a section is a heading whose next line that is not
 * empty is a comment beginning `AUTO-GENERATED`; it ends at the next heading of its level or above.
 * Headings inside code fences are text (SPEC §3, §12).
 */
export function withoutGeneratedSections(markdown: string): string {
  const lines = markdown.split(/\r?\n/);
  const { headings } = findHeadings(lines);
  const dropped = new Set<number>();
  for (const [i, heading] of headings.entries()) {
    if (!isGenerated(lines, heading)) continue;
    const next = headings.slice(i + 1).find(h => h.level <= heading.level);
    for (let line = heading.line; line < (next?.line ?? lines.length); line++) dropped.add(line);
  }
  return lines
    .filter((_, i) => !dropped.has(i))
    .join('\n')
    .trim();
}

function isGenerated(lines: readonly string[], heading: Heading): boolean {
  const next = lines.slice(heading.line + 1).find(l => l.trim() !== '');
  return next !== undefined && /^\s*<!--\s*AUTO-GENERATED\b/.test(next);
}
