import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { type Git, openGit } from '../../../src/workspace/git/git.ts';
import { findOverlay } from '../../../src/workspace/views/overlay.ts';
import { openViews, type View } from '../../../src/workspace/views/view.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, fingerprint, makeFolder } from '../../harness.ts';

const folder = makeFolder();
const checkout = join(folder, 'checkout');
const scratch = join(folder, 'scratch');
const programs = findPrograms(process.env.PATH ?? '', [checkout, scratch]);
const host = (...args: string[]) =>
  execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: 'pipe' }).trim();

let git: Git;
let first: string;

beforeAll(async () => {
  mkdirSync(scratch);
  makeRepository(checkout, { files: { 'a.txt': 'a\n', 'src/b.txt': 'first\n' } });
  first = host('rev-parse', 'HEAD');
  writeFileSync(join(checkout, 'src', 'b.txt'), 'second\n');
  host('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qam', 'A real message');
  host('tag', 'v0.1', first);
  host('tag', 'light');
  host(
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@e',
    'tag',
    '-am',
    'A secret message',
    'release/1.0',
  );
  host('config', 'http.https://github.com/.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
  for (const nested of ['vendor/other', 'node_modules/x/deep']) {
    mkdirSync(join(checkout, nested, '.git'), { recursive: true });
    writeFileSync(join(checkout, nested, '.git', 'config'), 'url = https://x:secret@example.org');
    writeFileSync(join(checkout, nested, 'file.txt'), 'seen\n');
  }
  mkdirSync(join(checkout, 'vendor', 'deep', 'in'), { recursive: true });
  const deep = ['.npmrc.bak', 'id_rsa', 'in/.env', 'in/.env.example'].map(
    name => `vendor/deep/${name}`,
  );
  for (const name of ['gha-creds-0123.json', '.netrc', 'vendor/loose.txt', ...deep])
    writeFileSync(join(checkout, name), 'untracked\n');
  git = await openGit(checkout, { scratch, programs });
});
afterAll(() => {
  git.close();
  discard(folder);
});

const kinds = [
  ['an overlay', async () => (await findOverlay({ checkout, scratch, programs })).overlay],
  ['a copy', async () => undefined],
] as const;

describe.each(kinds)('a view that is %s', (_kind, overlayOf) => {
  let view: View;
  let before: string;

  beforeAll(async () => {
    before = fingerprint(checkout);
    const support = { overlay: await overlayOf(), home: '/home/x', caches: [], heldFolders: [] };
    view = await openViews({ git, scratch, programs })(support, []);
  });
  afterAll(async () => {
    await view.close();
    expect(fingerprint(checkout)).toBe(before);
  });

  /** The output of a shell line in the view. */
  const inView = (line: string): string => {
    const argv = [...view.enter, 'sh', '-c', `cd "$1" && { ${line}; } 2>&1`, 'sh', view.path];
    const env = { PATH: programs.searchPath, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync(argv[0] ?? '', argv.slice(1), { encoding: 'utf8', env }).trim();
  };

  it.each([
    ['git rev-parse --abbrev-ref HEAD', 'main'],
    ['git log --format=%an', 'Photon'],
    ['git tag', 'light\nrelease/1.0'],
    ['git show HEAD:src/b.txt', 'second'],
    ['git fsck --strict --no-progress; echo $?', '0'],
    ['git diff --stat; git diff --cached --stat', ''],
    ['git status --porcelain -uno', ''],
    ['cd src && git rev-parse --show-prefix', 'src/'],
    ['git ls-files -o --exclude-standard vendor/loose.txt', 'vendor/loose.txt'],
  ])('%s answers', (line, answer) => {
    expect(inView(line)).toBe(answer);
  });

  it('has the time of the base, and another id', () => {
    expect(inView('git log -1 --format=%ct')).toBe(host('log', '-1', '--format=%ct'));
    expect(inView('git rev-parse HEAD')).not.toBe(git.commit);
  });

  it('has no history, no message, no configuration of the real one', () => {
    for (const id of [git.commit, first, `${first}:src/b.txt`])
      expect(inView(`git cat-file -t ${id} || echo none`)).toMatch(/none$/);
    const all = inView('git log --all; git config --list; cat .git/config; ls -R .git');
    expect(all).not.toMatch(/A real message|A secret|extraheader|AUTHORIZATION|alternates|logs/);
  });

  it('shows neither credentials that steps left, nor .git folders of nested checkouts', () => {
    expect(inView('cat vendor/other/file.txt vendor/loose.txt')).toBe('seen\nuntracked');
    expect(inView('ls -d gha-creds-* .netrc vendor/other/.git || true')).not.toMatch(
      /^(gha|\.netrc|vendor)/m,
    );
    expect(inView('cd vendor/deep; find . -type f | sort')).toBe('./.npmrc.bak\n./in/.env.example');
  });
});

it('a shallow clone, as actions/checkout makes it, has one, too', async () => {
  const shallow = join(folder, 'shallow');
  const own = join(folder, 'shallow-scratch');
  mkdirSync(own);
  host('clone', '-q', '--depth', '1', `file://${checkout}`, shallow);
  writeFileSync(join(shallow, 'a.txt'), 'staged\n');
  host('-C', shallow, 'add', 'a.txt');
  const clone = await openGit(shallow, { scratch: own, programs });
  const repository = await clone.viewRepository();
  const told = host('--git-dir', `${repository}`, 'log', '--format=%ct');
  expect(told).toBe(host('log', '-1', '--format=%ct'));
  const staged = host(
    '--git-dir',
    `${repository}`,
    'diff-index',
    '--cached',
    '--name-only',
    'HEAD',
  );
  expect(staged).toBe('');
  clone.close();
});

it('a clone without tags and changed files has a repository with all its files', async () => {
  const [clone, own] = ['plain', 'plain-scratch'].map(n => join(folder, n));
  mkdirSync(`${own}`);
  host('clone', '-q', '--no-tags', `file://${checkout}`, `${clone}`);
  const opened = await openGit(`${clone}`, { scratch: `${own}`, programs });
  const repository = await opened.viewRepository();
  expect(await opened.workTree.differing()).toEqual([]);
  expect(host('--git-dir', `${repository}`, 'ls-files')).toBe('a.txt\nsrc/b.txt');
  expect(host('--git-dir', `${repository}`, 'tag')).toBe('');
  opened.close();
});

it('reading the repository changes no file times in its .git folder', async () => {
  const old = new Date('2020-01-01T00:00:00Z');
  const objects = join(checkout, '.git', 'objects');
  const files = () =>
    readdirSync(objects, { recursive: true, encoding: 'utf8' })
      .map(name => join(objects, name))
      .filter(path => statSync(path).isFile());
  host('repack', '-q'); // some packed, and some loose
  writeFileSync(join(checkout, 'loose.txt'), 'loose object\n');
  host('hash-object', '-w', 'loose.txt');
  for (const path of files()) utimesSync(path, old, old);
  const fresh = join(folder, 'fresh');
  mkdirSync(fresh);
  const again = await openGit(checkout, { scratch: fresh, programs });
  const state = (text: string) => ({ mode: '100644' as const, bytes: Buffer.from(text) });
  const changes = [
    { path: 'same.txt', before: undefined, after: state('first\n') },
    { path: 'loose.copy', before: undefined, after: state('loose object\n') },
  ];
  await again.writeTree(changes);
  const support = { overlay: undefined, home: '/home/x', caches: [], heldFolders: [] };
  const view = await openViews({ git: again, scratch: fresh, programs })(support, changes);
  await view.sync(await again.writeTree(changes));
  await view.close();
  again.close();
  const touched = files().filter(path => statSync(path).mtimeMs !== old.getTime());
  expect(touched).toEqual([]);
});
