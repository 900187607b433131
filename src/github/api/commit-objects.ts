/** The objects of a publication: blobs, tree and commit, unseen until a ref names them. */
import { PhotonError } from '../../codes.ts';
import type { FileChange } from '../../workspace/change.ts';
import { isUtf8Text } from '../../workspace/text-file.ts';
import { type GitHub, splitRepository } from './github.ts';
import { messageOf, statusOf } from './github-errors.ts';
import { isWorkflowFile } from './push-rules.ts';

export interface TreeCommit {
  readonly baseCommit: string;
  readonly baseTree: string;
  /** Tree that the verified patch makes; GitHub must come to the same. */
  readonly expectedTree: string;
  readonly changes: readonly FileChange[];
  readonly commitMessage: string;
}

type Where = ReturnType<typeof splitRepository>;

/** Largest text that goes inline into the tree request; larger and binary files become blobs. */
const maxInline = 100_000;

/** Whose token made a commit: what GitHub starts on its account depends on it. */
export type Actor = 'github-token' | 'app' | 'person';

export interface MadeCommit {
  readonly sha: string;
  /** True when GitHub signed it and says so. */
  readonly verified: boolean;
  readonly by: Actor;
}

/**
 * Makes blobs, tree and commit; no ref names them yet. Objects are named by their content: making
 * one twice is making it once.
 * @throws PhotonError `PUBLISH_MISMATCH` when GitHub's tree is not the verified one.
 */
export async function createCommit(
  github: GitHub,
  where: Where,
  request: TreeCommit,
): Promise<MadeCommit> {
  const entries = [];
  for (const change of request.changes) entries.push(await treeEntry(github, where, change));
  const tree = await makeTree(github, where, { baseTree: request.baseTree, entries });
  if (tree !== request.expectedTree) {
    throw new PhotonError(
      'PUBLISH_MISMATCH',
      `GitHub made tree ${tree}, the verified one is ${request.expectedTree}.`,
    );
  }
  const { baseCommit, commitMessage: message } = request;
  return commitTree(github, where, { tree, parents: [baseCommit], message });
}

type TreeEntry = Parameters<GitHub['rest']['git']['createTree']>[0] extends infer P
  ? P extends { tree: (infer E)[] }
    ? E
    : never
  : never;

export interface TreeToMake {
  readonly baseTree: string;
  readonly entries: readonly TreeEntry[];
}

/**
 * Makes a tree over another one. GitHub refuses it to a token that may not change a workflow file, but
 * does not say why: to an App the resource is not accessible, to a person's token it is not there.
 * @returns its id.
 * @throws PhotonError `WORKFLOWS_FORBIDDEN`; what Octokit throws.
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
      statusOf(error) === 404 || /not accessible by integration/i.test(messageOf(error));
    if (path === undefined || !refused) throw error;
    const said = `GitHub refused the tree that changes ${path}: ${messageOf(error)}`;
    throw new PhotonError('WORKFLOWS_FORBIDDEN', said, { cause: error });
  }
}

export interface TreeToCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** One commit of a tree. Author and committer are left out: GitHub signs only what is wholly the token's. */
export async function commitTree(
  github: GitHub,
  where: Where,
  { tree, parents, message }: TreeToCommit,
): Promise<MadeCommit> {
  const { data } = await github.rest.git.createCommit({
    ...where,
    message,
    tree,
    parents: [...parents],
  });
  const { sha, verification, author } = data;
  return { sha, verified: verification?.verified === true, by: actorOf(author?.email ?? '') };
}

/** GitHub gives bots addresses of their own: `41898282+github-actions[bot]@users.noreply.github.com`. */
export function actorOf(email: string): Actor {
  const bot = /^(?:\d+\+)?([a-z0-9-]+)\[bot\]@/i.exec(email)?.[1];
  if (bot === undefined) return 'person';
  return bot === 'github-actions' ? 'github-token' : 'app';
}

async function treeEntry(github: GitHub, where: Where, change: FileChange): Promise<TreeEntry> {
  const mode = (change.after ?? change.before)?.mode ?? '100644';
  const base = { path: change.path, mode, type: 'blob' } as const;
  if (change.after === null) return { ...base, sha: null };
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

/** A file that a commit of Photon's own refs holds. */
export interface FileToCommit {
  readonly path: string;
  readonly text: string;
  readonly message: string;
  readonly parent: string | null;
}

/** A commit that holds one file; no ref names it yet. Throws what Octokit throws. */
export async function commitFile(
  github: GitHub,
  repository: string,
  { path, text, message, parent }: FileToCommit,
): Promise<string> {
  const where = splitRepository(repository);
  const entry = { path, mode: '100644', type: 'blob', content: text } as const;
  const { data: tree } = await github.rest.git.createTree({ ...where, tree: [entry] });
  const parents = parent === null ? [] : [parent];
  const { data } = await github.rest.git.createCommit({
    ...where,
    message,
    tree: tree.sha,
    parents,
  });
  return data.sha;
}

/** Text of a file at the top of a commit; empty when it has none. Throws what Octokit throws. */
export async function readCommittedFile(
  github: GitHub,
  repository: string,
  { commit, path }: { readonly commit: string; readonly path: string },
): Promise<string> {
  const where = splitRepository(repository);
  const { data } = await github.rest.git.getTree({ ...where, tree_sha: commit });
  const sha = data.tree.find(e => e.path === path && e.type === 'blob')?.sha;
  if (sha === undefined) return '';
  const { data: blob } = await github.rest.git.getBlob({ ...where, file_sha: sha });
  return Buffer.from(blob.content, blob.encoding === 'base64' ? 'base64' : 'utf8').toString('utf8');
}
