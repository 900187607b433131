/** Defines what an active skill permits: its tools, guards and budgets. */
import * as z from 'zod';
import { pathPattern } from '../../base/path-patterns.ts';

const count = z.int().min(0).max(1_000_000);

/**
 * Limits on what a skill may change. A pattern is one of `.gitignore`, relative to the root of the
 * repository, or a path class (`guard/paths.ts`).
 */
export const guardsSchema = z.strictObject({
  paths: z
    .array(pathPattern)
    .min(1)
    .max(50)
    .optional()
    .describe('Only these files may be changed.'),
  except: z
    .array(pathPattern)
    .min(1)
    .max(50)
    .optional()
    .describe('These files may not be changed.'),
  maxFiles: count.optional().describe('Maximum files in the patch.'),
  maxLines: count.optional().describe('Maximum changed lines in the patch.'),
  create: z.boolean().optional().describe('false: no new files.'),
  delete: z.boolean().optional().describe('false: no file may be deleted.'),
  suppress: z
    .boolean()
    .optional()
    .describe('false: no new comment or call that silences a check or skips a test.'),
});

/** Limits on how much a skill may be used. */
export const budgetsSchema = z.strictObject({
  calls: count.optional().describe('Maximum calls of the tools that the skill grants.'),
  rounds: count.optional().describe('Maximum rounds in which the skill is active.'),
});

export type SkillGuards = Readonly<z.infer<typeof guardsSchema>>;
export type SkillBudgets = Readonly<z.infer<typeof budgetsSchema>>;

/** Command lines that a skill permits: those with these words, or also those that begin with them. */
export const commandPrefixSchema = z.strictObject({
  words: z.array(z.string()),
  /** True: no further words. */
  exact: z.boolean(),
});

export type CommandPrefix = Readonly<z.infer<typeof commandPrefixSchema>>;

/** One active skill; strict, since an audit must not trust the file. */
export const grantSchema = z.strictObject({
  name: z.string(),
  tools: z.array(z.string()).readonly(),
  /** The only command lines that it permits for `run_command`; all when absent. */
  commands: z.array(commandPrefixSchema).readonly().optional(),
  guards: guardsSchema,
  budgets: budgetsSchema,
  /** Digests of the constraints that it states, for questions that quote one; absent without any. */
  constraints: z.array(z.string()).readonly().optional(),
});

export type SkillGrant = Readonly<z.infer<typeof grantSchema>>;

/** How much a run used a skill. */
export interface SkillUse {
  readonly activations: number;
  /** Rounds in which it was active. */
  readonly rounds: number;
  /** Calls that ran of tools which the skill granted. */
  readonly calls: number;
}

/** A skill that was not used. */
export const unused: SkillUse = { activations: 0, rounds: 0, calls: 0 };

/** The active skills, and how much each was used. */
interface ActiveSkills {
  readonly activeSkills: readonly SkillGrant[];
  readonly skillUse: ReadonlyMap<string, SkillUse>;
}

/** Which budget a skill has used up; undefined when something is left of each. */
export function overspent(
  { name, budgets }: SkillGrant,
  { skillUse }: Pick<ActiveSkills, 'skillUse'>,
): string | undefined {
  const use = skillUse.get(name) ?? unused;
  if (budgets.calls !== undefined && use.calls >= budgets.calls)
    return `${name} has used its budget of ${budgets.calls} calls`;
  if (budgets.rounds !== undefined && use.rounds > budgets.rounds)
    return `${name} has used its budget of ${budgets.rounds} active rounds`;
  return undefined;
}

/**
 * Why the active skills do not permit a command line; undefined when they do, or when none of them grants
 * `run_command` any more. `commands` are the words of its simple commands, or undefined when they cannot be told
 * without a shell.
 */
export function commandObjection(
  commands: readonly (readonly string[])[] | undefined,
  active: ActiveSkills,
): string | undefined {
  const granting = active.activeSkills.filter(
    g => g.tools.includes('run_command') && overspent(g, active) === undefined,
  );
  if (granting.length === 0 || granting.some(g => g.commands === undefined)) return undefined;
  const prefixes = granting.flatMap(g => g.commands ?? []);
  const fits = (words: readonly string[]) =>
    prefixes.some(
      ({ words: first, exact }) =>
        first.every((w, i) => words[i] === w) && (!exact || words.length === first.length),
    );
  if (commands?.every(fits)) return undefined;
  const allowed = prefixes.map(p => `${p.words.join(' ')}${p.exact ? '' : ' …'}`).join(', ');
  return commands === undefined
    ? `the active skills permit only plain commands: ${allowed}`
    : `the active skills permit only these commands: ${allowed}`;
}
