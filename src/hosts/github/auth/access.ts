/** Who may give Photon a task: the access table by trigger and role, and the role that GitHub says. An outage counts as an error, not as a no. */
import type { Author, GitHub } from '../api/github.ts';
import { formatMessage, getStatus, githubError } from '../api/github-errors.ts';
import type { RepositoryAccess } from './repository-context.ts';

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

type AccessTrigger = (typeof accessTriggers)[number];

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

type RepositoryRole = (typeof repositoryRoles)[number];

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
    what: 'an issue is assigned to `triggers.assignee`',
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

/**
 * What the access table says when this person or bot pulls a trigger.
 * @throws PhotonError `GITHUB_*` when GitHub does not answer.
 */
export async function checkAccess(
  context: RepositoryAccess,
  trigger: AccessTrigger,
  { author, fork }: { readonly author: Author; readonly fork: boolean },
): Promise<Authorisation & { readonly access: Access }> {
  const authorisation = await authorise(context, author);
  const { forks } = context.settings.triggers;
  return { ...authorisation, access: decideAccess(trigger, authorisation.role, { fork, forks }) };
}

interface Authorisation {
  readonly allowed: boolean;
  readonly role: RepositoryRole;
  readonly reason: string;
}

/** Events that only people with write access, or workflows of the repository, can cause. */
export const trustedEvents: ReadonlySet<string> = new Set([
  'workflow_dispatch',
  'repository_dispatch',
  'schedule',
  'push',
]);

const writers = new Set(['admin', 'maintain', 'write']);

/**
 * May this person or bot give Photon a task, by their role and the lists of the settings (`allowed-…`)? A person needs proof
 * of write access: without it a stranger's comment could start runs. The lists only narrow: people on them still need it.
 * @throws PhotonError `GITHUB_*` when GitHub does not answer.
 */
export async function authorise(
  { github, settings: { triggers } }: RepositoryAccess,
  author: Author,
): Promise<Authorisation> {
  if (!isPerson(author)) {
    const listed = triggers.allowedBots.some(bot => isNamed(author, bot));
    return author.type === 'Bot' && listed
      ? authorisation('listed-bot', 'is on the list of bots')
      : authorisation('bot', 'is not a person');
  }
  const access = await readAccess(github, author);
  if (access.role !== 'writer') return access;
  const { allowedUsers, allowedTeams } = triggers;
  if (allowedUsers.length === 0 && allowedTeams.length === 0) return access;
  const login = author.login.toLowerCase();
  if (allowedUsers.some(user => user.toLowerCase() === login)) return access;
  for (const team of allowedTeams) if (await isMember(github, team, author.login)) return access;
  return authorisation('unlisted', 'is on none of the lists of this repository');
}

/** A number is a user id, and never a login. */
function isNamed({ login, id }: Author, bot: string): boolean {
  if (/^\d+$/.test(bot)) return bot === String(id);
  const name = bot.toLowerCase();
  return [name, `${name}[bot]`].includes(login.toLowerCase());
}

/**
 * Does this person have write access, regardless of the lists?
 * @throws PhotonError `GITHUB_*` as `authorise`.
 */
export async function mayWrite(github: GitHub, author: Author): Promise<boolean> {
  return isPerson(author) && (await readAccess(github, author)).allowed;
}

function isPerson({ type, login }: Author): boolean {
  return type === 'User' && !login.endsWith('[bot]');
}

async function readAccess(github: GitHub, { login }: Author): Promise<Authorisation> {
  try {
    const { data } = await github.rest.repos.getCollaboratorPermissionLevel({
      ...github.where,
      username: login,
    });
    const title = data.role_name || data.permission;
    // a repository can define its own roles; `permission` is the base role that GitHub maps them to
    return writers.has(data.permission)
      ? authorisation('writer', `has ${title}`)
      : authorisation('reader', `has only ${title}`);
  } catch (error) {
    if (getStatus(error) !== 404) throw githubError(error, github.signal);
    return authorisation(
      'unreadable',
      `GitHub does not show their permission: ${formatMessage(error)}`,
    );
  }
}

/** An active member counts, an invited one does not. */
async function isMember(github: GitHub, team: string, username: string): Promise<boolean> {
  const [org = '', slug = ''] = team.split('/');
  try {
    const { data } = await github.rest.teams.getMembershipForUserInOrg({
      org,
      team_slug: slug,
      username,
    });
    return data.state === 'active';
  } catch (error) {
    const status = getStatus(error);
    if (status !== 404 && status !== 403) throw githubError(error, github.signal);
    if (status === 403)
      github.log(`GitHub: Photon cannot read the members of ${team}: ${formatMessage(error)}`);
    return false;
  }
}

function authorisation(role: RepositoryRole, reason: string): Authorisation {
  return { allowed: role === 'writer' || role === 'listed-bot', role, reason };
}
