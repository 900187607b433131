/** May this person give Photon a task? GitHub is asked about the comment's author; any error means no. */
import { type GitHub, sayingOf, splitRepository } from './client.ts';
import type { Author } from './event.ts';

const allowed = new Set(['admin', 'maintain', 'write']);

export interface Authorisation {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Never throws; whoever cannot be shown to have write access has none (THREATS T01, T02). */
export async function authorise(
  github: GitHub,
  repository: string,
  author: Pick<Author, 'login' | 'type'>,
): Promise<Authorisation> {
  if (author.type !== 'User' || author.login.endsWith('[bot]'))
    return { allowed: false, reason: 'not a person' };
  try {
    const { data } = await github.rest.repos.getCollaboratorPermissionLevel({
      ...splitRepository(repository),
      username: author.login,
    });
    const role = data.role_name || data.permission;
    // role names can be a repository's own; the permission is then the base that GitHub maps it to
    const may = allowed.has(data.permission);
    return { allowed: may, reason: may ? `has ${role}` : `has only ${role}` };
  } catch (error) {
    return { allowed: false, reason: `the permission could not be read: ${sayingOf(error)}` };
  }
}
