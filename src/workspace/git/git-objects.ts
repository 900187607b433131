/** Reads git objects through one long-running `git cat-file`, and lists the files of a tree. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { PhotonError } from '../../base/codes.ts';
import type { FileMode } from '../files/change.ts';
import { type GitContext, type GitRunner, spawnGit } from './git-process.ts';

interface Waiting {
  /** True when only the size is asked for. */
  readonly sizeOnly: boolean;
  readonly resolve: (found: { readonly size: number; readonly bytes: Buffer } | undefined) => void;
  readonly reject: (error: Error) => void;
}

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
    return (await this.#ask('contents', name))?.bytes;
  }

  /** Bytes of an object, which is not read; undefined when it does not exist. */
  async size(name: string): Promise<number | undefined> {
    return (await this.#ask('info', name))?.size;
  }

  close(): void {
    this.#closed = true;
    this.#child?.stdin.end();
    this.#child?.kill();
    this.#child = undefined;
  }

  #ask(command: 'contents' | 'info', name: string) {
    if (this.#closed) return Promise.reject(new PhotonError('CANCELLED'));
    if (/[\n\r]/.test(name)) return Promise.resolve(undefined);
    const child = this.#child ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Parameters<Waiting['resolve']>[0]>();
    this.#waiting.push({ sizeOnly: command === 'info', resolve, reject });
    child.stdin.write(`${command} ${name}\n`);
    return promise;
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = spawnGit(['cat-file', '--batch-command'], this.#place);
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
      if (this.#need === undefined) continue; // a size, and a missing object, has only a header
      if (this.#size < this.#need + 1) return;
      const bytes = this.#pull(this.#need + 1).subarray(0, this.#need);
      this.#need = undefined;
      this.#waiting.shift()?.resolve({ size: bytes.length, bytes });
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
    const size = Number(match?.[1]);
    if (match === null) this.#waiting.shift()?.resolve(undefined);
    else if (this.#waiting[0]?.sizeOnly)
      this.#waiting.shift()?.resolve({ size, bytes: Buffer.alloc(0) });
    else this.#need = size;
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
  for (const record of stdout.toString('utf8').split('\0')) {
    // mode, type, id, tab, path
    const tab = record.indexOf('\t');
    if (tab < 0) continue;
    const [mode, , oid = ''] = record.slice(0, tab).split(' ');
    entries.set(record.slice(tab + 1), { mode: mode as FileMode, oid });
  }
  return entries;
}
