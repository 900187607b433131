/** Reads trusted files over the API when the checkout does not hold the trusted commit. */
import { PhotonError } from '../../../base/codes.ts';
import {
  isOnTheWay,
  makeFileHead,
  type TrustedFiles,
} from '../../../workspace/trusted/trusted-files.ts';
import { type GitHub, splitRepository } from './github.ts';
import { getStatus, githubError, withCodes } from './github-errors.ts';
import { readRef } from './refs.ts';

/**
 * Files of a branch as it is now: one request for the tree, and one for each file that is read.
 * @throws PhotonError `GITHUB_*`.
 */
export async function openRemoteFiles(
  github: GitHub,
  repository: string,
  branch: string,
): Promise<TrustedFiles> {
  const where = splitRepository(repository);
  const commit = await withCodes(github, () => readRef(github, repository, `refs/heads/${branch}`));
  if (commit === undefined)
    throw new PhotonError('GITHUB_REQUEST', `${repository} has no branch ${branch}.`);
  const { data: tree } = await withCodes(github, () =>
    github.rest.git.getTree({ ...where, tree_sha: commit, recursive: 'true' }),
  );
  // an incomplete list could hide a rule, so Photon does not use it
  if (tree.truncated)
    throw new PhotonError(
      'GITHUB_REQUEST',
      `GitHub returned only a part of the list of files on ${branch}.`,
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
    const { data } = await withCodes(github, () =>
      github.rest.git.getBlob({ ...where, file_sha: sha }),
    );
    return Buffer.from(data.content, data.encoding === 'base64' ? 'base64' : 'utf8');
  };
  return {
    ref: branch,
    commit,
    read,
    head: async (path, maxBytes) => makeFileHead(await read(path), maxBytes),
    links: async folder => others.filter(p => isOnTheWay(p, folder)),
    list: async folder =>
      [...files.keys()].filter(p => folder === '' || p.startsWith(`${folder}/`)),
  };
}

/**
 * Name of the default branch; undefined when this token cannot read the repository.
 * @throws PhotonError `GITHUB_*` when GitHub does not answer.
 */
export async function findDefaultBranch(
  github: GitHub,
  repository: string,
): Promise<string | undefined> {
  try {
    return (await github.rest.repos.get(splitRepository(repository))).data.default_branch;
  } catch (error) {
    const status = getStatus(error);
    if (status !== 403 && status !== 404) throw githubError(error, github.signal);
    github.log(`GitHub: Photon cannot read the default branch (${status}).`);
    return undefined;
  }
}
