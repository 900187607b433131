/** Who may do what: one table of triggers, and the decision over it (THREATS T01, T02, T28). Pure. */

/** What may start a run. */
export const accessTriggers = [
  'task',
  'comment',
  'label',
  'assignment',
  'failed-workflow',
  'dispatch',
  'schedule',
] as const;

export type AccessTrigger = (typeof accessTriggers)[number];

/** How the one who pulled a trigger stands to the repository. */
export const repositoryRoles = [
  'writer',
  'unlisted',
  'reader',
  'unreadable',
  'listed-bot',
  'bot',
] as const;

export type RepositoryRole = (typeof repositoryRoles)[number];

/**
 * - `run`: the task is run.
 * - `suggest`: it is run in a sandbox that must hold, and answered with review suggestions.
 * - `refuse`: who asked is told why not.
 * - `ignore`: nothing happens and nobody is answered.
 */
export type Access = 'run' | 'suggest' | 'refuse' | 'ignore';

interface Row {
  /** Standings that are heard; null: GitHub alone decides who may start the workflow. */
  readonly allowedActors: readonly RepositoryRole[] | null;
  /** Code of a fork: by the setting `forks`, or never. */
  readonly fork: 'by-setting' | 'never';
  readonly what: string;
}

/** The table. A failed workflow of a fork has no pull request in its payload that could be answered. */
export const access: Readonly<Record<AccessTrigger, Row>> = {
  task: { allowedActors: null, fork: 'by-setting', what: 'the input `task`, on any event' },
  comment: {
    allowedActors: ['writer', 'listed-bot'],
    fork: 'by-setting',
    what: 'a command in a comment or review',
  },
  label: {
    allowedActors: ['writer', 'listed-bot'],
    fork: 'never',
    what: 'an issue is given the label',
  },
  assignment: {
    allowedActors: ['writer', 'listed-bot'],
    fork: 'never',
    what: 'an issue is assigned to `trigger-assignee`',
  },
  'failed-workflow': {
    allowedActors: ['writer', 'listed-bot'],
    fork: 'never',
    what: 'a workflow failed',
  },
  dispatch: {
    allowedActors: ['writer', 'listed-bot', 'bot'],
    fork: 'never',
    what: '`repository_dispatch`, which takes a token that may write',
  },
  schedule: { allowedActors: null, fork: 'never', what: '`schedule`' },
};

/** What comes of a trigger. Who is not heard gets no answer, fork or not. */
export function decideAccess(
  trigger: AccessTrigger,
  role: RepositoryRole,
  about: { readonly fork: boolean; readonly forks: 'refuse' | 'suggest' },
): Access {
  const { allowedActors, fork } = access[trigger];
  if (allowedActors !== null && !allowedActors.includes(role)) return 'ignore';
  if (!about.fork) return 'run';
  return fork === 'by-setting' && about.forks === 'suggest' ? 'suggest' : 'refuse';
}
