/** Is this person or bot allowed to give Photon a task? GitHub knows; an outage counts as an error, not as a no. */
import type { TriggerSettings } from '../../../settings/settings.ts';
import type { Author, GitHub } from '../api/github.ts';
import { formatMessage, getStatus, githubError } from '../api/github-errors.ts';
import type { RepositoryRole } from './access.ts';

/** Narrows the people with write access, and names allowed bots (settings `allowed-…`). */
type AllowedActors = Pick<TriggerSettings, 'allowedUsers' | 'allowedTeams' | 'allowedBots'>;

/** Whom GitHub is asked about with, and the lists of the settings. */
interface AuthorisationContext {
  readonly github: GitHub;
  readonly settings: { readonly triggers: AllowedActors };
}

export interface Authorisation {
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
 * May this person or bot give Photon a task, by their role and the lists of the settings? A person needs proof of write access: without it a stranger's comment
 * could start runs. The lists only narrow: people on them still need write access.
 * @throws PhotonError `GITHUB_*` when GitHub does not answer.
 */
export async function authorise(
  { github, settings: { triggers } }: AuthorisationContext,
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
