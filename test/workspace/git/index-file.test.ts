/** Photon reads an index as git does, or leaves it to git. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { parseIndex } from '../../../src/workspace/git/index-file.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const long = `${'folder/'.repeat(600)}file.txt`;
const paths = ['a.txt', 'a.txt.more', 'a/b/c.txt', 'è/ü.txt', 'b', long, 'x y\n.txt'];

/** A repository with an index of all paths, and a git that runs on it. */
function makeIndex(name: string, format: 'sha1' | 'sha256') {
  const cwd = join(folder, name);
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd, input, encoding: 'utf8', stdio: 'pipe' });
  execFileSync('git', ['init', '-q', `--object-format=${format}`, cwd]);
  const oid = git(['hash-object', '-w', '--stdin'], 'text\n').trim();
  const line = (path: string, i: number) => `${i === 1 ? '100755' : '100644'} ${oid}\t${path}\0`;
  git(['update-index', '-z', '--index-info'], paths.map(line).join(''));
  const index = join(cwd, '.git', 'index');
  const parse = () => parseIndex(readFileSync(index), oid.length / 2);
  return { git, index, oid, parse };
}

it.each(['sha1', 'sha256'] as const)('an index of %s has the entries that git lists', format => {
  const { git, index, parse } = makeIndex(format, format);
  git(['update-index', '--assume-unchanged', 'a/b/c.txt']);
  git(['write-tree']); // adds the extension that keeps trees
  const listed = git(['ls-files', '-s', '-z']).split('\0').slice(0, -1);
  const parsed = parse();
  const seen = [...(parsed?.entries ?? [])].map(([path, e]) => `${e.mode} ${e.oid} 0\t${path}`);
  expect(seen).toEqual(listed);
  expect(parsed?.flagged).toEqual(['a/b/c.txt']);
  const status = git(['ls-files', '-v', '-s', '--debug']);
  writeFileSync(index, parsed?.plain() ?? '');
  expect(git(['fsck', '--strict', '--no-dangling', '--no-progress'])).toBe('');
  expect(git(['ls-files', '-v', '-s', '--debug'])).toBe(status);
});

it('files of an unfinished merge are flagged', () => {
  const { git, oid, parse } = makeIndex('merge', 'sha1');
  const stages = [1, 2, 3].map(stage => `100644 ${oid} ${stage}\tb\0`);
  git(['update-index', '-z', '--index-info'], `0 ${'0'.repeat(40)}\tb\0${stages.join('')}`);
  expect(new Set(parse()?.flagged)).toEqual(new Set(['b']));
});

it.each([
  ['version 4', ['update-index', '--index-version', '4']],
  ['a sparse file', ['update-index', '--skip-worktree', 'b']],
  ['a file to be added', ['add', '-N', '.']],
  ['a split index', ['update-index', '--split-index']],
])('%s is left to git', (name, change) => {
  const { git, parse } = makeIndex(name, 'sha1');
  writeFileSync(join(folder, name, 'new.txt'), '');
  expect(parse()).not.toBeNull();
  git(change);
  expect(parse()).toBeNull();
});

it('a broken index has an answer or none, and never an error', () => {
  const whole = readFileSync(makeIndex('broken', 'sha1').index);
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.nat(whole.length), (changes, length) => {
      const bytes = Buffer.from(whole.subarray(0, length));
      for (const [at, value] of changes) if (at < length) bytes[at] = value;
      expect(() => parseIndex(bytes, 20)).not.toThrow();
    }),
  );
  const twice = Buffer.concat([whole.subarray(0, -20), whole.subarray(-20)]);
  twice.writeUInt32BE(whole.readUInt32BE(8) - 1, 8);
  expect(parseIndex(twice, 20)).toBeNull();
});
