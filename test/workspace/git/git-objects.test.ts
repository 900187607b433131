/** Trees have the entries that git prints. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { listTree } from '../../../src/workspace/git/git-objects.ts';
import { runGit } from '../../../src/workspace/git/git-process.ts';
import { makeFolder } from '../../harness.ts';

const programs = findPrograms(process.env.PATH ?? '', []);

interface Repository {
  readonly git: (...args: readonly string[]) => string;
  readonly folder: string;
}

/** A repository with these files, staged. */
function makeRepository(format: string, files: readonly string[]): Repository {
  const folder = makeFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'core.quotePath=false', ...args], {
      encoding: 'utf8',
    }).trim();
  git('init', '-q', `--object-format=${format}`);
  for (const path of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${path}\n`);
  }
  git('add', '-A');
  return { git, folder };
}

async function listed({ folder }: Repository, id: string) {
  const entries = await listTree(args => runGit({ args, cwd: folder, programs }), id);
  return [...entries].map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}`);
}

const printed = ({ git }: Repository, id: string) =>
  git('ls-tree', '-r', '--full-tree', '--format=%(objectmode) %(objectname)%x09%(path)', id)
    .split('\n')
    .filter(Boolean);

it.each(['sha1', 'sha256'])('a tree of %s, also by its commit', async format => {
  const names = [
    'a.txt',
    'a/b/c d.js',
    'a/b.js',
    'a-b',
    'ä/ö.md',
    'z/run.sh',
    'deep/er/and/deeper',
  ];
  const repository = makeRepository(format, names);
  const { git, folder } = repository;
  chmodSync(join(folder, 'z/run.sh'), 0o755);
  symlinkSync('a.txt', join(folder, 'link'));
  git('add', '-A');
  const module = 'ab'.repeat(format === 'sha1' ? 20 : 32);
  git('update-index', '--add', '--cacheinfo', `160000,${module},vendor/module`);
  const tree = git('write-tree');
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const commit = git(...who, 'commit-tree', '-m', 'all', tree);
  const expected = printed(repository, tree);
  expect(expected.map(line => line.slice(0, 6)).sort()).toEqual(
    expect.arrayContaining(['100644', '100755', '120000', '160000']),
  );
  expect(await listed(repository, tree)).toEqual(expected);
  expect(await listed(repository, commit)).toEqual(expected);
});

it('modes that old versions of git wrote', async () => {
  const repository = makeRepository('sha1', ['a.txt', 'b.sh']);
  const { git, folder } = repository;
  const idOf = (path: string) => Buffer.from(git('hash-object', path), 'hex');
  const item = (mode: string, path: string) =>
    Buffer.concat([Buffer.from(`${mode} ${path}\0`), idOf(path)]);
  const input = Buffer.concat([item('100664', 'a.txt'), item('100775', 'b.sh')]);
  const write = ['-C', folder, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
  const tree = execFileSync('git', write, { input, encoding: 'utf8' }).trim();
  const found = await listed(repository, tree);
  expect(found).toEqual(printed(repository, tree));
  expect(found?.map(line => line.slice(0, 6))).toEqual(['100644', '100755']);
});

it('an empty tree', async () => {
  const repository = makeRepository('sha1', []);
  expect(await listed(repository, repository.git('write-tree'))).toEqual([]);
});

it('many folders, and a name; a missing tree is an error', async () => {
  const many = Array.from({ length: 41 }, (_, i) => `folder-${i}/a.js`);
  const repository = makeRepository('sha1', many);
  const tree = repository.git('write-tree');
  expect(await listed(repository, tree)).toHaveLength(41);
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  repository.git('update-ref', 'HEAD', repository.git(...who, 'commit-tree', '-m', 'all', tree));
  expect(await listed(repository, 'HEAD')).toEqual(printed(repository, tree));
  await expect(listed(repository, 'ab'.repeat(20))).rejects.toMatchObject({ code: 'GIT' });
});
