/** Parses constitutions: rules, limits and protected paths, and the folders that they apply to. */
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

/** `violation`: always prohibited, ends the run. `abstain`: evidence is missing, the agent may supply it. */
export type RuleClass = 'violation' | 'abstain';

const limit = (about: string) => z.int().min(0).max(1_000_000).describe(about);

export const limitsSchema = z.strictObject({
  read_lines: limit('Maximum lines in one read of one file.'),
  corrections: limit('Abstentions before the run is ended.'),
  violations: limit('Violations reported to the agent before the run is ended.'),
  repairs: limit('Failed verifications after which the agent may patch again.'),
  listing_entries: limit('Maximum files on one page of a listing.'),
  grep_hits: limit('Maximum hits on one page of a search.'),
  output_bytes: limit('Maximum bytes in one tool result.'),
  command_seconds: limit('Maximum seconds for one command.'),
  patch_files: limit('Maximum files in one patch.'),
  think_chars: limit('Maximum characters of a reasoning line that are shown.'),
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

/** What the `constitution.md` of one folder states. */
export interface FolderPolicy {
  /** The folder of the file; an empty string for the root. */
  readonly folder: string;
  readonly limits: Partial<Limits>;
  readonly rules: Partial<Record<RuleCode, RuleClass>>;
  /** Patterns relative to the root of the repository. */
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
  /** The text that the model gets. */
  readonly prose: string;
  /** What applies in addition inside sub-folders, outer folders first. */
  readonly folders: readonly FolderPolicy[];
}

/**
 * Parses the shipped constitution, which must state every rule and limit.
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
 * Parses a `constitution.md` of a repository. A file without front matter states no rule; its text is
 * prose. Patterns of a sub-folder are relative to it.
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

/** Merges the policy of a folder into a constitution; the stricter value of each rule and limit applies. */
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

/** Describes the first way in which a policy is looser than another; null when it is as strict or stricter. */
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

/** The policy for work on some paths: the root's, and that of every folder that contains one of them. */
export function policyFor(policy: Constitution, paths: Iterable<string>): Constitution {
  const touched = [...paths];
  return policy.folders
    .filter(f => touched.some(p => p === f.folder || p.startsWith(`${f.folder}/`)))
    .reduce(underFolderPolicy, policy);
}

/** Escapes a folder name, so that as a pattern it matches itself only. */
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

/**
 * Only version 2.0 is supported; `2` means the same.
 * @throws PhotonError `CONSTITUTION_VERSION`.
 */
export function requireVersion(version: string, path: string): void {
  if (/^2(\.0)*$/.test(version)) return;
  throw new PhotonError(
    'CONSTITUTION_VERSION',
    `${path}: version ${JSON.stringify(version)} is not supported; this release of Photon supports version 2.0.`,
  );
}

/** Drops `undefined` from the type: YAML and JSON have no such value. */
export function given<T extends object>(own: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return own as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.length === 0 ? a : [...new Set([...a, ...b])];
}
