/** Ways to deliver a patch, and the templates of pull requests with their placeholders. */
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

/** Placeholders for one line of plain, inert text. */
export const linePlaceholders = {
  title: 'First line of the task as plain text; with the embedded engine, what it did.',
  task: 'Id of the task.',
  run: 'Id of the run.',
  issue: 'Number of the issue or pull request that the task came from, without #; may be empty.',
  'asked-by': 'Login of the requester, as code; empty in a title.',
  base: 'Base branch of the pull request, as code.',
  maintenance: 'Name of the maintenance task; empty for other tasks.',
} as const;

/** Placeholders that must be alone on a line of the body. */
export const blockPlaceholders = {
  prompt: 'The text of the task, in a code block.',
  plan: 'The plan, if showPlan is set.',
  verification: 'The runs of the test command as a table.',
  files: 'The files of the patch as a table.',
  decisions: 'What the guard refused, folded.',
  closes: 'Fixes #N, if the task came from an issue; empty with the embedded engine.',
  undo: 'How to undo the change.',
} as const;

export type LinePlaceholder = keyof typeof linePlaceholders;
export type BlockPlaceholder = keyof typeof blockPlaceholders;

/** `{name}`. Other text in braces is not a placeholder. */
export const placeholder = /\{([a-z][a-z-]{0,20})\}/g;

const lineNames = new Set(Object.keys(linePlaceholders));
const blockNames = new Set(Object.keys(blockPlaceholders));

/** Why a title template is invalid; empty if it is valid. */
export function titleProblem(template: string): string {
  const names = [...template.matchAll(placeholder)].map(m => m[1] ?? '');
  const wrong = names.find(n => !lineNames.has(n));
  if (wrong !== undefined) return `{${wrong}} is not a placeholder of a title`;
  return /[\r\n]/.test(template) ? 'a title is one line' : '';
}

/** Markdown inside which escaped text of other people could become active again. */
const openers = /<!|<\?|<\s*\/?(?:pre|script|style|textarea)\b|^ {0,3}(?:`{3,}|~{3,})/im;

/** Why a body template is invalid; empty if it is valid. */
export function bodyProblem(template: string): string {
  if (openers.test(template))
    return 'fences, comments, pre, script, style and textarea cannot be used';
  for (const line of template.split('\n')) {
    for (const [whole, name = ''] of line.matchAll(placeholder)) {
      if (!lineNames.has(name) && !blockNames.has(name))
        return `${whole} is not a placeholder of a body`;
      if (blockNames.has(name) && line.trim() !== whole)
        return `${whole} must stand alone on its line`;
      if (blockNames.has(name) && line !== whole)
        return `${whole} must stand at the start of its line`;
    }
  }
  return '';
}
