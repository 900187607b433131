/** A real git repository with one commit, made from files and links. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GitFile, GitStore } from './git-store.ts';

export interface RepositoryContent {
  readonly files: Readonly<Record<string, GitFile | string>>;
  /** Symbolic links by path, with where they lead. */
  readonly links?: Readonly<Record<string, string>>;
}

export function makeRepository(checkout: string, { files, links = {} }: RepositoryContent): void {
  mkdirSync(checkout, { recursive: true });
  const linked = Object.entries(links).map(([path, content]): [string, GitFile] => [
    path,
    { mode: '120000', content },
  ]);
  const store = new GitStore({ gitDir: join(checkout, '.git') });
  store.push('main', { ...files, ...Object.fromEntries(linked) }, 'First');
  execFileSync('git', ['reset', '-q', '--hard'], {
    cwd: checkout,
    stdio: 'pipe',
    env: { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: dirname(checkout) },
  });
}
