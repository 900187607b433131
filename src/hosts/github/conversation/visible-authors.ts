/** Whose comments the model may see, by the setting `conversation`. */
import type { Author } from '../api/github.ts';
import { mayWrite } from '../auth/authorise.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';

/** The name of an author as the model sees it; null for one whose text it may not see. */
export type NameOf = (author: Author) => Promise<string | null>;

/** Maximum number of people whose role is read. Text of further people is left out. */
const maxPeople = 25;

/** Judges the authors of one conversation. GitHub is asked once for each person. */
export function visibleAuthors(
  { github, repository, settings, taskTexts }: RepositoryContext,
  opener: Author,
): NameOf {
  const { conversation } = settings;
  const roles = new Map<string, Promise<boolean>>();
  const isWriter = async (author: Author) => {
    const known = roles.get(author.login);
    if (known !== undefined || roles.size >= maxPeople) return known ?? false;
    const found = mayWrite(await github(), repository, author);
    roles.set(author.login, found);
    return found;
  };
  return async author => {
    const { login } = author;
    if (conversation === 'off') return null;
    if (await isWriter(author)) return login;
    if (conversation === 'trusted') return null;
    const isOpener = author.type === 'User' && author.login === opener.login;
    if (isOpener) return taskTexts('by_author', { login });
    return conversation === 'all' ? taskTexts('by_stranger', { login }) : null;
  };
}
