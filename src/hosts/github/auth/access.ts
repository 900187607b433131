/** The access table: which trigger serves which repository roles, and what happens with code of forks. Pure. */

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

/**
 * Role in the repository of the person or bot that pulled a trigger:
 * - `writer`: a person with write access whom the lists of the settings do not exclude.
 * - `unlisted`: a person with write access who is on none of the lists.
 * - `reader`: a person without write access.
 * - `unreadable`: a person whose permission GitHub does not show.
 * - `listed-bot`, `bot`: a bot that is on the list of bots, or not.
 */
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
 * - `run`: the task runs.
 * - `suggest`: the task runs in a required sandbox, and the result is posted as review suggestions.
 * - `refuse`: the author gets a reply that says why not.
 * - `ignore`: nothing happens and nobody gets a reply.
 */
export type Access = 'run' | 'suggest' | 'refuse' | 'ignore';

interface Row {
  /** Allowed roles; undefined: only GitHub decides who can start the workflow. */
  readonly allowedActors: readonly RepositoryRole[] | undefined;
  /** Code of a fork is served according to the setting `forks`, or never. */
  readonly fork: 'by-setting' | 'never';
  readonly what: string;
}

/** The table. A failed workflow of a fork has no pull request in its payload for an answer. */
export const access: Readonly<Record<AccessTrigger, Row>> = {
  task: { allowedActors: undefined, fork: 'by-setting', what: 'the input `task`, on any event' },
  comment: {
    allowedActors: ['writer', 'listed-bot'],
    fork: 'by-setting',
    what: 'a command in a comment or review',
  },
  label: {
    allowedActors: ['writer', 'listed-bot'],
    fork: 'by-setting',
    what: 'an issue or a pull request gets the label',
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
    what: '`repository_dispatch`, which needs a token with write access',
  },
  schedule: { allowedActors: undefined, fork: 'never', what: '`schedule`' },
};

/** Decides about a trigger. A role that is not allowed is ignored, with a fork or without. */
export function decideAccess(
  trigger: AccessTrigger,
  role: RepositoryRole,
  about: { readonly fork: boolean; readonly forks: 'refuse' | 'suggest' },
): Access {
  const { allowedActors, fork } = access[trigger];
  if (allowedActors !== undefined && !allowedActors.includes(role)) return 'ignore';
  if (!about.fork) return 'run';
  return fork === 'by-setting' && about.forks === 'suggest' ? 'suggest' : 'refuse';
}
