/** Divides the body of a SKILL.md: a core that an activation shows, and sections that are read on demand. */
import { findHeadings } from '../base/markdown.ts';

/** Most bytes of a body that an activation shows. */
const maxCoreBytes = 4000;

/** Lines of a SKILL.md from one heading to the next, counted from 1. */
interface BodySection {
  readonly title: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface SkillBody {
  /** The beginning of the body, up to the end of a section where that is possible. */
  readonly core: string;
  /** What the core leaves out. */
  readonly rest: readonly BodySection[];
}

/** Divides a body; `firstLine` is the line of the file that it begins at. */
export function divideBody(body: string, firstLine: number): SkillBody {
  if (Buffer.byteLength(body) <= maxCoreBytes) return { core: body, rest: [] };
  const lines = body.split('\n');
  const sections = splitSections(lines);
  const bytesTo = (end: number) => Buffer.byteLength(lines.slice(0, end).join('\n'));
  const whole = sections.filter(s => bytesTo(s.endLine) <= maxCoreBytes).at(-1)?.endLine ?? 0;
  let end = whole;
  // a first section that is longer than the core is cut at a line
  if (end === 0) while (end < lines.length && bytesTo(end + 1) <= maxCoreBytes) end += 1;
  const rest = sections
    .filter(s => s.endLine > end)
    .map(s => ({ ...s, startLine: Math.max(s.startLine, end + 1) }));
  return {
    core: lines.slice(0, end).join('\n').trimEnd(),
    rest: rest.map(s => ({
      title: s.title,
      startLine: s.startLine + firstLine - 1,
      endLine: s.endLine + firstLine - 1,
    })),
  };
}

/** The lines of the section with this heading; undefined when there is none. */
export function findSection(text: string, title: string): BodySection | undefined {
  const wanted = title
    .replace(/^#+\s*/, '')
    .trim()
    .toLowerCase();
  const sections = splitSections(text.split('\n'));
  return sections.find(s => s.title.toLowerCase() === wanted);
}

function splitSections(lines: readonly string[]): readonly BodySection[] {
  const headings = findHeadings(lines);
  const starts = headings.map(h => ({ title: h.text, startLine: h.line + 1 }));
  const all = starts[0]?.startLine === 1 ? starts : [{ title: 'start', startLine: 1 }, ...starts];
  return all.map((s, i) => ({ ...s, endLine: (all[i + 1]?.startLine ?? lines.length + 1) - 1 }));
}
