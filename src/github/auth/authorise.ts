/** May this person or bot give Photon a task? GitHub is asked about who it was; an outage is no answer. */
import type { TriggerSettings } from '../../settings/settings.ts';
import { type Author, type GitHub, splitRepository } from '../api/github.ts';
import { githubError, messageOf, statusOf } from '../api/github-errors.ts';
import type { RepositoryRole } from './access.ts';

/** Who of those with write access is heard (settings `allowed-…`). */
export type AllowedActors = Pick<TriggerSettings, 'allowedUsers' | 'allowedTeams' | 'allowedBots'>;

export interface Authorisation {
  readonly allowed: boolean;
  readonly role: RepositoryRole;
  readonly reason: string;
}

/** Events that only people with write access, or the repository's own workflows, can cause. */
export const trustedEvents: ReadonlySet<string> = new Set([
  'workflow_dispatch',
  'repository_dispatch',
  'schedule',
  'push',
]);

const writers = new Set(['admin', 'maintain', 'write']);

/**
 * How somebody stands: whoever is not shown to have write access has none (THREATS T01, T02). The
 * lists narrow: people on them still need write access.
 * @throws PhotonError `GITHUB_*` when GitHub does not answer the question: that is not a no.
 */
export async function authorise(
  github: GitHub,
  {
    repository,
    allowedActors,
  }: { readonly repository: string; readonly allowedActors: AllowedActors },
  author: Author,
): Promise<Authorisation> {
  if (!isPerson(author)) {
    const listed = allowedActors.allowedBots.some(
      bot => bot.toLowerCase() === author.login.toLowerCase() || bot === String(author.id),
    );
    return author.type === 'Bot' && listed
      ? authorisation('listed-bot', 'is on the list of bots')
      : authorisation('bot', 'not a person');
  }
  const access = await readAccess(github, repository, author);
  if (access.role !== 'writer') return access;
  const { allowedUsers, allowedTeams } = allowedActors;
  if (allowedUsers.length === 0 && allowedTeams.length === 0) return access;
  const login = author.login.toLowerCase();
  if (allowedUsers.some(user => user.toLowerCase() === login)) return access;
  for (const team of allowedTeams) if (await isMember(github, team, author.login)) return access;
  return authorisation('unlisted', 'is on none of the lists of this repository');
}

/**
 * Has this person write access, whatever the lists say?
 * @throws PhotonError `GITHUB_*` as `authorise`.
 */
export async function mayWrite(
  github: GitHub,
  repository: string,
  author: Author,
): Promise<boolean> {
  return isPerson(author) && (await readAccess(github, repository, author)).allowed;
}

function isPerson({ type, login }: Author): boolean {
  return type === 'User' && !login.endsWith('[bot]');
}

async function readAccess(
  github: GitHub,
  repository: string,
  { login }: Author,
): Promise<Authorisation> {
  try {
    const { data } = await github.rest.repos.getCollaboratorPermissionLevel({
      ...splitRepository(repository),
      username: login,
    });
    const title = data.role_name || data.permission;
    // role names can be a repository's own; the permission is then the base that GitHub maps it to
    return writers.has(data.permission)
      ? authorisation('writer', `has ${title}`)
      : authorisation('reader', `has only ${title}`);
  } catch (error) {
    if (statusOf(error) !== 404) throw githubError(error, github.signal);
    return authorisation('unreadable', `the permission could not be read: ${messageOf(error)}`);
  }
}

/** Only an active member counts, not one who was invited. */
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
    const status = statusOf(error);
    if (status !== 404 && status !== 403) throw githubError(error, github.signal);
    if (status === 403)
      github.log(`GitHub: the members of ${team} cannot be read: ${messageOf(error)}`);
    return false;
  }
}

function authorisation(at: RepositoryRole, reason: string): Authorisation {
  return { allowed: at === 'writer' || at === 'listed-bot', role: at, reason };
}
