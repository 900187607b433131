/** Objects and references of a repository as a double of GitHub keeps them, and a store that is git itself. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../base/system-errors.ts';

export interface TreeChange {
  readonly path: string;
  readonly mode: string;
  /** Object id; null removes the path. */
  readonly sha: string | null;
}

/** A commit to write. */
export interface CommitText {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly at: Date;
  readonly by?: { readonly name: string; readonly email: string };
}

export interface ObjectStore {
  /** A commit by its id, branch or reference. */
  commitOf(name: string): string | undefined;
  hasObject(sha: string): boolean;
  /** The text of a commit: its head and its message. */
  readCommit(sha: string): string | undefined;
  /** Each writes an object and returns its id; a tree is made from another one (or its commit) and changes. */
  blob(content: string | Uint8Array): string;
  tree(base: string | undefined, changes: readonly TreeChange[]): string;
  writeCommit(text: CommitText): string;
  setRef(ref: string, sha: string): void;
}

const somebody = { name: 'Somebody', email: 'somebody@example.com' };

/** Makes a bare repository in a folder. `path` is the PATH on which git is found. @throws Error when git fails. */
export function makeObjectStore(dir: string, path: string): ObjectStore {
  const own = { PATH: path, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (args: readonly string[], input?: string | Uint8Array, env = {}): string =>
    execFileSync('git', args, {
      cwd: dir,
      env: { ...own, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      input,
      encoding: 'utf8',
    }).trimEnd();
  const find = (args: readonly string[]) => attempt(() => git(args));
  mkdirSync(dir, { recursive: true });
  git(['init', '-q', '--bare', '-b', 'main']);
  return {
    commitOf: name => find(['rev-parse', '-q', '--verify', `${name}^{commit}`]),
    hasObject: sha => find(['cat-file', '-e', sha]) !== undefined,
    readCommit: sha => find(['cat-file', 'commit', sha]),
    blob: content => git(['hash-object', '-w', '--stdin'], content),
    tree: (base, changes) => {
      const env = { GIT_INDEX_FILE: join(dir, 'photon-index') };
      git(['read-tree', base ?? '--empty'], undefined, env);
      const none = '0'.repeat(40);
      const lines = changes.map(
        c => `${c.sha === null ? '0' : c.mode} ${c.sha ?? none}\t${c.path}\0`,
      );
      git(['update-index', '-z', '--replace', '--index-info'], lines.join(''), env);
      return git(['write-tree'], undefined, env);
    },
    writeCommit: ({ tree, parents, message, at, by: { name, email } = somebody }) => {
      const date = `${Math.floor(at.getTime() / 1000)} +0000`;
      const who = ['AUTHOR', 'COMMITTER'].flatMap(role => [
        [`GIT_${role}_NAME`, name],
        [`GIT_${role}_EMAIL`, email],
        [`GIT_${role}_DATE`, date],
      ]);
      const from = parents.flatMap(parent => ['-p', parent]);
      return git(['commit-tree', tree, ...from], message, Object.fromEntries(who));
    },
    setRef: (ref, sha) => {
      git(['update-ref', ref, sha]);
    },
  };
}
