/** Whose token this is: comments are found again by their mark and their author (THREATS T18). */
import type { GitHub } from './github.ts';

/**
 * Login of the person whose token it is. Null for the token of an installation (`GITHUB_TOKEN`, a
 * GitHub App), which GitHub does not tell its own name: what it posts is by a bot.
 */
export async function findSelf(rest: GitHub['rest'], token: string): Promise<string | null> {
  // tokens of installations begin so (GitHub, "About authentication to GitHub", token formats)
  if (token.startsWith('ghs_')) return null;
  try {
    return (await rest.users.getAuthenticated()).data.login;
  } catch {
    return null;
  }
}
