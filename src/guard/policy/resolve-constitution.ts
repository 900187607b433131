/** Merges the constitution files of a repository into the shipped one; each may only tighten it. Of text, it finds what nothing enforces. */
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import { findHeadings, type Heading } from '../../base/markdown.ts';
import { listFirst } from '../../base/plural.ts';
import {
  type Constitution,
  type FolderPolicy,
  mayRaise,
  policyFor,
  requireVersion,
  underFolderPolicy,
} from './constitution.ts';
import { generatedLines, withoutGeneratedSections } from './generated-sections.ts';
import { lineOfKey, parseFolderPolicy } from './parse-constitution.ts';

/** A `constitution.md`, as read from the trusted ref. */
export interface ConstitutionFile {
  /** As messages name it. */
  readonly path: string;
  /** The folder that it holds for; without it, the folder of its path. */
  readonly folder?: string;
  readonly text: string;
}

/**
 * Merges the repository's files into the shipped constitution, outer folders first.
 * @throws PhotonError `CONSTITUTION_INVALID`, `CONSTITUTION_VERSION`, `CONSTITUTION_LOOSENED`.
 */
export function resolveConstitution(
  shipped: Constitution,
  files: readonly ConstitutionFile[],
): Constitution {
  const depth = (path: string) => path.split('/').length;
  const ordered = [...files].sort(
    (a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1),
  );
  let policy = shipped;
  for (const file of ordered) policy = addFile(policy, file);
  return policy;
}

function addFile(policy: Constitution, file: ConstitutionFile): Constitution {
  const parsed = parseFolderPolicy(file.text, file.path, file.folder);
  const above = policyFor(policy, [parsed.folder]);
  const stated = hasFrontMatter(file) ? {} : limitsOfProse(file, above);
  const own: FolderPolicy = {
    ...parsed,
    limits: { ...parsed.limits, ...stated },
    prose: withoutGeneratedSections(parsed.prose),
  };
  refuseLoosening(above, own, file);
  return own.folder === ''
    ? underFolderPolicy(policy, own)
    : { ...policy, folders: [...policy.folders, own] };
}

/** Where a file that can be parsed has front matter, that decides, and its text informs. */
function hasFrontMatter({ text }: ConstitutionFile): boolean {
  return text.startsWith('---');
}

/** One notice for each file whose text states rules that nothing enforces. */
export function proseNotices(files: readonly ConstitutionFile[]): readonly string[] {
  return files
    .filter(f => !hasFrontMatter(f))
    .map(f => renderUnread(f.path, readProse(f.text)))
    .filter(notice => notice !== undefined);
}

/** The limits that a text without front matter states; the smallest one counts. */
function limitsOfProse(
  { path, text }: ConstitutionFile,
  above: Constitution,
): FolderPolicy['limits'] {
  const { version, readLines } = readProse(text);
  if (version !== undefined) requireVersion(version.value, `${path}:${version.line}`);
  const looser = readLines.find(r => r.value > above.limits.read_lines);
  if (looser !== undefined) throw loosened(path, looser, above.limits.read_lines);
  return readLines.length === 0 ? {} : { read_lines: Math.min(...readLines.map(r => r.value)) };
}

function loosened(path: string, { value, line }: StatedValue<number>, bound: number): PhotonError {
  return new PhotonError(
    'CONSTITUTION_LOOSENED',
    `${path}:${line}: reads of ${value} lines are looser than ${bound}, the value above it. Use ${bound} or a smaller number.`,
  );
}

function refuseLoosening(above: Constitution, own: FolderPolicy, file: ConstitutionFile): void {
  const limits = Object.entries(own.limits).map(([key, value]) => ({
    key,
    value,
    bound: above.limits[key as keyof typeof above.limits],
    looser: value > above.limits[key as keyof typeof above.limits] && !mayRaise(key, own),
  }));
  const rules = Object.entries(own.rules).map(([key, value]) => ({
    key,
    value,
    bound: above.rules[key as keyof typeof above.rules],
    looser: value === 'abstain' && above.rules[key as keyof typeof above.rules] === 'violation',
  }));
  const reads = {
    key: 'reads',
    value: own.reads,
    bound: above.reads,
    looser: own.reads === 'bounded' && above.reads === 'strict',
  };
  for (const { key, value, bound, looser } of [...limits, reads, ...rules]) {
    if (!looser) continue;
    throw new PhotonError(
      'CONSTITUTION_LOOSENED',
      `${file.path}:${lineOfKey(file.text, key)}: ${key}: ${value} is looser than ${bound}, the value above it. Use ${bound} or a stricter value.`,
    );
  }
}

const knownSections: ReadonlySet<string> = new Set([
  'd0bd58b548676920', // Photon Agent Constitution v2.0
  '9d91c4d4347257cf', // Purpose
  'bf4a4e6c5a641bb5', // Agent Identity (Non-Persona)
  'fb0dba9392a57013', // Execution Model
  '16e2eeb75b606a40', // IO Constraints
  'd5d4d2078f923f43', // Navigation Constraints
  '83e9a3cdb90a95a5', // Write Constraints
  'c35916a8183607f5', // Patch Semantics
  'a688cd183eecd10c', // Planning Rules
  '67a50d3314d6139d', // Think and use tools
  '326b8ce285035438', // Skill Definition
  'de6228be02eef171', // Skill Allowlist
  '17dede45a24afe08', // Skill Activation Rules
  'f79a7e7dd313f030', // Skill Lifecycle
  '8dd7d3a36e86bb5d', // Skill Prompt Injection
  'a15f3a72e438d2c6', // Tool Contract
  '54f1ca3343fe4369', // Short-Term Memory
  '1fa6d8552ea10122', // Long-Term Memory
  '7592c60af79ce3aa', // Output Policy
  '8b8fcb0884d7df25', // Clarification Policy
  '5b99fa38b662c562', // Failure Semantics
  '97a199ff6376a4f9', // Versioning
  'f73ee6b3a1957cdc', // Authority
]);

/** A value that a line states. */
interface StatedValue<T> {
  readonly value: T;
  /** Number of the line, from 1. */
  readonly line: number;
}

/** Lines of a section whose rules no code enforces; both numbers from 1, inclusive. */
interface UnreadSection {
  readonly heading: string;
  readonly from: number;
  readonly to: number;
}

/** What a text states as rules. */
interface StatedRules {
  /** The version of Photon's constitution that the text claims to be; undefined when it claims none. */
  readonly version: StatedValue<string> | undefined;
  /** Maximum lines of one read. */
  readonly readLines: readonly StatedValue<number>[];
  readonly unread: readonly UnreadSection[];
}

interface Section {
  readonly heading: Heading;
  /** Indexes of the lines below the heading. */
  readonly lines: readonly number[];
}

/**
 * Reads a text without front matter. Sections that a program generated, and `Reading Convention`, state no
 * rules. A section that Photon's constitution holds word for word, whatever the number of lines in it, is
 * enforced (`known` holds the digests of these); of any other, only the limit of a section on reads is understood.
 */
export function readProse(text: string, known: ReadonlySet<string> = knownSections): StatedRules {
  const lines = text.split(/\r?\n/);
  const sections = splitSections(lines);
  const readLines = sections.flatMap(s => limitsIn(s, lines));
  const understood = new Set(readLines.map(r => r.line - 1));
  return {
    version: readVersion(sections, lines),
    readLines,
    unread: sections.flatMap(s =>
      isKnown(s, lines, known) ? [] : listUnread(s, lines, understood),
    ),
  };
}

/** One notice about the sections of a file that nothing enforces; undefined when there are none. */
export function renderUnread(path: string, { unread }: StatedRules): string | undefined {
  if (unread.length === 0) return undefined;
  const name = ({ heading, from, to }: (typeof unread)[number]) =>
    `lines ${from}-${to} (${heading.slice(0, 60)})`;
  const named = listFirst(unread, name, { most: maxNamed });
  return `${path}: these sections state rules that Photon cannot enforce: ${named}. The model gets the text; to bind a run, state limits, rules and paths in front matter (docs/guard.md).`;
}

const maxNamed = 10;

/** The digest by which a section is known: of its words, whatever number of lines it allows. */
export function digestOfSection(body: string): string {
  const words = body
    .replace(/(?<!\d)\d+(?=\W*lines\b)/gi, '#')
    .replace(/^[ \t]*-{3,}[ \t]*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return digest(words).slice(0, 16);
}

function splitSections(lines: readonly string[]): readonly Section[] {
  const headings = findHeadings(lines);
  const exempt = new Set(generatedLines(lines));
  for (const [i, heading] of headings.entries()) {
    if (!/^reading convention$/i.test(heading.text.trim())) continue;
    const end = headings.slice(i + 1).find(h => h.level <= heading.level)?.line ?? lines.length;
    for (let line = heading.line; line < end; line++) exempt.add(line);
  }
  const top: Heading = { line: -1, level: 1, text: 'the beginning' };
  return [top, ...headings].flatMap((heading, i) => {
    const end = headings[i]?.line ?? lines.length;
    const inside = lines.keys().filter(line => line > heading.line && line < end);
    return exempt.has(heading.line) ? [] : [{ heading, lines: [...inside] }];
  });
}

/** A project numbers its own constitution as it likes, so only a title that names Photon states a version. */
function readVersion(
  sections: readonly Section[],
  lines: readonly string[],
): StatedValue<string> | undefined {
  const title = sections.find(({ heading }) => heading.line >= 0);
  if (title === undefined || !/\bphoton\b/i.test(title.heading.text)) return undefined;
  for (const line of [title.heading.line, ...title.lines]) {
    const text = (lines[line] ?? '').replace(/[*_>`]/g, '');
    const pattern =
      line === title.heading.line
        ? /\bv(?:ersion)?\s*(\d+(?:\.\d+)*)/i
        : /^\s*version\s*:\s*v?(\S+)/i;
    const [, value] = pattern.exec(text) ?? [];
    if (value !== undefined) return { value, line: line + 1 };
  }
  return undefined;
}

/** The maximum that a section on reads states for the lines of one read. */
function limitsIn(
  { heading, lines: inside }: Section,
  lines: readonly string[],
): readonly StatedValue<number>[] {
  if (!/\b(i\/?o|reads?|reading)\b/i.test(heading.text)) return [];
  return inside.flatMap(line => {
    const text = lines[line] ?? '';
    const isMaximum =
      /\b(exceed\w*|more than|longer than|over|above|at most|up to|max\w*|limit\w*)\b/i.test(text);
    const [, number] = /(\d[\d,_]{0,20})\W*lines\b/i.exec(text) ?? [];
    return isMaximum && /\breads?\b|\breading\b/i.test(text) && number !== undefined
      ? [{ value: Number(number.replace(/[,_]/g, '')), line: line + 1 }]
      : [];
  });
}

function isKnown(section: Section, lines: readonly string[], known: ReadonlySet<string>): boolean {
  return known.has(digestOfSection(section.lines.map(line => lines[line] ?? '').join('\n')));
}

function listUnread(
  { heading, lines: inside }: Section,
  lines: readonly string[],
  understood: ReadonlySet<number>,
): readonly UnreadSection[] {
  const remaining = inside.filter(line => {
    const text = lines[line] ?? '';
    return /[\p{L}\p{N}]/u.test(text) && !understood.has(line) && !/^\s*<!--.*-->\s*$/.test(text);
  });
  const [first] = remaining;
  const last = remaining.at(-1);
  return first === undefined || last === undefined
    ? []
    : [{ heading: heading.text, from: first + 1, to: last + 1 }];
}
