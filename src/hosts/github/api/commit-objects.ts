/** Creates blobs, trees and commits. They stay invisible until a ref points at them. */
import { PhotonError } from '../../../base/codes.ts';
import type { FileChange } from '../../../workspace/files/change.ts';
import { isUtf8Text } from '../../../workspace/text/text-file.ts';
import type { GitHub } from './github.ts';
import { formatMessage, getStatus, isWorkflowFile } from './github-errors.ts';

export interface TreeCommit {
  readonly baseCommit: string;
  readonly baseTree: string;
  /** Commit that this one merges, its second parent. */
  readonly merged?: string | undefined;
  /** Tree of the verified patch; GitHub must produce the same. */
  readonly expectedTree: string;
  readonly changes: readonly FileChange[];
  readonly commitMessage: string;
}

type Where = GitHub['where'];

/** Largest text in bytes that is sent within the tree request; larger and binary files become blobs. */
const maxInline = 100_000;

/** Owner of the token that made a commit. It decides which workflows GitHub starts. */
export type Actor = 'github-token' | 'app' | 'person';

/** A commit as GitHub sent it. */
export interface RemoteCommit {
  readonly sha: string;
  readonly message: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** True when GitHub signed the commit. */
  readonly verified: boolean;
  readonly by: Actor;
  /** When it was committed (ISO 8601). */
  readonly date: string;
}

/**
 * Creates blobs, tree and commit; no ref points at them yet. Creating the same object twice is
 * harmless, because its name comes from its content.
 * @throws PhotonError `PUBLISH_MISMATCH` when GitHub's tree is not the verified one.
 */
export async function createCommit(
  github: GitHub,
  where: Where,
  request: TreeCommit,
): Promise<RemoteCommit> {
  const entries = [];
  for (const change of request.changes) entries.push(await treeEntry(github, where, change));
  const tree = await makeTree(github, where, { baseTree: request.baseTree, entries });
  if (tree !== request.expectedTree) {
    throw new PhotonError(
      'PUBLISH_MISMATCH',
      `GitHub made the tree ${tree}, but the verified tree is ${request.expectedTree}.`,
    );
  }
  const { baseCommit, merged, commitMessage: message } = request;
  const parents = [baseCommit, merged].filter(p => p !== undefined);
  return commitTree(github, where, { tree, parents, message });
}

type TreeEntry = Parameters<GitHub['rest']['git']['createTree']>[0] extends infer P
  ? P extends { tree: (infer E)[] }
    ? E
    : never
  : never;

interface TreeToMake {
  readonly baseTree: string;
  readonly entries: readonly TreeEntry[];
}

/**
 * Creates a tree on top of another one. GitHub refuses it if the token is not allowed to change a
 * workflow file, but does not say so: an App gets "not accessible", a person's token gets 404.
 * @returns the id of the tree.
 * @throws PhotonError `WORKFLOWS_FORBIDDEN`, `GITHUB_*`.
 */
export async function makeTree(
  github: GitHub,
  where: Where,
  { baseTree, entries }: TreeToMake,
): Promise<string> {
  try {
    const tree = [...entries];
    return (await github.rest.git.createTree({ ...where, base_tree: baseTree, tree })).data.sha;
  } catch (error) {
    const path = entries.map(e => e.path ?? '').find(isWorkflowFile);
    const refused =
      getStatus(error) === 404 || /not accessible by integration/i.test(formatMessage(error));
    if (path === undefined || !refused) throw error;
    const message = `GitHub refused the tree that changes ${path}: ${formatMessage(error)}`;
    throw new PhotonError('WORKFLOWS_FORBIDDEN', message, { cause: error });
  }
}

interface TreeToCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Creates a commit of a tree. It sets no author or committer, because GitHub signs only commits without them. */
export async function commitTree(
  github: GitHub,
  where: Where,
  { tree, parents, message }: TreeToCommit,
): Promise<RemoteCommit> {
  const { data } = await github.rest.git.createCommit({
    ...where,
    message,
    tree,
    parents: [...parents],
  });
  return describeCommit(data);
}

/** Reads a commit. @throws PhotonError `GITHUB_*`. */
export async function readCommit(github: GitHub, commit_sha: string): Promise<RemoteCommit> {
  const where = { ...github.where, commit_sha };
  const { data } = await github.rest.git.getCommit(where);
  return describeCommit(data);
}

function describeCommit({
  sha,
  message,
  tree,
  parents,
  verification,
  author,
  committer,
}: CommitReply): RemoteCommit {
  return {
    sha,
    message,
    tree: tree.sha,
    parents: parents.map(parent => parent.sha),
    verified: verification?.verified === true,
    by: identifyActor(author?.email ?? ''),
    date: committer.date,
  };
}

type CommitReply = Awaited<ReturnType<GitHub['rest']['git']['getCommit']>>['data'];

/** Bots have special addresses: `41898282+github-actions[bot]@users.noreply.github.com`. */
export function identifyActor(email: string): Actor {
  const bot = /^(?:\d+\+)?([a-z0-9-]+)\[bot\]@/i.exec(email)?.[1];
  if (bot === undefined) return 'person';
  return bot === 'github-actions' ? 'github-token' : 'app';
}

async function treeEntry(github: GitHub, where: Where, change: FileChange): Promise<TreeEntry> {
  const mode = (change.after ?? change.before)?.mode ?? '100644';
  const base = { path: change.path, mode, type: 'blob' } as const;
  if (change.after === undefined) return { ...base, sha: null };
  const { bytes } = change.after;
  if (bytes.length <= maxInline && isUtf8Text(bytes))
    return { ...base, content: Buffer.from(bytes).toString('utf8') };
  const { data } = await github.rest.git.createBlob({
    ...where,
    content: Buffer.from(bytes).toString('base64'),
    encoding: 'base64',
  });
  return { ...base, sha: data.sha };
}

/** A file for a commit on one of Photon's own refs. */
interface FileToCommit {
  readonly path: string;
  readonly text: string;
  readonly message: string;
  readonly parent: string | undefined;
}

/** Creates a commit of one file; no ref points at it yet. @throws PhotonError `GITHUB_*`. */
export async function commitFile(
  github: GitHub,
  { path, text, message, parent }: FileToCommit,
): Promise<string> {
  const entry = { path, mode: '100644', type: 'blob', content: text } as const;
  const { data: tree } = await github.rest.git.createTree({ ...github.where, tree: [entry] });
  const parents = parent === undefined ? [] : [parent];
  const { data } = await github.rest.git.createCommit({
    ...github.where,
    message,
    tree: tree.sha,
    parents,
  });
  return data.sha;
}

/** Text of a file in the top folder of a commit; empty when there is no such file. @throws PhotonError `GITHUB_*`. */
export async function readCommittedFile(
  github: GitHub,
  { commit, path }: { readonly commit: string; readonly path: string },
): Promise<string> {
  const { data } = await github.rest.git.getTree({ ...github.where, tree_sha: commit });
  const sha = data.tree.find(e => e.path === path && e.type === 'blob')?.sha;
  if (sha === undefined) return '';
  const { data: blob } = await github.rest.git.getBlob({ ...github.where, file_sha: sha });
  return Buffer.from(blob.content, blob.encoding === 'base64' ? 'base64' : 'utf8').toString('utf8');
}
