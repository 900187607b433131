/** The text of a SKILL.md: decoded without hidden characters, divided into a core and sections, and the template of a new one. */
import { findHeadings } from '../base/markdown.ts';
import { decodePolicyText } from '../guard/policy/policy-text.ts';
import { invalid } from './skill.ts';

/** Maximum bytes of a SKILL.md, and of its front matter. */
const maxSkillBytes = 256 * 1024;
export const maxBoundaryBytes = 16 * 1024;

/** Names of the file of a skill; where both are there, the first one counts. */
const fileNames = ['SKILL.md', 'skill.md'] as const;

/** True for the path of a SKILL.md, or of a skill.md. */
export function isSkillFile(path: string): boolean {
  return fileNames.some(name => path === name || path.endsWith(`/${name}`));
}

/** The paths of these that are the file of a skill, one of a folder. */
export function findSkillFiles(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  return paths.filter(path => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return fileNames.find(name => all.has(folder + name)) === path.slice(folder.length);
  });
}

/** Byte offset where the front matter ends; undefined when these bytes do not contain the end. */
export function findBoundaryEnd(bytes: Uint8Array): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // gray-matter ends the front matter at a line that begins with this mark
  const mark = buffer.indexOf('\n---', 3);
  if (mark < 0) return undefined;
  const end = buffer.indexOf('\n', mark + 4);
  return end < 0 ? buffer.length : end + 1;
}

/**
 * Decodes text, without its byte order mark.
 * @throws PhotonError `SKILL_INVALID` for other encodings than UTF-8, NUL and hidden characters.
 */
export function decodeVisible(bytes: Uint8Array, path: string): string {
  try {
    return decodePolicyText(bytes, path).replace(/^\ufeff/, '');
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

/** Refuses a SKILL.md that is too large. Throws PhotonError `SKILL_INVALID`. */
export function requireSize(size: number, path: string): void {
  if (size > maxSkillBytes)
    throw invalid(`${path}: file: ${size} bytes; at most ${maxSkillBytes} are allowed`);
}

/** A skill that passes the check and explains what to write in each part. */
export function renderNewSkill(name: string): string {
  return `---
name: ${name}
description: What the skill does and when to use it, in one line.
license: MIT
allowed-tools: apply_patch run_command
photon:
  version: "0.1.0"
  constraints:
    - What must always hold, whatever the task is.
  guards:
    paths: ["**"]
  interface:
    role: Who does the work and what they are responsible for.
    input: What the skill needs before it can begin.
    steps:
      - Find and read the relevant code with grep and read_code_block.
      - Change it with apply_patch.
      - Try it with run_command, then verify.
    output: What the skill produces.
    success: How anyone can tell that it succeeded.
    abstain: When not to use the skill, or when to give up.
---

# ${name}

How to do the work: what to look at first, how cases differ, and what usually goes wrong. The agent
reads this text when it activates the skill. Put details that are rarely needed into a file below
references, and work that a program does better into a script.
`;
}

/** Most bytes of a body that an activation shows. */
const maxCoreBytes = 4000;

/** Lines of a SKILL.md from one heading to the next, counted from 1. */
interface BodySection {
  readonly title: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The body of a SKILL.md, divided. */
export interface SkillBody {
  /** The beginning of the body, up to the end of a section where that is possible. */
  readonly core: string;
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

function splitSections(lines: readonly string[]): readonly BodySection[] {
  const headings = findHeadings(lines);
  const starts = headings.map(h => ({ title: h.text, startLine: h.line + 1 }));
  const all = starts[0]?.startLine === 1 ? starts : [{ title: 'start', startLine: 1 }, ...starts];
  return all.map((s, i) => ({ ...s, endLine: (all[i + 1]?.startLine ?? lines.length + 1) - 1 }));
}
