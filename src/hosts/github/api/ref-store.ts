/** The versioned store of the records, on a ref of its own in the repository. */
import { PhotonError } from '../../../base/codes.ts';
import { asObject, parseJson } from '../../../base/schema-issue.ts';
import type { StoreState, VersionedStore } from '../../../workspace/stores/versioned-store.ts';
import { blobId } from '../../../workspace/text/diff.ts';
import { commitTree, makeTree, readBlob, uploadContent } from './commit-objects.ts';
import type { GitHub } from './github.ts';
import { allowMissing, formatMessage } from './github-errors.ts';
import { isAncestor, isRefusal, type NamedRef, readRef, shortName, swapRefs } from './refs.ts';

/** Refs that can hold the records. */
const refNames = { ref: 'refs/photon/memory', branch: 'refs/heads/photon-memory' } as const;

type RefKind = keyof typeof refNames;

/** Names in the order of preference. */
type RefNames = readonly [string, ...string[]];

/** Holds all texts in one file, so that reading takes one request however many there are. */
const indexPath = 'index.json';
const storedFile = /^(?:records|queue|spend)\/[a-z0-9-]{1,90}\.json$/;
const maxTextBytes = 64_000;
const maxIndexBytes = 32_000_000;

interface Head extends StoreState {
  /** Name of the ref that was read; undefined before that. */
  readonly name: string | undefined;
  readonly tree: string;
}

/**
 * Opens the store; the first request is made when it is read. With `auto` the records go to the ref
 * `refs/photon/memory`, or to the branch `photon-memory` if GitHub refuses that ref.
 */
export function openRefStore(github: GitHub, store: 'auto' | RefKind): VersionedStore {
  const names: RefNames = store === 'auto' ? [refNames.ref, refNames.branch] : [refNames[store]];
  const heads = new WeakMap<StoreState, Head>();
  return {
    place: `${github.repository}, ${names.map(shortName).join(' or ')}`,
    read: async () => {
      const head = await readHead(github, names);
      heads.set(head, head);
      return head;
    },
    swap: async (seen, edits, message) => {
      const head = heads.get(seen);
      if (head === undefined) throw new PhotonError('INTERNAL', 'a state that was never read');
      return write(github, names, { head, edits, message });
    },
  };
}

async function readHead(github: GitHub, names: RefNames): Promise<Head> {
  const found = await findHead(github, names);
  if (found === undefined) return { name: undefined, seen: '', tree: '', files: new Map() };
  return { name: found.name, seen: found.sha, ...(await readFiles(github, found.sha)) };
}

/** The first of the refs that exists. */
async function findHead(github: GitHub, names: RefNames): Promise<NamedRef | undefined> {
  for (const name of names) {
    const sha = await readRef(github, name);
    if (sha !== undefined) return { name, sha };
  }
  return undefined;
}

async function readFiles(github: GitHub, commit: string) {
  const { data } = await github.rest.git.getTree({
    ...github.where,
    tree_sha: commit,
    recursive: 'true',
  });
  if (data.truncated)
    throw new PhotonError('GITHUB_REQUEST', 'GitHub returned only a part of the list of records.');
  const blob = async (sha: string) => (await readBlob(github, sha)).toString('utf8');
  const listed = data.tree.filter(e => e.type === 'blob' && e.mode === '100644');
  const index = listed.find(e => e.path === indexPath && (e.size ?? 0) <= maxIndexBytes);
  const indexed = index?.sha === undefined ? new Map() : parseIndex(await blob(index.sha));
  const entries = listed.filter(
    e => storedFile.test(e.path ?? '') && (e.size ?? 0) <= maxTextBytes,
  );
  const files = new Map<string, string>();
  for (const { path = '', sha = '' } of entries) {
    const text = indexed.get(path);
    // a text of the index counts only if it has the bytes that the tree names
    const indexIsRight = text !== undefined && blobId(Buffer.from(text)) === sha;
    files.set(path, indexIsRight ? text : await blob(sha));
  }
  return { files, tree: data.sha };
}

function parseIndex(text: string): Map<string, string> {
  const files = Object.entries(asObject(asObject(parseJson(text)).files));
  return new Map(files.flatMap(([path, t]) => (typeof t === 'string' ? [[path, t]] : [])));
}

interface Edit {
  readonly head: Head;
  readonly edits: ReadonlyMap<string, string | undefined>;
  readonly message: string;
}

async function write(github: GitHub, names: RefNames, edit: Edit): Promise<'done' | 'moved'> {
  const commit = await makeCommit(github, edit);
  if (await setRef(github, names, { edit, commit })) return 'done';
  // another run may have written on top of this commit while its reply was lost
  const head = await findHead(github, names);
  return head !== undefined && (await holds(github, head.sha, commit)) ? 'done' : 'moved';
}

/** True when the ref is at the commit now. A new one gets the first of the names that GitHub accepts. */
async function setRef(
  github: GitHub,
  names: RefNames,
  { edit, commit }: { readonly edit: Edit; readonly commit: string },
): Promise<boolean> {
  const { name = names[0], seen } = edit.head;
  const before = seen === '' ? undefined : seen;
  try {
    const change = { name, before, after: commit, forward: true };
    return (await swapRefs(github, [change])).ok;
  } catch (error) {
    const { code } = error as PhotonError;
    if (code === 'FORCE_PUSH_FORBIDDEN') return false;
    const [, next, ...others] = names;
    if (before !== undefined || next === undefined || !isRefusal(code)) throw error;
    github.log(`GitHub refuses ${name} (${formatMessage(error)}). Photon uses ${next} instead.`);
    return setRef(github, [next, ...others], { edit, commit });
  }
}

/** True when the commit is in the history of a head. */
async function holds(github: GitHub, head: string, commit: string): Promise<boolean> {
  // it finds nothing for two histories without a common commit
  return (await allowMissing(isAncestor(github, { ancestor: commit, commit: head }))) ?? false;
}

async function makeCommit(github: GitHub, { head, edits, message }: Edit): Promise<string> {
  const files = new Map(head.files);
  const entries = [];
  for (const [path, text] of edits) {
    if (text === undefined) {
      if (files.delete(path)) entries.push({ ...fileAt(path), sha: null });
      continue;
    }
    files.set(path, text);
    entries.push({ ...fileAt(path), content: text });
  }
  const index = await uploadContent(github, Buffer.from(renderIndex(files)));
  entries.push({ ...fileAt(indexPath), ...index });
  const tree = await makeTree(github, { baseTree: head.tree || undefined, entries });
  const parents = head.seen === '' ? [] : [head.seen];
  return (await commitTree(github, { tree, parents, message: `${message}\n` })).sha;
}

function fileAt(path: string) {
  return { path, mode: '100644', type: 'blob' } as const;
}

function renderIndex(files: ReadonlyMap<string, string>): string {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ schema: 1, files: Object.fromEntries(sorted) }, null, 1)}\n`;
}
