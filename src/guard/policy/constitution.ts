/** Defines a constitution: rules, limits and protected paths, and the folders that they apply to. */
import { PhotonError } from '../../base/codes.ts';

/** Codes that the rule table judges, each with a class in the constitution. */
export const ruleCodes = [
  'READ_LIMIT',
  'READ_UNBOUNDED',
  'PATH_ESCAPE',
  'WRITE_BYPASS',
  'SKILL_NOT_ALLOWED',
  'PATH_PROTECTED',
  'SECRET_IN_PATCH',
  'PATH_FILTERED',
  'TOOL_NOT_PERMITTED',
  'SKILL_REQUIREMENT',
  'SKILL_INACTIVE',
  'SKILL_LIMIT',
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

/** Every limit, and what it bounds. */
export const limitTexts = {
  read_lines: 'Maximum lines in one read of one file.',
  corrections: 'Abstentions before the run is ended; those of one round count once.',
  violations: 'Violations reported to the agent before the run is ended.',
  repairs: 'Failed verifications after which the agent may patch again.',
  listing_entries: 'Maximum files on one page of a listing.',
  grep_hits: 'Maximum hits on one page of a search.',
  output_bytes: 'Maximum bytes in one tool result.',
  command_seconds: 'Maximum seconds for one command.',
  patch_files: 'Maximum files in one patch.',
  think_chars: 'Maximum characters of a reasoning line that are shown.',
  active_skills:
    'Maximum skills that are active at once; a task that names more skills may have all of these.',
} as const;

/**
 * What happens to a look that lacks a step: `bounded` makes the step, and only a patch is refused; `strict` refuses the
 * look as well, as the constitution's words say.
 */
export const readModes = ['bounded', 'strict'] as const;

type ReadMode = (typeof readModes)[number];

export type Limits = Readonly<Record<keyof typeof limitTexts, number>>;

/** Limits that hold no wall: the constitution of the whole repository may also raise them. */
const raisable: ReadonlySet<string> = new Set<keyof Limits>(['active_skills']);

/** True for a limit of a folder's constitution that may be any number. */
export function mayRaise(name: string, { folder }: Pick<FolderPolicy, 'folder'>): boolean {
  return folder === '' && raisable.has(name);
}

/** What the `constitution.md` of one folder states. */
export interface FolderPolicy {
  /** The folder of the file; an empty string for the root. */
  readonly folder: string;
  readonly limits: Partial<Limits>;
  /** `limits.reads` of the file. */
  readonly reads?: ReadMode | undefined;
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
  /** `limits.reads`. */
  readonly reads: ReadMode;
  readonly rules: Readonly<Record<RuleCode, RuleClass>>;
  readonly protectedPaths: readonly string[];
  readonly flaggedPaths: readonly string[];
  /** The text that the model gets. */
  readonly prose: string;
  /** What applies in addition inside sub-folders, outer folders first. */
  readonly folders: readonly FolderPolicy[];
}

/** Merges the policy of a folder into a constitution; the stricter value of each rule and limit applies. */
export function underFolderPolicy(policy: Constitution, own: FolderPolicy): Constitution {
  const limits: Record<string, number> = { ...policy.limits };
  for (const [name, value] of Object.entries(own.limits))
    limits[name] = mayRaise(name, own) ? value : Math.min(limits[name] ?? value, value);
  const rules = { ...policy.rules };
  for (const [code, value] of Object.entries(own.rules))
    if (value === 'violation') rules[code as RuleCode] = value;
  const title = own.folder === '' ? 'this repository' : own.folder;
  return {
    ...policy,
    limits: limits as unknown as Limits,
    reads: own.reads === 'strict' ? 'strict' : policy.reads,
    rules,
    protectedPaths: union(policy.protectedPaths, own.protectedPaths),
    flaggedPaths: union(policy.flaggedPaths, own.flaggedPaths),
    prose:
      own.prose === ''
        ? policy.prose
        : `${policy.prose}\n\n# Constitution of ${title}\n\n${own.prose}`,
  };
}

/** Describes the first way in which a policy is looser than another; undefined when it is as strict or stricter. */
export function looserThan(policy: Constitution, other: Constitution): string | undefined {
  for (const [name, bound] of Object.entries(other.limits)) {
    const value = policy.limits[name as keyof Limits];
    if (value > bound && !raisable.has(name)) return `${name}: ${value} is looser than ${bound}`;
  }
  if (other.reads === 'strict' && policy.reads !== 'strict')
    return `reads: ${policy.reads} is looser than strict`;
  for (const [code, bound] of Object.entries(other.rules))
    if (bound === 'violation' && policy.rules[code as RuleCode] !== 'violation')
      return `${code}: ${policy.rules[code as RuleCode]} is looser than ${bound}`;
  const open = other.protectedPaths.find(p => !policy.protectedPaths.includes(p));
  return open === undefined ? undefined : `${open} is not protected`;
}

/** The policy for work on some paths: the root's, and that of every folder that contains one of them. */
export function policyFor(policy: Constitution, paths: Iterable<string>): Constitution {
  const touched = [...paths];
  const folders = policy.folders.filter(f =>
    touched.some(p => p === f.folder || p.startsWith(`${f.folder}/`)),
  );
  return folders.reduce(underFolderPolicy, policy);
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
export function dropUndefined<T extends object>(
  own: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return own as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.length === 0 ? a : [...new Set([...a, ...b])];
}
