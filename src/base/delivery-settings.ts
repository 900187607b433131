/** Ways to deliver a patch, and the template of the titles of pull requests. */
import * as z from 'zod';

/** Prefix of the branches that Photon makes. */
export const branchPrefix = () =>
  z.string().regex(/^[a-z0-9][a-z0-9/_-]{0,39}$/, 'use a-z, 0-9, / _ - (at most 40)');

/** Ways in which a verified patch reaches people. */
export const deliveryKinds = ['pull-request', 'branch', 'commit', 'suggestions', 'patch'] as const;

export type DeliveryKind = (typeof deliveryKinds)[number];

/** What to do if the base branch moved during the run. */
export const baseMoves = ['reapply', 'refuse'] as const;

/** How a pull request is merged automatically. */
export const mergeMethods = ['off', 'merge', 'squash', 'rebase'] as const;

/** File name of a workflow. */
export const workflowFile = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,100}\.ya?ml$/, 'use the name of a file below .github/workflows');

/** Placeholders of a title: each gives plain, inert text. */
export const placeholders = {
  title: 'First line of the task as plain text; with the embedded engine, what it did.',
  task: 'Id of the task.',
  run: 'Id of the run.',
  issue: 'Number of the issue or pull request that the task came from, without #; may be empty.',
  maintenance: 'Name of the maintenance task; empty for other tasks.',
} as const;

export type Placeholder = keyof typeof placeholders;

/** `{name}`. Other text in braces is not a placeholder. */
export const placeholder = /\{([a-z][a-z-]{0,20})\}/g;

/** Why a title template is invalid; empty if it is valid. */
export function titleProblem(template: string): string {
  const names = [...template.matchAll(placeholder)].map(m => m[1] ?? '');
  const wrong = names.find(name => !Object.hasOwn(placeholders, name));
  if (wrong !== undefined) return `{${wrong}} is not a placeholder of a title`;
  return /[\r\n]/.test(template) ? 'a title is one line' : '';
}
