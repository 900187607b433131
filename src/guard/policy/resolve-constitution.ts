/** Merges the constitution files of a repository into the shipped one; each may only tighten it. */
import { PhotonError } from '../../base/codes.ts';
import {
  type Constitution,
  type FolderPolicy,
  mayRaise,
  policyFor,
  requireVersion,
  underFolderPolicy,
} from './constitution.ts';
import { withoutGeneratedSections } from './generated-sections.ts';
import { lineOfKey, parseFolderPolicy } from './parse-constitution.ts';
import { readProse, renderNotices, type StatedValue } from './read-prose.ts';

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
    reads: decideReads(file, parsed),
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

/** The mode that a file states in its front matter, or by its text. @throws PhotonError `CONSTITUTION_INVALID` for both. */
function decideReads(
  { path, text }: ConstitutionFile,
  { reads }: FolderPolicy,
): FolderPolicy['reads'] {
  const [line] = readProse(text).letter;
  if (line === undefined) return reads;
  if (reads === 'bounded')
    throw new PhotonError(
      'CONSTITUTION_INVALID',
      `${path}:${line}: this text states the letter, and limits.reads in line ${lineOfKey(text, 'reads')} is bounded. Remove one of them.`,
    );
  return 'strict';
}

/** What the text of each file switches on, and whether more of it only informs. Where front matter decides, that is no news. */
export function proseNotices(files: readonly ConstitutionFile[]): readonly string[] {
  return files.flatMap(file => {
    const stated = readProse(file.text);
    return renderNotices(file.path, hasFrontMatter(file) ? { ...stated, hasMore: false } : stated);
  });
}

/** The limits that a text without front matter states; the smallest one counts. */
function limitsOfProse(
  { path, text }: ConstitutionFile,
  above: Constitution,
): FolderPolicy['limits'] {
  const { version, readLines } = readProse(text);
  if (version !== undefined) requireVersion(version.value, `${path}:${version.line}`);
  const looser = readLines.find(r => r.value > above.limits.read_lines);
  if (looser !== undefined) throw loosenError(path, looser, above.limits.read_lines);
  return readLines.length === 0 ? {} : { read_lines: Math.min(...readLines.map(r => r.value)) };
}

function loosenError(
  path: string,
  { value, line }: StatedValue<number>,
  bound: number,
): PhotonError {
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
