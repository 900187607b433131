/** A real bare git repository, the store of the GitHub double. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitFiles } from './git-files.ts';

export interface GitFile {
  readonly mode?: '100644' | '100755' | '120000' | '160000';
  readonly content: string | Uint8Array;
}

export interface TreeChange {
  readonly path: string;
  readonly mode: string;
  /** Object id; null removes the path. */
  readonly sha: string | null;
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

const somebody: Author = { name: 'Double', email: 'double@example.com' };

export class GitStore {
  readonly dir: string;
  readonly files: GitFiles;
  readonly #made: string | null;

  /** In its own folder, or as the git directory at a path. */
  constructor(at?: { readonly gitDir: string }) {
    this.#made = at === undefined ? mkdtempSync(join(tmpdir(), 'photon-double-')) : null;
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
    const options = {
      cwd: this.dir,
      env: {
        PATH: process.env.PATH ?? '',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'],
    };
    return retryWhileFull(() =>
      execFileSync('git', [...args], {
        ...options,
        ...(input === undefined ? {} : { input }),
        maxBuffer: 256 * 1024 * 1024,
      }),
    );
  }

  /** Output of git; null when git fails. */
  tryGit(args: readonly string[]): string | null {
    try {
      return this.git(args);
    } catch {
      return null;
    }
  }

  /** A commit by its id, branch or reference; null when there is none. */
  commitOf(name: string): string | null {
    if (/^[0-9a-f]{40}$/.test(name)) return this.files.read(name)?.type === 'commit' ? name : null;
    return this.files.ref(name.startsWith('refs/') ? name : `refs/heads/${name}`);
  }

  blob(content: string | Uint8Array): string {
    return this.files.write('blob', Buffer.from(content));
  }

  /**
   * Creates a tree from another tree (or commit) and changes.
   * @throws Error when a change names an object that does not exist.
   */
  tree(base: string | null, changes: readonly TreeChange[]): string {
    for (const { sha, mode } of changes)
      if (sha !== null && mode !== '160000' && this.files.read(sha) === null)
        throw new Error(`no object ${sha}`);
    const split = changes.map(c => ({ ...c, parts: c.path.split('/') }));
    const from = base === null ? null : this.files.readTree(this.commitOf(base) ?? base);
    return this.#changeTree(from, split) ?? this.files.writeTree([]);
  }

  /** Null when nothing is left in it. */
  #changeTree(
    base: string | null,
    changes: readonly (TreeChange & { readonly parts: readonly string[] })[],
  ): string | null {
    const entries = new Map(
      (base === null ? [] : this.files.entries(base)).map(e => [e.name, e] as const),
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
        old?.mode === '40000' ? old.sha : null,
        deeper.map(c => ({ ...c, parts: c.parts.slice(1) })),
      );
      // taking a path away that is not there leaves a file of the folder's name alone
      if (tree !== null) entries.set(name, { mode: '40000', name, sha: tree });
      else if (old?.mode === '40000') entries.delete(name);
    }
    return entries.size === 0 ? null : this.files.writeTree([...entries.values()]);
  }

  commit(
    tree: string,
    parents: readonly string[],
    message: string,
    at = new Date(),
    { name, email } = somebody,
  ): string {
    const when = `${name} <${email}> ${Math.floor(at.getTime() / 1000)} +0000`;
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
  push(
    branch: string,
    files: Readonly<Record<string, GitFile | string | null>>,
    message = 'Change',
    at = new Date(),
  ): string {
    const head = this.commitOf(branch) ?? this.commitOf('main');
    const changes = Object.entries(files).map(([path, file]): TreeChange => {
      if (file === null) return { path, mode: '0', sha: null };
      const { mode = '100644', content } = typeof file === 'string' ? { content: file } : file;
      return { path, mode, sha: mode === '160000' ? String(content) : this.blob(content) };
    });
    const tree = this.tree(head, changes);
    const commit = this.commit(tree, head === null ? [] : [head], message, at);
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

  close(): void {
    if (this.#made !== null) rmSync(this.#made, { recursive: true, force: true });
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
