/**
 * Clones a store without git, because the three processes of a clone took a tenth of the tests' time.
 * `test/doubles/git-clone.test.ts` compares the result with git's own clone.
 */
import { createHash } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitFiles, TreePath } from './git-files.ts';

/**
 * Clones a branch into a new folder, as `git clone -b` does.
 * @returns false, and nothing was written, when the clone needs git: no such branch, packed objects,
 *   annotated tags, or attributes that change files at the checkout.
 */
export function cloneByHand(store: GitFiles, folder: string, branch: string): boolean {
  const refs = store.refs();
  const head = refs[`refs/heads/${branch}`];
  const tags = Object.entries(refs).filter(([name]) => name.startsWith('refs/tags/'));
  if (head === undefined || tags.some(([, sha]) => store.read(sha)?.type !== 'commit'))
    return false;
  const files = store.listing(store.treeOf(head));
  const isPacked = ({ mode, sha }: TreePath) => mode !== '160000' && store.read(sha) === null;
  if (files === null || files.some(f => isPacked(f) || f.path.endsWith('.gitattributes')))
    return false;
  const git = join(folder, '.git');
  linkObjects(join(store.dir, 'objects'), join(git, 'objects'));
  for (const name of ['hooks', 'refs/heads', 'refs/tags', 'refs/remotes/origin'])
    mkdirSync(join(git, name), { recursive: true });
  const write = (name: string, lines: readonly string[]) => {
    mkdirSync(dirname(join(git, name)), { recursive: true });
    writeFileSync(join(git, name), `${lines.join('\n')}\n`);
  };
  write('HEAD', [`ref: refs/heads/${branch}`]);
  write('config', [
    '[core]',
    '\trepositoryformatversion = 0',
    '\tfilemode = true',
    '\tbare = false',
    '\tlogallrefupdates = true',
    '[remote "origin"]',
    `\turl = ${store.dir}`,
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    `[branch "${branch}"]`,
    '\tremote = origin',
    `\tmerge = refs/heads/${branch}`,
  ]);
  const remotes = Object.entries(refs)
    .filter(([name]) => name.startsWith('refs/heads/'))
    .map(([name, sha]) => [name.replace('refs/heads/', 'refs/remotes/origin/'), sha] as const);
  const packed = [...remotes, ...tags].map(([name, sha]) => `${sha} ${name}`);
  write('packed-refs', ['# pack-refs with: peeled fully-peeled sorted ', ...packed]);
  write(`refs/heads/${branch}`, [head]);
  if (refs['refs/heads/main'] !== undefined)
    write('refs/remotes/origin/HEAD', ['ref: refs/remotes/origin/main']);
  writeFileSync(join(git, 'index'), indexOf(folder, store, files));
  return true;
}

/** Hard links, as git makes them for a clone from the same file system. */
function linkObjects(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true }))
    if (entry.isDirectory()) linkObjects(join(from, entry.name), join(to, entry.name));
    else linkSync(join(from, entry.name), join(to, entry.name));
}

/** Writes the files, in the order of an index, and returns the index of them, format version 2 (`gitformat-index`). */
function indexOf(folder: string, store: GitFiles, files: readonly TreePath[]): Buffer {
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(files.length, 8);
  const entries = files.map(file => {
    const path = join(folder, file.path);
    place(path, file.mode, store.read(file.sha)?.content ?? Buffer.alloc(0));
    return entryOf(path, file);
  });
  const index = Buffer.concat([header, ...entries]);
  return Buffer.concat([index, createHash('sha1').update(index).digest()]);
}

function place(path: string, mode: string, content: Buffer): void {
  mkdirSync(mode === '160000' ? path : dirname(path), { recursive: true });
  if (mode === '120000') symlinkSync(content, path);
  else if (mode !== '160000')
    writeFileSync(path, content, { mode: mode === '100755' ? 0o777 : 0o666 });
}

function entryOf(path: string, file: TreePath): Buffer {
  const name = Buffer.from(file.path);
  const stat = lstatSync(path, { bigint: true });
  const seconds = (ns: bigint) => [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
  const numbers = [
    ...seconds(stat.ctimeNs),
    ...seconds(stat.mtimeNs),
    Number(stat.dev & 0xffffffffn),
    Number(stat.ino & 0xffffffffn),
    Number.parseInt(file.mode, 8),
    Number(stat.uid),
    Number(stat.gid),
    Number(stat.size),
  ];
  // 62 bytes before the name, and one to eight zero bytes that make the length a multiple of eight
  const entry = Buffer.alloc(Math.floor((62 + name.length) / 8) * 8 + 8);
  numbers.forEach((value, i) => {
    entry.writeUInt32BE(value, 4 * i);
  });
  entry.write(file.sha, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, 62);
  return entry;
}
