/** A real bare git repository, driven by plumbing alone: what the GitHub double stands on. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

export class GitStore {
  readonly dir: string;
  /** Ids of texts that were written before. */
  readonly #blobs = new Map<string, string>();

  constructor() {
    this.dir = join(mkdtempSync(join(tmpdir(), 'photon-double-')), 'repo.git');
    mkdirSync(this.dir);
    this.git(['init', '-q', '--bare', '-b', 'main', this.dir]);
  }

  /** What git prints, without the newlines at its end. */
  git(
    args: readonly string[],
    input?: string | Uint8Array,
    env: Record<string, string> = {},
  ): string {
    return this.bytes(args, input, env).toString('utf8').trimEnd();
  }

  /** What git prints, to the byte. */
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
    return execFileSync('git', [...args], {
      ...options,
      ...(input === undefined ? {} : { input }),
      maxBuffer: 256 * 1024 * 1024,
    });
  }

  /** The output, or null when git says no. */
  tryGit(args: readonly string[]): string | null {
    try {
      return this.git(args);
    } catch {
      return null;
    }
  }

  blob(content: string | Uint8Array): string {
    const known = typeof content === 'string' ? this.#blobs.get(content) : undefined;
    if (known !== undefined) return known;
    const id = this.git(['hash-object', '-w', '--stdin'], content);
    if (typeof content === 'string') this.#blobs.set(content, id);
    return id;
  }

  /** A tree made of another one and changes. */
  tree(base: string | null, changes: readonly TreeChange[]): string {
    const env = { GIT_INDEX_FILE: join(this.dir, `index-${Math.random().toString(36).slice(2)}`) };
    this.git(['read-tree', ...(base === null ? ['--empty'] : [base])], undefined, env);
    const lines = changes.map(c =>
      c.sha === null ? `0 ${'0'.repeat(40)}\t${c.path}` : `${c.mode} ${c.sha}\t${c.path}`,
    );
    this.git(['update-index', '-z', '--index-info'], lines.map(l => `${l}\0`).join(''), env);
    const tree = this.git(['write-tree'], undefined, env);
    rmSync(env.GIT_INDEX_FILE, { force: true });
    return tree;
  }

  commit(
    tree: string,
    parents: readonly string[],
    message: string,
    at = new Date(),
    who = { name: 'Double', email: 'double@example.com' },
  ): string {
    const date = `${Math.floor(at.getTime() / 1000)} +0000`;
    const env = {
      GIT_AUTHOR_NAME: who.name,
      GIT_AUTHOR_EMAIL: who.email,
      GIT_COMMITTER_NAME: who.name,
      GIT_COMMITTER_EMAIL: who.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    };
    return this.git(
      ['commit-tree', tree, ...parents.flatMap(p => ['-p', p]), '-F', '-'],
      message,
      env,
    );
  }

  /** Commits files over a branch and moves it; a new branch starts at main. The new commit. */
  push(
    branch: string,
    files: Readonly<Record<string, GitFile | string | null>>,
    message = 'Change',
    at = new Date(),
  ): string {
    const headOf = (name: string) =>
      this.tryGit(['rev-parse', '--verify', '-q', `refs/heads/${name}`]);
    const head = headOf(branch) ?? headOf('main');
    const changes = Object.entries(files).map(([path, file]): TreeChange => {
      if (file === null) return { path, mode: '0', sha: null };
      const { mode = '100644', content } = typeof file === 'string' ? { content: file } : file;
      return { path, mode, sha: mode === '160000' ? String(content) : this.blob(content) };
    });
    const tree = this.tree(head, changes);
    const commit = this.commit(tree, head === null ? [] : [head], message, at);
    this.git(['update-ref', `refs/heads/${branch}`, commit]);
    return commit;
  }

  refs(): Record<string, string> {
    const lines = this.git(['for-each-ref', '--format=%(refname) %(objectname)'])
      .split('\n')
      .filter(Boolean);
    return Object.fromEntries(lines.map(l => l.split(' ') as [string, string]));
  }

  close(): void {
    rmSync(join(this.dir, '..'), { recursive: true, force: true });
  }
}
