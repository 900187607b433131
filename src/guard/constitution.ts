/** The law as data: rules, limits and closed paths, and which of it holds for which folder. */
import * as z from 'zod';
import { PhotonError } from '../codes.ts';
import { parseFrontMatter } from './front-matter.ts';
import { folderOf } from './paths.ts';

/** Codes that the rule table judges, each with a class in the constitution. */
export const ruleCodes = [
  'READ_LIMIT',
  'READ_UNBOUNDED',
  'PATH_ESCAPE',
  'WRITE_BYPASS',
  'SKILL_NOT_ALLOWED',
  'PATH_PROTECTED',
  'SECRET_IN_PATCH',
  'TOOL_NOT_PERMITTED',
  'SKILL_REQUIREMENT',
  'SKILL_INACTIVE',
  'SKILL_BUDGET',
  'SKILL_GUARD',
  'ARGUMENTS_INVALID',
  'THINK_MISSING',
  'PLAN_MISSING',
  'PHASE_ORDER',
  'NAVIGATION_MISSING',
  'PLAN_SCOPE',
  'STALE_READ',
  'VERIFY_MISSING',
  'CALL_MISSING',
  'CLARIFY_UNFOUNDED',
] as const;

export type RuleCode = (typeof ruleCodes)[number];

/** `violation`: prohibited whatever the evidence, ends the run. `abstain`: evidence is missing. */
export type RuleClass = 'violation' | 'abstain';

const limit = (about: string) => z.int().min(0).max(1_000_000).describe(about);

export const limitsSchema = z.strictObject({
  read_lines: limit('Most lines of one read of one file.'),
  corrections: limit('Abstentions of a run before it is ended.'),
  violations: limit('Violations that are told to the agent before the run is ended.'),
  repairs: limit('Failed verifications that may be followed by another patch.'),
  listing_entries: limit('Most files of one page of a listing.'),
  grep_hits: limit('Most hits of one page of a search.'),
  output_bytes: limit('Most bytes of one tool result.'),
  command_seconds: limit('Most seconds of one command.'),
  patch_files: limit('Most files of one patch.'),
  think_chars: limit('Most characters of a reasoning line that are shown.'),
});

export type Limits = Readonly<z.infer<typeof limitsSchema>>;

export const classSchema = z.enum(['violation', 'abstain']);
const pathsSchema = z.array(z.string().min(1).max(200)).max(500);
// YAML reads an unquoted 2.0 as a number
const versionSchema = z.union([z.string(), z.number()]).transform(String);

const wholeSchema = z.strictObject({
  version: versionSchema,
  limits: limitsSchema,
  rules: z.record(z.enum(ruleCodes), classSchema),
  protected_paths: pathsSchema,
  flagged_paths: pathsSchema,
});

const ownSchema = z.strictObject({
  version: versionSchema.optional(),
  limits: limitsSchema.partial().optional(),
  rules: z.partialRecord(z.enum(ruleCodes), classSchema).optional(),
  protected_paths: pathsSchema.optional(),
  flagged_paths: pathsSchema.optional(),
});

/** What the `constitution.md` of one folder states itself. */
export interface FolderPolicy {
  /** Folder it stands in; an empty string for the root. */
  readonly folder: string;
  readonly limits: Partial<Limits>;
  readonly rules: Partial<Record<RuleCode, RuleClass>>;
  /** Patterns from the root of the repository. */
  readonly protectedPaths: readonly string[];
  readonly flaggedPaths: readonly string[];
  readonly prose: string;
}

/** A constitution in force. */
export interface Constitution {
  readonly version: string;
  readonly limits: Limits;
  readonly rules: Readonly<Record<RuleCode, RuleClass>>;
  readonly protectedPaths: readonly string[];
  readonly flaggedPaths: readonly string[];
  /** The normative text that the model is given. */
  readonly prose: string;
  /** What holds inside sub-folders on top of it, outer folders first. */
  readonly folders: readonly FolderPolicy[];
}

/**
 * Reads a whole constitution (the shipped one).
 * @throws PhotonError `CONSTITUTION_INVALID`, `CONSTITUTION_VERSION`.
 */
export function parseConstitution(text: string, path: string): Constitution {
  const { data, body } = split(text, path);
  const front = check(wholeSchema, data, path);
  requireVersion(front.version, path);
  return {
    version: front.version,
    limits: front.limits,
    rules: front.rules,
    protectedPaths: front.protected_paths,
    flaggedPaths: front.flagged_paths,
    prose: body,
    folders: [],
  };
}

/**
 * Reads what a `constitution.md` of a repository states. A file without front matter states no
 * rule; its text is its prose. Patterns of a sub-folder are relative to it.
 * @throws PhotonError `CONSTITUTION_INVALID`, `CONSTITUTION_VERSION`.
 */
export function parseFolderPolicy(text: string, path: string): FolderPolicy {
  const { data, body } = split(text, path);
  const front = check(ownSchema, data, path);
  if (front.version !== undefined) requireVersion(front.version, path);
  const folder = folderOf(path);
  const below = (patterns: readonly string[] | undefined) =>
    (patterns ?? []).map(p => (folder === '' ? p : `${literal(folder)}/${p}`));
  return {
    folder,
    limits: given(front.limits ?? {}),
    rules: given(front.rules ?? {}),
    protectedPaths: below(front.protected_paths),
    flaggedPaths: below(front.flagged_paths),
    prose: body,
  };
}

/** A law with the statements of a folder laid over it; the stricter of both holds everywhere. */
export function underFolderPolicy(policy: Constitution, own: FolderPolicy): Constitution {
  const limits: Record<string, number> = { ...policy.limits };
  for (const [name, value] of Object.entries(own.limits))
    limits[name] = Math.min(limits[name] ?? value, value);
  const rules = { ...policy.rules };
  for (const [code, value] of Object.entries(own.rules))
    if (value === 'violation') rules[code as RuleCode] = value;
  const title = own.folder === '' ? 'this repository' : own.folder;
  return {
    ...policy,
    limits: limits as unknown as Limits,
    rules,
    protectedPaths: union(policy.protectedPaths, own.protectedPaths),
    flaggedPaths: union(policy.flaggedPaths, own.flaggedPaths),
    prose:
      own.prose === ''
        ? policy.prose
        : `${policy.prose}\n\n# Constitution of ${title}\n\n${own.prose}`,
  };
}

/** The first way in which a law is looser than another; null when it is as strict or stricter. */
export function looserThan(policy: Constitution, other: Constitution): string | null {
  for (const [name, bound] of Object.entries(other.limits)) {
    const value = policy.limits[name as keyof Limits];
    if (value > bound) return `${name}: ${value} is looser than ${bound}`;
  }
  for (const [code, bound] of Object.entries(other.rules))
    if (bound === 'violation' && policy.rules[code as RuleCode] !== 'violation')
      return `${code}: ${policy.rules[code as RuleCode]} is looser than ${bound}`;
  const open = other.protectedPaths.find(p => !policy.protectedPaths.includes(p));
  return open === undefined ? null : `${open} is not protected`;
}

/** The law that holds for work on some paths: that of the root and of every folder above one of them. */
export function policyFor(policy: Constitution, paths: Iterable<string>): Constitution {
  const touched = [...paths];
  return policy.folders
    .filter(f => touched.some(p => p === f.folder || p.startsWith(`${f.folder}/`)))
    .reduce(underFolderPolicy, policy);
}

/** A folder's name as a pattern that means just it. */
function literal(folder: string): string {
  return folder.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

function split(text: string, path: string): { data: unknown; body: string } {
  try {
    return parseFrontMatter(text);
  } catch (error) {
    throw new PhotonError('CONSTITUTION_INVALID', `${path}: ${(error as Error).message}`);
  }
}

function check<T>(schema: z.ZodType<T>, data: unknown, path: string): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    i => `${path}: ${i.path.map(String).join('.')}: ${i.message}`,
  );
  throw new PhotonError('CONSTITUTION_INVALID', problems.join('\n'));
}

/** This Photon knows version 2.0 alone; `2` means it too (constitution §11). */
function requireVersion(version: string, path: string): void {
  if (/^2(\.0)*$/.test(version)) return;
  throw new PhotonError(
    'CONSTITUTION_VERSION',
    `${path}: version ${JSON.stringify(version)} is not known here; this Photon follows version 2.0.`,
  );
}

/** Optional keys that are there have a value; YAML and JSON know no other. */
export function given<T extends object>(own: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return own as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.length === 0 ? a : [...new Set([...a, ...b])];
}
