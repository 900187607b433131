/** What an active skill permits, as the guard sees it: its tools, its guards and its budgets. */
import * as z from 'zod';

const pattern = z.string().min(1).max(200);
const count = z.int().min(0).max(1_000_000);

/**
 * Bounds of a skill on what it changes. A pattern is a glob from the root of the repository, or a
 * class of paths (`path-classes.ts`).
 */
export const guardsSchema = z.strictObject({
  paths: z.array(pattern).min(1).max(50).optional().describe('Only these files may be changed.'),
  except: z.array(pattern).min(1).max(50).optional().describe('These files may not be changed.'),
  maxFiles: count.optional().describe('Most files of the patch.'),
  maxLines: count.optional().describe('Most changed lines of the patch.'),
  create: z.boolean().optional().describe('false: no new files.'),
  delete: z.boolean().optional().describe('false: no file goes.'),
  suppress: z
    .boolean()
    .optional()
    .describe('false: no new comment or call that silences a check or skips a test.'),
});

/** Bounds of a skill on its own use. */
export const budgetsSchema = z.strictObject({
  calls: count.optional().describe('Most calls of the tools that it grants.'),
  rounds: count.optional().describe('Most rounds in which it is active.'),
});

export type SkillGuards = Readonly<z.infer<typeof guardsSchema>>;
export type SkillBudgets = Readonly<z.infer<typeof budgetsSchema>>;

/** One active skill. */
export interface SkillGrant {
  readonly name: string;
  readonly tools: readonly string[];
  readonly guards: SkillGuards;
  readonly budgets: SkillBudgets;
}

/** How much a skill was used in a run. */
export interface SkillUse {
  readonly activations: number;
  /** Rounds in which it was active. */
  readonly rounds: number;
  /** Calls that ran of tools which it granted. */
  readonly calls: number;
}

export const unused: SkillUse = { activations: 0, rounds: 0, calls: 0 };
