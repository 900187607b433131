/** The law as data: front matter over prose, and the merge that may only tighten it. */
import matter from 'gray-matter';
import * as z from 'zod';
import { PhotonError } from '../codes.ts';

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
  'ARGUMENTS_INVALID',
  'THINK_MISSING',
  'PLAN_MISSING',
  'PHASE_ORDER',
  'NAVIGATION_MISSING',
  'PLAN_SCOPE',
  'STALE_READ',
  'VERIFY_MISSING',
  'CALL_MISSING',
] as const;

export type RuleCode = (typeof ruleCodes)[number];

/** `violation`: prohibited whatever the evidence, ends the run. `abstain`: evidence is missing. */
export type RuleClass = 'violation' | 'abstain';

const limit = (about: string) => z.int().min(0).max(1_000_000).describe(about);

const limitsSchema = z.strictObject({
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

const classSchema = z.enum(['violation', 'abstain']);
const rulesSchema = z.partialRecord(z.enum(ruleCodes), classSchema);
const pathsSchema = z.array(z.string().min(1).max(200)).max(500);

const defaultSchema = z.strictObject({
  version: z.string(),
  limits: limitsSchema,
  rules: z.record(z.enum(ruleCodes), classSchema),
  protected_paths: pathsSchema,
  flagged_paths: pathsSchema,
});

const overlaySchema = z.strictObject({
  version: z.string().optional(),
  limits: limitsSchema.partial().optional(),
  rules: rulesSchema.optional(),
  protected_paths: pathsSchema.optional(),
  flagged_paths: pathsSchema.optional(),
});

type Overlay = z.infer<typeof overlaySchema>;

/** A constitution in force. */
export interface Constitution {
  readonly version: string;
  readonly limits: Limits;
  readonly rules: Readonly<Record<RuleCode, RuleClass>>;
  readonly protectedPaths: readonly string[];
  readonly flaggedPaths: readonly string[];
  /** The normative text that the model is given. */
  readonly prose: string;
}

/** Front matter is data: every engine but YAML refuses (SPEC §12). */
const yamlOnly = {
  language: 'yaml',
  engines: {
    javascript: () => refuse('javascript'),
    js: () => refuse('js'),
    json: () => refuse('json'),
    coffee: () => refuse('coffee'),
  },
};

function refuse(engine: string): never {
  throw new Error(`front matter in ${engine} is refused; use YAML`);
}

/** Splits Markdown with YAML front matter. Throws an Error with the YAML parser's own message. */
export function parseFrontMatter(text: string): { data: unknown; body: string } {
  const file = matter(text, { ...yamlOnly });
  return { data: file.data as unknown, body: file.content.trim() };
}

/**
 * Reads a whole constitution (the shipped one).
 * @throws PhotonError `CONSTITUTION_INVALID`, `CONSTITUTION_VERSION`.
 */
export function parseConstitution(text: string, path: string): Constitution {
  const { data, body } = frontMatter(text, path);
  const front = check(defaultSchema, data, path);
  requireVersion(front.version, path);
  return {
    version: front.version,
    limits: front.limits,
    rules: front.rules,
    protectedPaths: front.protected_paths,
    flaggedPaths: front.flagged_paths,
    prose: body,
  };
}

/**
 * Lays a repository's `constitution.md` over the law above it. It may only tighten: smaller
 * limits, stricter classes, more paths. A file without front matter changes no rule; its prose
 * is added, generated sections left out.
 * @throws PhotonError `CONSTITUTION_INVALID`, `CONSTITUTION_VERSION`, `CONSTITUTION_LOOSENED`.
 */
export function mergeConstitution(above: Constitution, text: string, path: string): Constitution {
  const { data, body } = frontMatter(text, path);
  const front = check(overlaySchema, data, path);
  if (front.version !== undefined) requireVersion(front.version, path);
  const prose = withoutGenerated(body);
  return {
    version: above.version,
    limits: tighterLimits(above.limits, front.limits, { text, path }),
    rules: tighterRules(above.rules, front.rules, { text, path }),
    protectedPaths: [...new Set([...above.protectedPaths, ...(front.protected_paths ?? [])])],
    flaggedPaths: [...new Set([...above.flaggedPaths, ...(front.flagged_paths ?? [])])],
    prose:
      prose === ''
        ? above.prose
        : `${above.prose}\n\n# Constitution of this repository\n\n${prose}`,
  };
}

interface Source {
  readonly text: string;
  readonly path: string;
}

function frontMatter(text: string, path: string): { data: unknown; body: string } {
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

function requireVersion(version: string, path: string): void {
  if (/^2(\.\d+)*$/.test(version)) return;
  throw new PhotonError(
    'CONSTITUTION_VERSION',
    `${path}: version "${version}" is not a 2.x version.`,
  );
}

function tighterLimits(above: Limits, own: Overlay['limits'], source: Source): Limits {
  for (const [name, value] of Object.entries(own ?? {})) {
    const bound = above[name as keyof Limits];
    if (value !== undefined && value > bound)
      throw loosened(source, name, `${value} is above ${bound}`);
  }
  return { ...above, ...defined(own) };
}

function tighterRules(
  above: Constitution['rules'],
  own: Overlay['rules'],
  source: Source,
): Constitution['rules'] {
  for (const [code, value] of Object.entries(own ?? {})) {
    if (value === 'abstain' && above[code as RuleCode] === 'violation') {
      throw loosened(source, code, 'abstain is weaker than violation');
    }
  }
  return { ...above, ...defined(own) };
}

function defined<T extends object>(
  own: T | undefined,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return (own ?? {}) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function loosened(source: Source, key: string, why: string): PhotonError {
  const line = source.text.split('\n').findIndex(l => l.trim().startsWith(`${key}:`)) + 1;
  return new PhotonError('CONSTITUTION_LOOSENED', `${source.path}:${line}: ${key}: ${why}.`);
}

/** Drops sections whose first lines say that a machine wrote them. */
function withoutGenerated(body: string): string {
  const sections = body.split(/^(?=#{1,6} )/m);
  return sections
    .filter(s => !/^.*\n+<!-- AUTO-GENERATED/.test(s))
    .join('')
    .trim();
}
