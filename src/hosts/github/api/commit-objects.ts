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
export async function createCommit(github: GitHub, request: TreeCommit): Promise<RemoteCommit> {
  const entries = [];
  for (const change of request.changes) entries.push(await treeEntry(github, change));
  const tree = await makeTree(github, { baseTree: request.baseTree, entries });
  if (tree !== request.expectedTree) {
    throw new PhotonError(
      'PUBLISH_MISMATCH',
      `GitHub made the tree ${tree}, but the verified tree is ${request.expectedTree}.`,
    );
  }
  const { baseCommit, merged, commitMessage: message } = request;
  const parents = [baseCommit, merged].filter(p => p !== undefined);
  return commitTree(github, { tree, parents, message });
}

type TreeEntry = Parameters<GitHub['rest']['git']['createTree']>[0] extends infer P
  ? P extends { tree: (infer E)[] }
    ? E
    : never
  : never;

interface TreeToMake {
  /** Absent for a tree of its own. */
  readonly baseTree?: string | undefined;
  readonly entries: readonly TreeEntry[];
}

/**
 * Creates a tree on top of another one. GitHub refuses it if the token is not allowed to change a
 * workflow file, but does not say so: an App gets "not accessible", a person's token gets 404.
 * @returns the id of the tree.
 * @throws PhotonError `WORKFLOWS_FORBIDDEN`, `GITHUB_*`.
 */
export async function makeTree(github: GitHub, { baseTree, entries }: TreeToMake): Promise<string> {
  try {
    const tree = { ...github.where, base_tree: baseTree, tree: [...entries] };
    return (await github.rest.git.createTree(tree)).data.sha;
  } catch (error) {
    const path = entries.map(e => e.path ?? '').find(isWorkflowFile);
    const refused =
      getStatus(error) === 404 || /not accessible by integration/i.test(formatMessage(error));
    if (path === undefined || !refused) throw error;
    const message = `GitHub refused the tree that changes ${path}: ${formatMessage(error)}`;
    throw new PhotonError('WORKFLOWS_FORBIDDEN', message, { cause: error });
  }
}

/** Creates a commit of a tree. It sets no author or committer, because GitHub signs only commits without them. */
export async function commitTree(
  github: GitHub,
  { tree, parents, message }: Pick<RemoteCommit, 'tree' | 'parents' | 'message'>,
): Promise<RemoteCommit> {
  const commit = { ...github.where, message, tree, parents: [...parents] };
  return describeCommit((await github.rest.git.createCommit(commit)).data);
}

/** Reads a commit. @throws PhotonError `GITHUB_*`. */
export async function readCommit(github: GitHub, commit_sha: string): Promise<RemoteCommit> {
  return describeCommit((await github.rest.git.getCommit({ ...github.where, commit_sha })).data);
}

function describeCommit({ sha, message, tree, parents, ...commit }: CommitReply): RemoteCommit {
  return {
    sha,
    message,
    tree: tree.sha,
    parents: parents.map(parent => parent.sha),
    verified: commit.verification?.verified === true,
    by: identifyActor(commit.author?.email ?? ''),
    date: commit.committer.date,
  };
}

type CommitReply = Awaited<ReturnType<GitHub['rest']['git']['getCommit']>>['data'];

/** Bots have special addresses: `41898282+github-actions[bot]@users.noreply.github.com`. */
export function identifyActor(email: string): Actor {
  const bot = /^(?:\d+\+)?([a-z0-9-]+)\[bot\]@/i.exec(email)?.[1];
  if (bot === undefined) return 'person';
  return bot === 'github-actions' ? 'github-token' : 'app';
}

async function treeEntry(github: GitHub, change: FileChange): Promise<TreeEntry> {
  const mode = (change.after ?? change.before)?.mode ?? '100644';
  const base = { path: change.path, mode, type: 'blob' } as const;
  if (change.after === undefined) return { ...base, sha: null };
  return { ...base, ...(await uploadContent(github, change.after.bytes)) };
}

/** The content of an entry of a tree: in the request if it is a short text, or else as a blob. @throws PhotonError `GITHUB_*`. */
async function uploadContent(
  github: GitHub,
  bytes: Uint8Array,
): Promise<{ content: string } | { sha: string }> {
  if (bytes.length <= maxInline && isUtf8Text(bytes))
    return { content: Buffer.from(bytes).toString('utf8') };
  const content = Buffer.from(bytes).toString('base64');
  const blob = { ...github.where, content, encoding: 'base64' };
  return { sha: (await github.rest.git.createBlob(blob)).data.sha };
}

/** Bytes of a blob. @throws PhotonError `GITHUB_*`. */
export async function readBlob(github: GitHub, file_sha: string): Promise<Buffer> {
  const { data } = await github.rest.git.getBlob({ ...github.where, file_sha });
  return Buffer.from(data.content, data.encoding === 'base64' ? 'base64' : 'utf8');
}

/** A file for a commit on one of Photon's own refs. */
interface FileToCommit {
  readonly path: string;
  readonly text: string;
  readonly message: string;
  readonly parent?: string | undefined;
}

/** Creates a commit of one file; no ref points at it yet. @throws PhotonError `GITHUB_*`. */
export async function commitFile(
  github: GitHub,
  { path, text, message, parent }: FileToCommit,
): Promise<string> {
  const content = await uploadContent(github, Buffer.from(text));
  const entry = { path, mode: '100644', type: 'blob', ...content } as const;
  const tree = await makeTree(github, { entries: [entry] });
  const parents = parent === undefined ? [] : [parent];
  return (await commitTree(github, { tree, parents, message })).sha;
}

/** Text of a file in the top folder of a commit; empty when there is no such file. @throws PhotonError `GITHUB_*`. */
export async function readCommittedFile(
  github: GitHub,
  { commit, path }: { readonly commit: string; readonly path: string },
): Promise<string> {
  const { data } = await github.rest.git.getTree({ ...github.where, tree_sha: commit });
  const sha = data.tree.find(e => e.path === path && e.type === 'blob')?.sha;
  return sha === undefined ? '' : (await readBlob(github, sha)).toString('utf8');
}
