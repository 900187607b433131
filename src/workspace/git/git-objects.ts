/** Git objects: read through one long-running `git cat-file`, trees as lists of files, and objects written into a git directory of Photon. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import type { FileChange, FileMode } from '../files/change.ts';
import { type GitContext, type GitRunner, spawnGit, splitRecords } from './git-process.ts';

type Waiting = Pick<PromiseWithResolvers<Buffer | undefined>, 'resolve' | 'reject'>;

/** Reads objects; results arrive in the order of the requests. */
export class GitObjects {
  readonly #place: GitContext;
  #child: ChildProcessWithoutNullStreams | undefined = undefined;
  #closed = false;
  #waiting: Waiting[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes that the first object in the queue still needs; undefined: its header comes next. */
  #need: number | undefined = undefined;

  constructor(place: GitContext) {
    this.#place = place;
  }

  /** Content of an object named by id or `commit:path`; undefined when it does not exist. */
  async read(name: string): Promise<Buffer | undefined> {
    if (this.#closed) throw new PhotonError('CANCELLED');
    if (/[\n\r]/.test(name)) return undefined;
    const child = this.#child ?? this.#start();
    const { promise, ...waiting } = Promise.withResolvers<Buffer | undefined>();
    this.#waiting.push(waiting);
    child.stdin.write(`${name}\n`);
    return promise;
  }

  close(): void {
    this.#closed = true;
    this.#child?.stdin.end();
    this.#child?.kill();
    this.#child = undefined;
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = spawnGit(['cat-file', '--batch'], this.#place);
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stdin.on('error', () => {}); // the close handler below reports it
    const fail = (why: string) => {
      if (this.#child === child) this.#child = undefined;
      for (const w of this.#waiting.splice(0)) w.reject(new PhotonError('GIT', why));
    };
    child.on('error', error => fail(`git cannot be started: ${error.message}`));
    child.on('close', () => fail('git cat-file ended too early'));
    this.#child = child;
    return child;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      if (this.#need === undefined && !this.#takeHeader()) return;
      if (this.#need === undefined) continue; // a missing object has only a header
      if (this.#size < this.#need + 1) return;
      const bytes = this.#pull(this.#need + 1).subarray(0, this.#need);
      this.#need = undefined;
      this.#waiting.shift()?.resolve(bytes);
    }
  }

  /** True when a complete header line was available. */
  #takeHeader(): boolean {
    const all = this.#joined();
    const end = all.indexOf(10);
    if (end < 0) return false;
    const header = this.#pull(end + 1)
      .toString('utf8')
      .trimEnd();
    const match = /^[0-9a-f]+ \w+ (\d+)$/.exec(header);
    if (match === null) this.#waiting.shift()?.resolve(undefined);
    else this.#need = Number(match[1]);
    return true;
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #pull(count: number): Buffer {
    const all = this.#joined();
    this.#chunks = all.length > count ? [all.subarray(count)] : [];
    this.#size -= count;
    return Buffer.from(all.subarray(0, count));
  }
}

/** A file of a tree. */
export interface TreeEntry {
  readonly mode: FileMode;
  readonly oid: string;
}

/** The entries below a tree or the tree of a commit, in git's order. @throws PhotonError `GIT` when it is missing. */
export async function listTree(
  git: GitRunner,
  treeish: string,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', treeish]);
  const entries = new Map<string, TreeEntry>();
  for (const record of splitRecords(stdout)) {
    // mode, type, id, tab, path
    const tab = record.indexOf('\t');
    const [mode, , oid = ''] = record.slice(0, tab).split(' ');
    entries.set(record.slice(tab + 1), { mode: mode as FileMode, oid });
  }
  return entries;
}

/** Writes a commit or a tag. Returns its id. */
export async function writeObject(
  git: GitRunner,
  type: 'commit' | 'tag',
  text: string,
): Promise<string> {
  const { stdout } = await git(['hash-object', '-w', '-t', type, '--stdin'], { input: text });
  return stdout.toString('utf8').trim();
}

/** A ref of the private directory that fast-import needs for writing a tree; nothing reads it. */
const writtenRef = 'refs/photon/tree';

/** Writes a tree with these changes in one git process, for any number of changes. Returns its id. */
export async function writeTree(
  git: GitRunner,
  base: string,
  changes: readonly FileChange[],
): Promise<string> {
  if (changes.length === 0) return base;
  // removals first, because a folder can become a file
  const inOrder = changes.toSorted(
    (a, b) => Number(a.after !== undefined) - Number(b.after !== undefined),
  );
  const input = [
    Buffer.from(`commit ${writtenRef}\nmark :1\ncommitter Photon <> 0 +0000\ndata 0\n`),
    Buffer.from(`M 040000 ${base} ""\n`),
    ...inOrder.map(renderChange),
    Buffer.from('\nls :1 ""\ndone\n'),
  ];
  // kept as a pack, because unpacking updates the time of objects that the checkout already has
  const asPack = ['-c', 'fastimport.unpackLimit=1'];
  const { stdout } = await git([...asPack, 'fast-import', '--quiet', '--force', '--done'], {
    input: Buffer.concat(input),
  });
  const id = /^040000 tree ([0-9a-f]+)\t/.exec(stdout.toString('utf8'))?.[1];
  if (id === undefined) throw new PhotonError('GIT', 'git fast-import printed no tree');
  return id;
}

/** One change in the input format of `git fast-import`. */
export function renderChange({ path, after }: FileChange): Buffer {
  const quoted = `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  if (after === undefined) return Buffer.from(`D ${quoted}\n`);
  const head = `M ${after.mode} inline ${quoted}\ndata ${after.bytes.length}\n`;
  return Buffer.concat([Buffer.from(head), after.bytes, Buffer.from('\n')]);
}

/** The tree that a unified diff makes of another one; undefined when the diff does not apply there exactly. */
export async function applyDiff(
  git: GitRunner,
  scratch: string,
  { tree, diff }: { readonly tree: string; readonly diff: string },
): Promise<string | undefined> {
  const index = join(scratch, 'past-index');
  const env = { GIT_INDEX_FILE: index };
  rmSync(index, { force: true });
  await git(['read-tree', tree], { env });
  const args = ['apply', '--cached', '--whitespace=nowarn', '-'];
  const { exitCode } = await git(args, { env, input: diff, accept: [1, 128] });
  if (exitCode !== 0) return undefined;
  return (await git(['write-tree'], { env })).stdout.toString('utf8').trim();
}
