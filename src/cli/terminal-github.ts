/** Opens GitHub for a command with `--on OWNER/NAME`. */
import { PhotonError } from '../codes.ts';
import { openGitHub } from '../github/api/client.ts';
import type { GitHub } from '../github/api/github.ts';
import type { Terminal } from './terminal.ts';

/**
 * Reads `--on` and opens GitHub with `GITHUB_TOKEN`, for at most ten minutes.
 * @throws PhotonError `USAGE`.
 */
export function openRepository(
  named: unknown,
  { env, signal, now, tell }: Terminal,
): { readonly repository: string; readonly github: Promise<GitHub> } {
  const repository = String(named);
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new PhotonError('USAGE', '--on takes OWNER/NAME.');
  const github = openGitHub({
    apiUrl: apiUrlOf(env),
    signal,
    now,
    token: env.GITHUB_TOKEN ?? '',
    log: line => tell(`${line}\n`),
    deadline: now() + 600_000,
    mutationSpacingMs: Number(env.PHOTON_MUTATION_SPACING_MS ?? 1000),
  });
  return { repository, github };
}

/** Address of GitHub's API. */
export function apiUrlOf({ GITHUB_API_URL }: Terminal['env']): string {
  return GITHUB_API_URL || 'https://api.github.com';
}
