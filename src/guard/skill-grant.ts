/** Defines what an active skill permits: its tools, guards and budgets. */
import * as z from 'zod';

const pattern = z.string().min(1).max(200);
const count = z.int().min(0).max(1_000_000);

/**
 * Limits on what a skill may change. A pattern is a glob relative to the root of the repository, or a
 * path class (`path-classes.ts`).
 */
export const guardsSchema = z.strictObject({
  paths: z.array(pattern).min(1).max(50).optional().describe('Only these files may be changed.'),
  except: z.array(pattern).min(1).max(50).optional().describe('These files may not be changed.'),
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

/** One active skill. */
export interface SkillGrant {
  readonly name: string;
  readonly tools: readonly string[];
  readonly guards: SkillGuards;
  readonly budgets: SkillBudgets;
  /** Digests of the constraints that it states, for questions that quote one; absent without any. */
  readonly constraints?: readonly string[] | undefined;
}

/** How much a run used a skill. */
export interface SkillUse {
  readonly activations: number;
  /** Rounds in which it was active. */
  readonly rounds: number;
  /** Calls that ran of tools which the skill granted. */
  readonly calls: number;
}

export const unused: SkillUse = { activations: 0, rounds: 0, calls: 0 };
