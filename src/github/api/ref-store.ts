/** The records on a ref of their own in the repository: blobs, tree, commit, then the ref by compare-and-swap. */
import { createHash } from 'node:crypto';
import { PhotonError } from '../../codes.ts';
import type { StoreState, VersionedStore } from '../../workspace/versioned-store.ts';
import { type GitHub, noRetry, splitRepository } from './github.ts';
import { sayingOf, statusOf, withCodes } from './github-errors.ts';

/** Where the records can be, in the API's spelling (without `refs/`). */
const places = { ref: 'photon/memory', branch: 'heads/photon-memory' } as const;

type Kind = keyof typeof places;

/** All texts in one file, so that reading takes one request however many they are. */
const indexPath = 'index.json';
const wanted = /^(?:records|queue|spend)\/[a-z0-9-]{1,90}\.json$/;
const maxTextBytes = 64_000;
const maxIndexBytes = 32_000_000;
const maxInlineBytes = 100_000;

interface Head extends StoreState {
  readonly kind: Kind | null;
  readonly tree: string;
}

/**
 * Opens the shelf; nothing is asked before it is read. With `auto` the ref `refs/photon/memory` is
 * made, and the branch `photon-memory` where GitHub refuses refs of that kind.
 */
export function openRefStore(
  github: () => Promise<GitHub>,
  { repository, store }: { readonly repository: string; readonly store: 'auto' | Kind },
): VersionedStore {
  const where = splitRepository(repository);
  const kinds: readonly Kind[] = store === 'auto' ? ['ref', 'branch'] : [store];
  const known = new WeakMap<StoreState, Head>();
  return {
    place: `${repository}, ${kinds.map(k => places[k]).join(' or ')}`,
    read: async () => {
      const api = await github();
      const head = await withCodes(api, () => readHead({ api, where }, kinds));
      known.set(head, head);
      return head;
    },
    swap: async (seen, edits, message) => {
      const head = known.get(seen);
      if (head === undefined) throw new PhotonError('INTERNAL', 'a state that was never read');
      const api = await github();
      return withCodes(api, () => write({ api, where }, kinds, { head, edits, message }));
    },
  };
}

interface At {
  readonly api: GitHub;
  readonly where: ReturnType<typeof splitRepository>;
}

async function readHead(at: At, kinds: readonly Kind[]): Promise<Head> {
  for (const kind of kinds) {
    const commit = await headOf(at, kind);
    if (commit !== null) return { kind, seen: commit, ...(await readFiles(at, commit)) };
  }
  return { kind: null, seen: '', tree: '', files: new Map() };
}

async function headOf({ api, where }: At, kind: Kind): Promise<string | null> {
  try {
    return (await api.rest.git.getRef({ ...where, ref: places[kind] })).data.object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

async function readFiles({ api, where }: At, commit: string) {
  const { data } = await api.rest.git.getTree({ ...where, tree_sha: commit, recursive: 'true' });
  if (data.truncated) throw new PhotonError('GITHUB_REQUEST', 'The listing of the records is cut.');
  const blob = async (sha: string) => {
    const { data: found } = await api.rest.git.getBlob({ ...where, file_sha: sha });
    return Buffer.from(found.content, found.encoding === 'base64' ? 'base64' : 'utf8').toString(
      'utf8',
    );
  };
  const listed = data.tree.filter(e => e.type === 'blob' && e.mode === '100644');
  const index = listed.find(e => e.path === indexPath && (e.size ?? 0) <= maxIndexBytes);
  const indexed = index?.sha === undefined ? new Map() : parseIndex(await blob(index.sha));
  const entries = listed.filter(e => wanted.test(e.path ?? '') && (e.size ?? 0) <= maxTextBytes);
  const files = new Map<string, string>();
  for (const { path = '', sha = '' } of entries) {
    const text = indexed.get(path);
    // the index is trusted where it gives the very bytes that the tree names
    files.set(path, text !== undefined && blobId(text) === sha ? text : await blob(sha));
  }
  return { files, tree: data.sha };
}

function parseIndex(text: string): Map<string, string> {
  try {
    const { files } = JSON.parse(text) as { files?: Record<string, unknown> };
    return new Map(
      Object.entries(files ?? {}).flatMap(([path, t]) =>
        typeof t === 'string' ? [[path, t]] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

/** Id that git gives to a text. */
function blobId(text: string): string {
  const bytes = Buffer.from(text);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

interface Edit {
  readonly head: Head;
  readonly edits: ReadonlyMap<string, string | null>;
  readonly message: string;
}

async function write(at: At, kinds: readonly Kind[], edit: Edit): Promise<'done' | 'moved'> {
  const commit = await makeCommit(at, edit);
  const { head } = edit;
  if (head.kind !== null) return move(at, { kind: head.kind, commit });
  const [first = 'ref', ...others] = kinds;
  try {
    return await create(at, { kind: first, commit });
  } catch (error) {
    const refused =
      [403, 404, 422].includes(statusOf(error) ?? 0) && !/rate limit/i.test(sayingOf(error));
    const [next] = others;
    if (!refused || next === undefined) throw error;
    at.api.log(
      `GitHub: refs/${places[first]} is refused (${sayingOf(error)}); ${places[next]} it is.`,
    );
    return create(at, { kind: next, commit });
  }
}

async function makeCommit({ api, where }: At, { head, edits, message }: Edit): Promise<string> {
  const files = new Map(head.files);
  const tree = [];
  for (const [path, text] of edits) {
    if (text === null) {
      if (files.delete(path)) tree.push({ ...fileAt(path), sha: null });
      continue;
    }
    files.set(path, text);
    tree.push({ ...fileAt(path), content: text });
  }
  const index = renderIndex(files);
  tree.push({ ...fileAt(indexPath), ...(await contentOf({ api, where }, index)) });
  const { data: made } = await api.rest.git.createTree({
    ...where,
    tree,
    ...(head.tree === '' ? {} : { base_tree: head.tree }),
  });
  const parents = head.seen === '' ? [] : [head.seen];
  const { data: commit } = await api.rest.git.createCommit({
    ...where,
    message: `${message}\n`,
    tree: made.sha,
    parents,
  });
  return commit.sha;
}

function fileAt(path: string) {
  return { path, mode: '100644', type: 'blob' } as const;
}

async function contentOf(
  { api, where }: At,
  text: string,
): Promise<{ content: string } | { sha: string }> {
  if (Buffer.byteLength(text) <= maxInlineBytes) return { content: text };
  const content = Buffer.from(text).toString('base64');
  const { data } = await api.rest.git.createBlob({ ...where, content, encoding: 'base64' });
  return { sha: data.sha };
}

function renderIndex(files: ReadonlyMap<string, string>): string {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ schema: 1, files: Object.fromEntries(sorted) }, null, 1)}\n`;
}

interface Target {
  readonly kind: Kind;
  readonly commit: string;
}

async function create(at: At, { kind, commit }: Target): Promise<'done' | 'moved'> {
  const { api, where } = at;
  try {
    await api.rest.git.createRef({
      ...where,
      ref: `refs/${places[kind]}`,
      sha: commit,
      ...noRetry,
    });
    return 'done';
  } catch (error) {
    if (statusOf(error) === 422 && /already exists/i.test(sayingOf(error))) return 'moved';
    return afterLoss(at, { kind, commit }, error);
  }
}

async function move(at: At, { kind, commit }: Target): Promise<'done' | 'moved'> {
  const { api, where } = at;
  try {
    await api.rest.git.updateRef({
      ...where,
      ref: places[kind],
      sha: commit,
      force: false,
      ...noRetry,
    });
    return 'done';
  } catch (error) {
    const status = statusOf(error);
    if (status === 409) return 'moved';
    if (status === 422 && /fast.?forward|does not exist/i.test(sayingOf(error))) return 'moved';
    return afterLoss(at, { kind, commit }, error);
  }
}

/** A reply can be lost after the write: the commit is then behind the ref, and counts once. */
async function afterLoss(
  at: At,
  { kind, commit }: Target,
  error: unknown,
): Promise<'done' | 'moved'> {
  const status = statusOf(error);
  const { api, where } = at;
  if ((status !== null && status < 500) || api.signal.aborted) throw error;
  api.log(`GitHub: a reply was lost (${status ?? 'no answer'}); looking for the records' commit.`);
  const now = await headOf(at, kind);
  if (now === null) return 'moved';
  if (now === commit) return 'done';
  const basehead = `${commit}...${now}`;
  const { data } = await api.rest.repos.compareCommitsWithBasehead({
    ...where,
    basehead,
    per_page: 1,
  });
  return data.status === 'ahead' || data.status === 'identical' ? 'done' : 'moved';
}
