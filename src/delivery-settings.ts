/** How a result is delivered, as the configuration says it: kinds, people, templates and their placeholders. */
import * as z from 'zod';

/** Prefix of the branches that Photon makes. */
export const branchPrefix = z
  .string()
  .regex(/^[a-z0-9][a-z0-9/_-]{0,39}$/, 'use a-z, 0-9, / _ - (at most 40)');

/** Ways in which a verified patch reaches people. */
export const deliveryKinds = ['pull-request', 'branch', 'commit', 'suggestions', 'patch'] as const;

export type DeliveryKind = (typeof deliveryKinds)[number];

/** What is done when the base moved while the run worked. */
export const baseMoves = ['reapply', 'refuse'] as const;

/** How a pull request merges by itself. */
export const mergeMethods = ['off', 'merge', 'squash', 'rebase'] as const;

/** File name of a workflow. */
export const workflowFile = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,100}\.ya?ml$/, 'use the name of a file below .github/workflows');

/** Placeholders of one line: made of plain, inert words. */
export const linePlaceholders = {
  title: 'The first line of the task, made plain; with the embedded engine, what it did.',
  task: 'Id of the task.',
  run: 'Id of the run.',
  issue: 'Number of the issue or pull request that asked, without #; empty when there is none.',
  'asked-by': 'Login of who asked, in code; empty in a title.',
  base: 'Branch that the pull request goes to, in code.',
  maintenance: 'Name of the maintenance task; empty for others.',
} as const;

/** Placeholders that stand alone on a line of the body. */
export const blockPlaceholders = {
  prompt: 'The words of the task, fenced.',
  plan: 'The plan, where show-plan asks for it.',
  verification: 'The runs of the test command as a table.',
  files: 'The files of the patch as a table.',
  decisions: 'What the guard did not let pass, folded.',
  closes: 'Fixes #N, when the task came from an issue; empty with the embedded engine.',
  undo: 'How to take the change back.',
} as const;

export type LinePlaceholder = keyof typeof linePlaceholders;
export type BlockPlaceholder = keyof typeof blockPlaceholders;

/** `{name}`; any other text in braces is not one. */
export const placeholder = /\{([a-z][a-z-]{0,20})\}/g;

const lineNames = new Set(Object.keys(linePlaceholders));
const blockNames = new Set(Object.keys(blockPlaceholders));

/** What keeps a title template from being used; empty when nothing does. */
export function titleProblem(template: string): string {
  const unknown = [...template.matchAll(placeholder)].map(m => m[1] ?? '');
  const wrong = unknown.find(n => !lineNames.has(n));
  if (wrong !== undefined) return `{${wrong}} is no placeholder of a title`;
  return /[\r\n]/.test(template) ? 'a title is one line' : '';
}

/** Markdown in which a text of somebody else's could come alive again. */
const openers = /<!|<\?|<\s*\/?(?:pre|script|style|textarea)\b|^ {0,3}(?:`{3,}|~{3,})/im;

/** What keeps a body template from being used; empty when nothing does. */
export function bodyProblem(template: string): string {
  if (openers.test(template))
    return 'fences, comments, pre, script, style and textarea cannot be used';
  for (const line of template.split('\n')) {
    for (const [whole, name = ''] of line.matchAll(placeholder)) {
      if (!lineNames.has(name) && !blockNames.has(name))
        return `${whole} is no placeholder of a body`;
      if (blockNames.has(name) && line.trim() !== whole)
        return `${whole} must stand alone on its line`;
      if (blockNames.has(name) && line !== whole)
        return `${whole} must stand at the start of its line`;
    }
  }
  return '';
}

const names = (max: number) => z.array(z.string().min(1).max(max)).max(20);

function template(max: number, problemOf: (text: string) => string) {
  return z
    .string()
    .max(max)
    .superRefine((text, context) => {
      const message = problemOf(text);
      if (message !== '') context.addIssue({ code: 'custom', message });
    });
}

const said = (table: Readonly<Record<string, string>>) =>
  Object.keys(table)
    .map(n => `{${n}}`)
    .join(', ');

/** The part `delivery` of the configuration. */
export const deliveryConfig = z.strictObject({
  kind: z.enum(deliveryKinds).optional().describe('How a verified patch reaches people.'),
  base: z.string().min(1).optional().describe('Branch that pull requests go to.'),
  baseMoved: z
    .enum(baseMoves)
    .optional()
    .describe('When the base moved meanwhile: apply to the new one and verify again, or refuse.'),
  branchPrefix: branchPrefix.optional().describe('Prefix of branches made by Photon.'),
  title: template(200, titleProblem)
    .optional()
    .describe(`Title of pull requests; placeholders ${said(linePlaceholders)}.`),
  body: template(20_000, bodyProblem)
    .optional()
    .describe(
      `Body of pull requests between warnings and footer; placeholders as in title, and alone on a line ${said(blockPlaceholders)}.`,
    ),
  draft: z.boolean().optional().describe('Open pull requests as drafts.'),
  labels: names(50).optional().describe('Labels of pull requests.'),
  reviewers: names(100).optional().describe('People to ask for a review.'),
  teamReviewers: names(100).optional().describe('Teams to ask for a review, by slug.'),
  assignees: names(100).optional().describe('People to assign pull requests to.'),
  milestone: z
    .union([z.int().min(1), z.string().min(1).max(200)])
    .optional()
    .describe('Milestone of pull requests, by number or title.'),
  autoMerge: z.enum(mergeMethods).optional().describe('Merge when every requirement is met.'),
  dispatchWorkflow: workflowFile
    .optional()
    .describe('Workflow to start on the branch where GITHUB_TOKEN starts none.'),
});
