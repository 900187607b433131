/** Reads trusted files over the API when the checkout does not hold the trusted commit. */
import { PhotonError } from '../../../base/codes.ts';
import {
  type CentralFiles,
  isOnTheWay,
  makeFileHead,
  type TrustedFiles,
} from '../../../workspace/trusted/trusted-files.ts';
import { readBlob } from './commit-objects.ts';
import type { GitHub } from './github.ts';
import { getStatus, githubError } from './github-errors.ts';
import { readRef } from './refs.ts';

/**
 * Files of a branch as it is now: one request for the tree, and one for each file that is read.
 * @throws PhotonError `GITHUB_*`.
 */
export async function openRemoteFiles(github: GitHub, branch: string): Promise<TrustedFiles> {
  const commit = await readRef(github, `refs/heads/${branch}`);
  if (commit === undefined)
    throw new PhotonError('GITHUB_REQUEST', `${github.repository} has no branch ${branch}.`);
  return openCommitFiles(github, { ref: branch, commit });
}

/** The same of a commit that is known. */
async function openCommitFiles(
  github: GitHub,
  { ref, commit }: Pick<TrustedFiles, 'ref' | 'commit'>,
): Promise<TrustedFiles> {
  const { data: tree } = await github.rest.git.getTree({
    ...github.where,
    tree_sha: commit,
    recursive: 'true',
  });
  // an incomplete list could hide a rule, so Photon does not use it
  if (tree.truncated)
    throw new PhotonError(
      'GITHUB_REQUEST',
      `GitHub returned only a part of the list of files of ${github.repository} on ${ref}.`,
      {
        hint: 'Run Photon on the branch that holds the trusted files. Photon then reads them from the checkout.',
      },
    );
  const files = new Map(
    tree.tree.flatMap(e =>
      e.type === 'blob' && e.mode?.startsWith('100') && e.path && e.sha ? [[e.path, e.sha]] : [],
    ),
  );
  const others = tree.tree.flatMap(e =>
    e.path && e.type !== 'tree' && !e.mode?.startsWith('100') ? [e.path] : [],
  );
  const read = async (path: string) => {
    const sha = files.get(path);
    if (sha === undefined) return undefined;
    return readBlob(github, sha);
  };
  return {
    ref,
    commit,
    read,
    head: async (path, maxBytes) => makeFileHead(await read(path), maxBytes),
    links: async folder => others.filter(p => isOnTheWay(p, folder)),
    list: async folder =>
      [...files.keys()].filter(p => folder === '' || p.startsWith(`${folder}/`)),
  };
}

/**
 * The files that a configuration extends, as `owner/name@branch` or `owner/name@commit`.
 * @throws PhotonError `GITHUB_*`: a rule that cannot be read is not left out.
 */
export async function openCentralFiles(github: GitHub, named: string): Promise<CentralFiles> {
  const at = named.indexOf('@');
  const [repository, ref] = [named.slice(0, at), named.slice(at + 1)];
  try {
    const there = github.at(repository);
    const files = /^[0-9a-f]{40}$/.test(ref)
      ? await openCommitFiles(there, { ref, commit: ref })
      : await openRemoteFiles(there, ref);
    return { name: `${repository}@${files.commit}`, files };
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    throw new PhotonError(error.code, `extends: ${named} cannot be read: ${error.message}`, {
      hint: 'Correct the name, or let the token of the workflow read that repository: it is public, or a GitHub App is installed on both (docs/platform-team.md).',
    });
  }
}

/**
 * Name of the default branch; undefined when this token cannot read the repository.
 * @throws PhotonError `GITHUB_*` when GitHub does not answer.
 */
export async function findDefaultBranch(github: GitHub): Promise<string | undefined> {
  try {
    return (await github.rest.repos.get(github.where)).data.default_branch;
  } catch (error) {
    const status = getStatus(error);
    if (status !== 403 && status !== 404) throw githubError(error, github.signal);
    github.log(`GitHub: Photon cannot read the default branch (${status}).`);
    return undefined;
  }
}
