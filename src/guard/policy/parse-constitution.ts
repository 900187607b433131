/** Parses constitutions. */
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { pathPattern, patternsBelow } from '../../base/path-patterns.ts';
import { describeIssue } from '../../base/schema-issue.ts';
import { folderOf } from '../paths.ts';
import {
  type Constitution,
  dropUndefined,
  type FolderPolicy,
  type Limits,
  limitTexts,
  readModes,
  requireVersion,
  ruleCodes,
} from './constitution.ts';
import { type FrontMatterError, parseFrontMatter } from './policy-text.ts';

const limit = (about: string) => z.int().min(0).max(1_000_000).describe(about);

export const limitsSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(limitTexts).map(([name, about]) => [name, limit(about)]),
  ) as Record<keyof Limits, ReturnType<typeof limit>>,
);

const readsSchema = z
  .enum(readModes)
  .describe('bounded: Photon makes the step that a look lacks. strict: such a look is refused.');

/** Limits as a file states them: the mode of reads is one of them. */
const statedLimits = limitsSchema.extend({ reads: readsSchema });

const classSchema = z.enum(['violation', 'abstain']);
const pathsSchema = z.array(pathPattern).max(500);
// YAML reads an unquoted 2.0 as a number
const versionSchema = z.union([z.string(), z.number()]).transform(String);

const wholeSchema = z.strictObject({
  version: versionSchema,
  limits: statedLimits,
  rules: z.record(z.enum(ruleCodes), classSchema),
  protected_paths: pathsSchema,
  flagged_paths: pathsSchema,
});

const ownSchema = z.strictObject({
  version: versionSchema.optional(),
  limits: statedLimits.partial().optional(),
  rules: z.partialRecord(z.enum(ruleCodes), classSchema).optional(),
  protected_paths: pathsSchema.optional(),
  flagged_paths: pathsSchema.optional(),
});

/**
 * Parses the shipped constitution, which must state every rule and limit.
 * @throws PhotonError `CONSTITUTION_INVALID`, `CONSTITUTION_VERSION`.
 */
export function parseConstitution(text: string, path: string): Constitution {
  const { data, body } = splitFrontMatter(text, path);
  const front = check(wholeSchema, data, { path, text });
  requireVersion(front.version, path);
  const { reads, ...limits } = front.limits;
  return {
    version: front.version,
    limits,
    reads,
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
export function parseFolderPolicy(
  text: string,
  path: string,
  folder: string = folderOf(path),
): FolderPolicy {
  const { data, body } = splitFrontMatter(text, path);
  const front = check(ownSchema, data, { path, text });
  if (front.version !== undefined) requireVersion(front.version, path);
  const { reads, ...limits } = front.limits ?? {};
  const below = (patterns: readonly string[] | undefined) => patternsBelow(folder, patterns ?? []);
  return {
    folder,
    limits: dropUndefined(limits),
    reads,
    rules: dropUndefined(front.rules ?? {}),
    protectedPaths: below(front.protected_paths),
    flaggedPaths: below(front.flagged_paths),
    prose: body,
  };
}

function splitFrontMatter(text: string, path: string): { data: unknown; body: string } {
  try {
    return parseFrontMatter(text);
  } catch (error) {
    const { line, message } = error as FrontMatterError;
    const place = line === undefined ? path : `${path}:${line}`;
    throw new PhotonError('CONSTITUTION_INVALID', `${place}: ${message}`);
  }
}

function check<T>(
  schema: z.ZodType<T>,
  data: unknown,
  { path, text }: { readonly path: string; readonly text: string },
): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(i => {
    const at = i.code === 'unrecognized_keys' ? [...i.path, ...i.keys] : i.path;
    const place = i.path.map(String).join('.').replace(/.$/, '$&: ');
    return `${path}:${findLine(at, data, text)}: ${place}${describeIssue(i)}`;
  });
  throw new PhotonError('CONSTITUTION_INVALID', problems.join('\n'));
}

/** The line of a value in the front matter, or of the innermost key above it that the text has. */
function findLine(path: readonly PropertyKey[], data: unknown, text: string): number {
  const lines = path.map(key => (typeof key === 'string' ? lineOfKey(text, key) : 1));
  const line = lines.findLast(found => found > 1) ?? 1;
  const value = path.reduce((at, key) => (at as Record<PropertyKey, unknown>)?.[key], data);
  if (typeof path.at(-1) !== 'number' || typeof value !== 'string') return line;
  const below = text.split('\n').slice(line - 1);
  return (
    line +
    Math.max(
      below.findIndex(l => l.includes(value)),
      0,
    )
  );
}

/** The line (1-based) of a key in the front matter, in block or flow style; 1 when it is not found. */
export function lineOfKey(text: string, key: string): number {
  const lines = text.split('\n');
  const end = lines.findIndex((l, i) => i > 0 && /^---\s*$/.test(l));
  const word = key.replace(/[^\w-]/g, '\\$&');
  const pattern = new RegExp(`(^|[\\s{,"'])${word}["']?\\s*:`);
  const found = lines.findIndex((l, i) => i < end && !/^\s*#/.test(l) && pattern.test(l));
  return Math.max(found, 0) + 1;
}

/** Validates a constitution from a ledger: an audit must not trust the file. */
export const policySchema: z.ZodType<Constitution> = z.strictObject({
  version: z.string(),
  // a limit that is newer than the ledger bounded nothing there
  limits: limitsSchema.extend({ active_skills: z.int().min(0).default(1_000_000) }),
  // earlier runs knew the letter alone
  reads: readsSchema.default('strict'),
  // a rule that is newer than the ledger judged nothing there
  rules: z
    .partialRecord(z.enum(ruleCodes), classSchema)
    .transform(rules => rules as Constitution['rules']),
  protectedPaths: z.array(z.string()),
  flaggedPaths: z.array(z.string()),
  prose: z.string(),
  folders: z.array(
    z
      .strictObject({
        folder: z.string(),
        limits: limitsSchema.partial(),
        reads: readsSchema.optional(),
        rules: z.partialRecord(z.enum(ruleCodes), classSchema),
        protectedPaths: z.array(z.string()),
        flaggedPaths: z.array(z.string()),
        prose: z.string(),
      })
      .transform(f => ({ ...f, limits: dropUndefined(f.limits), rules: dropUndefined(f.rules) })),
  ),
});
