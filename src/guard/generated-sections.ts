/** Sections of a Markdown file that a machine wrote: they are data of a project and no law. */

interface Heading {
  readonly line: number;
  readonly level: number;
}

/**
 * The text without its generated sections. Such a section is a heading whose next line that is not
 * empty is a comment beginning `AUTO-GENERATED`; it ends at the next heading of its level or above.
 * Headings inside code fences are text (SPEC §3, §12).
 */
export function withoutGeneratedSections(markdown: string): string {
  const lines = markdown.split(/\r?\n/);
  const headings = headingsOf(lines);
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

/** ATX headings outside of fenced code. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = [];
  let fence = '';
  for (const [line, text] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text);
    if (fence !== '') {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') fence = '';
    } else if (mark?.[1] !== undefined) fence = mark[1];
    else {
      const level = /^ {0,3}(#{1,6})(?:\s|$)/.exec(text)?.[1]?.length;
      if (level !== undefined) headings.push({ line, level });
    }
  }
  return headings;
}
