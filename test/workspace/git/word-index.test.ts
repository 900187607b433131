/** The list of words gives what `git grep` gives, and finds each file that holds a word. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import type { GrepQuery } from '../../../src/workspace/git/grep-query.ts';
import { openWordIndex } from '../../../src/workspace/git/word-index.ts';
import type { IndexReply } from '../../../src/workspace/git/word-index-worker.ts';
import {
  filesHolding,
  listedWordsOf,
  type Segment,
  SegmentBuilder,
} from '../../../src/workspace/git/word-segments.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder, root } from '../../harness.ts';
import { isAll, randomOf } from '../../seed.ts';

const random = randomOf('word index');
const below = (count: number) => Math.floor(random() * count);
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T;

const words = ['total', 'Total', 'totals', 'a', 'ab', '_x', 'x1', '1x', '42', '$el', 'a.b', 'né'];
const between = [' ', '(', '.', '-', '$', '\n', '\r\n', 'é', '1', ''];

function someText(): Buffer {
  const parts = Array.from({ length: below(oneOf([2, 40, 3_000])) }, () =>
    [oneOf(words), oneOf(between)].join(''),
  );
  if (below(8) === 0) parts.splice(below(parts.length), 0, '\0');
  return Buffer.from(parts.join(''), oneOf(['utf8', 'latin1'] as const));
}

async function openSample(folder: string) {
  const checkout = join(folder, 'checkout');
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  const files = Array.from({ length: 60 }, (_, i) => [
    `${oneOf(['', 'a/', 'a/b/', 'é/'])}f${i}.${oneOf(['ts', 'md'])}`,
    { mode: oneOf(['100644', '100755'] as const), content: someText() },
  ]);
  makeRepository(checkout, { files: Object.fromEntries(files), links: { total: 'a' } });
  const programs = findPrograms(process.env.PATH ?? '', []);
  return { programs, git: await openGit(checkout, { scratch, programs }) };
}

it('finds what git grep finds', async () => {
  const folder = makeFolder();
  try {
    const { git, programs } = await openSample(folder);
    const { tree, entriesOf, read } = git;
    const place = { cwd: git.gitDir, programs };
    const index = openWordIndex({ place, tree, entriesOf, read, minFiles: 1 });
    const plain = { tree, folder: '', fixed: true, ignoreCase: false, word: true };
    await expect
      .poll(() => index.search({ ...plain, patterns: ['total'] }), { timeout: 20_000 })
      .not.toBeNull();
    let answered = 0;
    const count = isAll ? 200 : 20;
    for (let i = 0; i < count; i++) {
      const patterns = Array.from(
        { length: 1 + below(2) },
        () => `${oneOf(words)}${oneOf(['', '', oneOf(between) + oneOf(words)])}`,
      );
      const query: GrepQuery = {
        ...plain,
        patterns: patterns.filter(p => !/[\r\n]/.test(p)),
        folder: oneOf(['', '', 'a', 'missing']),
        matchesOnly: below(3) === 0,
        ...(below(3) === 0 ? { endings: ['.ts'] } : {}),
      };
      if (query.patterns.length === 0) continue;
      const found = await index.search(query);
      if (found === null) continue;
      answered += 1;
      expect(found, JSON.stringify(query)).toEqual(await git.grep(query));
    }
    expect(answered).toBeGreaterThan(count / 4);
    for (const other of [{ word: false }, { ignoreCase: true }, { tree: git.commit }])
      expect(await index.search({ ...plain, patterns: ['total'], ...other })).toBeNull();
    index.close();
    git.close();
  } finally {
    discard(folder);
  }
});

it('a large repository is searched by git only until its words are listed', async () => {
  const folder = makeFolder();
  try {
    const [checkout, scratch] = [join(folder, 'checkout'), join(folder, 'scratch')];
    const [log, wrapper] = [join(folder, 'log'), join(folder, 'git')];
    mkdirSync(scratch);
    const files = Array.from({ length: 2_100 }, (_, i) => [
      `d${i % 30}/f${i}.js`,
      `name${i} = 1\n`,
    ]);
    makeRepository(checkout, { files: Object.fromEntries(files) });
    const real = findPrograms(process.env.PATH ?? '', []);
    writeFileSync(wrapper, `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real.paths.git}' "$@"\n`);
    chmodSync(wrapper, 0o755);
    const programs = { ...real, paths: { ...real.paths, git: wrapper } };
    const git = await openGit(checkout, { scratch, programs });
    const searches = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter(l => / grep /.test(l)).length;
    let next = 0;
    const search = async () => {
      next += 1;
      const words = { folder: '', fixed: true, ignoreCase: false, word: true };
      const found = await git.grep({ ...words, tree: git.tree, patterns: [`name${next}`] });
      expect(found.hits.map(h => h.path)).toEqual([`d${next % 30}/f${next}.js`]);
      return searches();
    };
    expect(await search()).toBe(1);
    let before = 1;
    const isSearched = async () => {
      const now = await search();
      const grew = now > before;
      before = now;
      return grew;
    };
    await expect.poll(isSearched, { timeout: 20_000 }).toBe(false);
    git.close();
  } finally {
    discard(folder);
  }
});

it('a repository of few files lists nothing', async () => {
  const folder = makeFolder();
  try {
    const { git } = await openSample(folder);
    const { tree, read } = git;
    const asked: string[] = [];
    const entriesOf = (id: string) => {
      asked.push(id);
      return git.entriesOf(id);
    };
    // a thread would fail to start git here
    const place = { cwd: join(folder, 'missing'), programs: { searchPath: '', paths: {} } };
    const index = openWordIndex({ place, tree, entriesOf, read });
    const query = { tree, folder: '', fixed: true, ignoreCase: false, word: true };
    for (let i = 0; i < 3; i++)
      expect(await index.search({ ...query, patterns: ['total'] })).toBeNull();
    expect(asked).toEqual([tree]);
    git.close();
  } finally {
    discard(folder);
  }
});

it('finds the files of a word among many files, read in pieces of any size', () => {
  const segments: Segment[] = [];
  const builder = new SegmentBuilder(segment => segments.push(segment));
  const texts = Array.from({ length: 20_000 }, (_, i) => `word${i % 977} only${i}\nshared_`);
  for (const text of texts) {
    const bytes = Buffer.from(text);
    const cut = below(bytes.length);
    builder.add(bytes.subarray(0, cut));
    builder.add(bytes.subarray(cut));
    builder.endFile(true);
  }
  builder.end();
  expect(segments.length).toBeGreaterThan(2);
  const find = (pattern: string) => filesHolding(segments, listedWordsOf(pattern));
  for (let i = 0; i < 200; i++) {
    const n = below(texts.length);
    expect(find(`only${n}`)).toContain(n);
    // two words share a hash seldom
    expect(find(`only${n}`).length).toBeLessThan(3);
    expect(find(`word${n % 977} only${n}`)).toContain(n);
  }
  expect(find('shared_')).toHaveLength(texts.length);
  expect(find('missing_word').length).toBeLessThan(3);
});

it('the built thread lists the words', async () => {
  const folder = makeFolder();
  try {
    const { git, programs } = await openSample(folder);
    const ids = [...(await git.entriesOf(git.tree)).values()]
      .filter(({ mode }) => mode.startsWith('100'))
      .map(({ oid }) => oid);
    const workerData = { place: { cwd: git.gitDir, programs }, ids };
    const replies: IndexReply[] = [];
    const file = join(root, 'dist', 'workers', 'word-index-worker.js');
    const worker = new Worker(file, { workerData, env: {}, execArgv: [] });
    worker.on('message', reply => replies.push(reply));
    expect(await once(worker, 'exit')).toEqual([0]);
    expect(replies.at(-1)).toBe('complete');
    expect(replies).toHaveLength(2);
    const missing = { ...workerData, ids: [...ids, 'f'.repeat(40)] };
    const ended = new Worker(file, { workerData: missing, env: {}, execArgv: [] });
    expect(await once(ended, 'exit')).toEqual([1]);
    git.close();
  } finally {
    discard(folder);
  }
});
