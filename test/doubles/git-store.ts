/** A real bare git repository, the store of the double of GitHub: its objects and references, written without a program. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommitText, ObjectStore, TreeChange } from '../../src/demo/github/object-store.ts';
import { GitFiles } from './git-files.ts';

export interface GitFile {
  readonly mode?: '100644' | '100755' | '120000' | '160000';
  readonly content: string | Uint8Array;
}

const somebody: NonNullable<CommitText['by']> = { name: 'Double', email: 'double@example.com' };

export type { TreeChange };

export class GitStore implements ObjectStore {
  readonly dir: string;
  readonly files: GitFiles;
  readonly #made: string | undefined;

  /** In its own folder, or as the git directory at a path. */
  constructor(at?: { readonly gitDir: string }) {
    this.#made = at === undefined ? mkdtempSync(join(tmpdir(), 'photon-double-')) : undefined;
    this.dir = at?.gitDir ?? join(this.#made ?? '', 'repo.git');
    this.files = new GitFiles(this.dir, { bare: at === undefined });
  }

  /** Output of git without the newlines at its end. */
  git(
    args: readonly string[],
    input?: string | Uint8Array,
    env: Record<string, string> = {},
  ): string {
    return this.bytes(args, input, env).toString('utf8').trimEnd();
  }

  /** Output of git, byte for byte. */
  bytes(
    args: readonly string[],
    input?: string | Uint8Array,
    env: Record<string, string> = {},
  ): Buffer {
    const own = { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null' };
    return retryWhileFull(() =>
      execFileSync('git', [...args], {
        cwd: this.dir,
        env: { ...own, GIT_CONFIG_NOSYSTEM: '1', ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        input,
        maxBuffer: 256 * 1024 * 1024,
      }),
    );
  }

  /** Output of git; undefined when git fails. */
  tryGit(args: readonly string[]): string | undefined {
    try {
      return this.git(args);
    } catch {
      return undefined;
    }
  }

  /** A commit by its id, branch or reference; undefined when there is none. */
  commitOf(name: string): string | undefined {
    if (/^[0-9a-f]{40}$/.test(name))
      return this.files.read(name)?.type === 'commit' ? name : undefined;
    return this.files.ref(name.startsWith('refs/') ? name : `refs/heads/${name}`);
  }

  blob(content: string | Uint8Array): string {
    return this.files.write('blob', Buffer.from(content));
  }

  /**
   * Creates a tree from another tree (or commit) and changes.
   * @throws Error when a change names an object that does not exist.
   */
  tree(base: string | undefined, changes: readonly TreeChange[]): string {
    for (const { sha, mode } of changes)
      if (sha !== null && mode !== '160000' && this.files.read(sha) === undefined)
        throw new Error(`no object ${sha}`);
    const split = changes.map(c => ({ ...c, parts: c.path.split('/') }));
    const from = base === undefined ? undefined : this.files.readTree(this.commitOf(base) ?? base);
    return this.#changeTree(from, split) ?? this.files.writeTree([]);
  }

  /** Undefined when nothing is left in it. */
  #changeTree(
    base: string | undefined,
    changes: readonly (TreeChange & { readonly parts: readonly string[] })[],
  ): string | undefined {
    const entries = new Map(
      (base === undefined ? [] : this.files.entries(base)).map(e => [e.name, e] as const),
    );
    const below = Map.groupBy(changes, c => c.parts[0] ?? '');
    for (const [name, group] of below) {
      for (const { sha, mode } of group.filter(c => c.parts.length === 1)) {
        if (sha !== null)
          entries.set(name, { mode: mode === '040000' ? '40000' : mode, name, sha });
        else if (entries.get(name)?.mode !== '40000') entries.delete(name);
      }
      const deeper = group.filter(c => c.parts.length > 1);
      if (deeper.length === 0) continue;
      const old = entries.get(name);
      const tree = this.#changeTree(
        old?.mode === '40000' ? old.sha : undefined,
        deeper.map(c => ({ ...c, parts: c.parts.slice(1) })),
      );
      // taking a path away that is not there leaves a file of the folder's name alone
      if (tree !== undefined) entries.set(name, { mode: '40000', name, sha: tree });
      else if (old?.mode === '40000') entries.delete(name);
    }
    return entries.size === 0 ? undefined : this.files.writeTree([...entries.values()]);
  }

  /** Writes a commit. @returns its id. */
  writeCommit({ tree, parents, message, at, by = somebody }: CommitText): string {
    const when = `${by.name} <${by.email}> ${Math.floor(at.getTime() / 1000)} +0000`;
    const lines = [
      `tree ${tree}`,
      ...parents.map(p => `parent ${p}`),
      `author ${when}`,
      `committer ${when}`,
      '',
      message.endsWith('\n') ? message : `${message}\n`,
    ];
    return this.files.write('commit', Buffer.from(lines.join('\n')));
  }

  /** Commits files on top of a branch and moves it; a new branch starts at main. @returns the commit. */
  pushFiles(
    branch: string,
    files: Readonly<Record<string, GitFile | string | null>>,
    { message, at }: Pick<CommitText, 'message' | 'at'>,
  ): string {
    const head = this.commitOf(branch) ?? this.commitOf('main');
    const changes = Object.entries(files).map(([path, file]): TreeChange => {
      if (file === null) return { path, mode: '0', sha: null };
      const { mode = '100644', content } = typeof file === 'string' ? { content: file } : file;
      return { path, mode, sha: mode === '160000' ? String(content) : this.blob(content) };
    });
    const tree = this.tree(head, changes);
    const parents = head === undefined ? [] : [head];
    const commit = this.writeCommit({ tree, parents, message, at });
    this.files.setRef(`refs/heads/${branch}`, commit);
    return commit;
  }

  /** Clones a branch into a new folder, as `git clone -b` does. */
  clone(folder: string, branch = 'main'): void {
    const args = ['clone', '-q', '-b', branch, this.dir, folder];
    this.bytes(args, undefined, { HOME: folder });
  }

  /** True when the first commit is an ancestor of the second. */
  isAncestor(old: string, commit: string): boolean {
    return this.files.ancestors(commit).has(old);
  }

  refs(): Record<string, string> {
    return this.files.refs();
  }

  hasObject(sha: string): boolean {
    return this.files.read(sha) !== undefined;
  }

  readCommit(sha: string): string | undefined {
    const object = this.files.read(sha);
    return object?.type === 'commit' ? object.content.toString('utf8') : undefined;
  }

  setRef(ref: string, sha: string | undefined): void {
    this.files.setRef(ref, sha);
  }

  /** Commits files on top of a branch and moves it; a new branch starts at main. @returns the commit. */
  push(
    branch: string,
    files: Readonly<Record<string, GitFile | string | null>>,
    message = 'Change',
    at = new Date(),
  ): string {
    return this.pushFiles(branch, files, { message, at });
  }

  commit(tree: string, parents: readonly string[], message: string, at = new Date()): string {
    return this.writeCommit({ tree, parents, message, at });
  }

  close(): void {
    if (this.#made !== undefined) rmSync(this.#made, { recursive: true, force: true });
  }
}

/** Clones a repository of one commit with these files into a new folder. */
export function cloneOf(files: Readonly<Record<string, GitFile | string>>, folder: string): void {
  const store = new GitStore();
  store.push('main', files);
  store.clone(folder);
  store.close();
}

const maxWaits = 100;

/** Starts a process again while the kernel has no free process slot: a test of the sandbox can use them all. */
function retryWhileFull<T>(start: () => T): T {
  for (let waits = 0; ; waits++) {
    try {
      return start();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waits >= maxWaits) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
