/** Reads the files of a commit on GitHub as trusted files, and compares two trees by the folders that differ. */
import { PhotonError } from '../../../base/codes.ts';
import type { FileChange, FileMode, FileState } from '../../../workspace/files/change.ts';
import {
  type CentralFiles,
  openTreeFiles,
  type TrustedFiles,
} from '../../../workspace/trusted/trusted-files.ts';
import { readBlob, readCommit } from './commit-objects.ts';
import type { GitHub } from './github.ts';
import { getStatus, githubError } from './github-errors.ts';
import { readRef } from './refs.ts';

/** A blob of a tree. */
interface RemoteFile {
  readonly mode: FileMode;
  readonly sha: string;
}

/** A path in both trees; undefined means that the tree does not have it. */
interface TreeDifference {
  readonly path: string;
  readonly before: RemoteFile | undefined;
  readonly after: RemoteFile | undefined;
}

/** Maximum number of folders that are read, of files that differ, and of bytes of all blobs together. */
const max = { folders: 400, files: 1000, bytes: 50_000_000 } as const;

interface Entry {
  readonly mode: string;
  readonly sha: string;
}

type Level = ReadonlyMap<string, Entry>;

/** Reads trees folder by folder, and each folder once. */
export class RemoteTrees {
  readonly #github: GitHub;
  readonly #levels = new Map<string, Level>();
  #bytes = 0;

  constructor(github: GitHub) {
    this.#github = github;
  }

  /** Tree of a commit. @throws PhotonError `GITHUB_*`. */
  async readTree(commit: string): Promise<string> {
    return (await readCommit(this.#github, commit)).tree;
  }

  /** Latest common commit of two histories. @throws PhotonError `GITHUB_*`. */
  async mergeBase(one: string, other: string): Promise<string> {
    const basehead = `${one}...${other}`;
    const { data } = await this.#github.rest.repos.compareCommitsWithBasehead({
      ...this.#github.where,
      basehead,
      per_page: 1,
    });
    return data.merge_base_commit.sha;
  }

  /** Differences by path; undefined when they exceed the limits. */
  async differences(from: string, to: string): Promise<readonly TreeDifference[] | undefined> {
    const found: TreeDifference[] = [];
    const pending: { path: string; from: string | undefined; to: string | undefined }[] = [
      { path: '', from, to },
    ];
    for (let at = pending.shift(); at !== undefined; at = pending.shift()) {
      const [before, after] = [await this.#level(at.from), await this.#level(at.to)];
      if (before === undefined || after === undefined || found.length > max.files) return undefined;
      for (const name of new Set([...before.keys(), ...after.keys()])) {
        const path = at.path === '' ? name : `${at.path}/${name}`;
        const [a, b] = [before.get(name), after.get(name)];
        if (a?.sha === b?.sha && a?.mode === b?.mode) continue;
        const [down, up] = [treeSha(a), treeSha(b)];
        if (down !== undefined || up !== undefined) pending.push({ path, from: down, to: up });
        const file = { path, before: toRemoteFile(a), after: toRemoteFile(b) };
        if (file.before !== undefined || file.after !== undefined) found.push(file);
      }
    }
    return found;
  }

  /** Bytes of a blob; undefined when all blobs together exceed the limit. */
  async read(sha: string): Promise<Buffer | undefined> {
    const bytes = await readBlob(this.#github, sha);
    this.#bytes += bytes.length;
    return this.#bytes > max.bytes ? undefined : bytes;
  }

  async #level(tree: string | undefined): Promise<Level | undefined> {
    if (tree === undefined) return new Map();
    const known = this.#levels.get(tree);
    if (known !== undefined) return known;
    if (this.#levels.size >= max.folders) return undefined;
    const { data } = await this.#github.rest.git.getTree({ ...this.#github.where, tree_sha: tree });
    if (data.truncated) return undefined;
    const level = new Map(
      data.tree.map(e => [e.path ?? '', { mode: e.mode ?? '', sha: e.sha ?? '' }]),
    );
    this.#levels.set(tree, level);
    return level;
  }
}

const folderMode = '040000';

function treeSha(entry: Entry | undefined): string | undefined {
  return entry?.mode === folderMode ? entry.sha : undefined;
}

function toRemoteFile(entry: Entry | undefined): RemoteFile | undefined {
  return entry === undefined || entry.mode === folderMode
    ? undefined
    : { mode: entry.mode as FileMode, sha: entry.sha };
}

/** Differences with their bytes; undefined when they exceed the limits or touch a submodule. */
export async function fetchDrift(
  trees: RemoteTrees,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly FileChange[] | undefined> {
  const differences = await trees.differences(from, to);
  if (differences === undefined) return undefined;
  const drift: FileChange[] = [];
  for (const { path, before, after } of differences) {
    const states: (FileState | undefined)[] = [];
    for (const side of [before, after]) {
      if (side?.mode === '160000') return undefined;
      const bytes = side === undefined ? undefined : await trees.read(side.sha);
      if (side !== undefined && bytes === undefined) return undefined;
      states.push(
        side === undefined || bytes === undefined ? undefined : { mode: side.mode, bytes },
      );
    }
    drift.push({ path, before: states[0], after: states[1] });
  }
  return drift;
}

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
  const entries = new Map(
    tree.tree.flatMap(({ path, type, mode = '', sha: oid = '' }) =>
      path && type !== 'tree' ? [[path, { mode, oid }]] : [],
    ),
  );
  return openTreeFiles(
    { ref, commit },
    { entries: async () => entries, read: sha => readBlob(github, sha) },
  );
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
