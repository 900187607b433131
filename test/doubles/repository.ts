/** A real git repository with one commit, made from files and links. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface RepositoryContent {
  readonly files: Readonly<Record<string, string>>;
  /** Symbolic links by path, with where they lead. */
  readonly links?: Readonly<Record<string, string>>;
}

export function makeRepository(checkout: string, { files, links = {} }: RepositoryContent): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(checkout, path));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: checkout,
      stdio: 'pipe',
      env: { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: dirname(checkout) },
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A', '-f');
  git('commit', '-q', '-m', 'First');
}
