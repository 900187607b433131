/** A plain search in memory gives what `git grep` gives, on generated files, changes and queries. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import type { FileState } from '../../../src/workspace/files/change.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import type { FileQuery } from '../../../src/workspace/git/grep-query.ts';
import { isPlain, searchesPath, searchFiles } from '../../../src/workspace/git/search-files.ts';
import { openSession } from '../../../src/workspace/session/session.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder } from '../../harness.ts';
import { randomOf } from '../../seed.ts';

const random = randomOf('search in memory');
const below = (count: number) => Math.floor(random() * count);
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T;

const pieces = [
  'total',
  'Total',
  'totals',
  '_',
  ' ',
  '$',
  '(a',
  'a',
  'b',
  'é',
  '\r',
  '\0',
  '.',
  '-',
];
const paths = [
  'a.ts',
  'a/b.ts',
  'a/Makefile',
  'a b/c.md',
  'd.ts/e.js',
  '[x]*/y:z.ts',
  'é.ts',
  'a-b',
];
const names = [...paths, 'a/deep/er/f.ts', 'bin/data', 'latin.txt'];

function someText(): Buffer {
  const lines = Array.from({ length: below(oneOf([3, 30, 600])) }, () =>
    Array.from({ length: below(6) }, () =>
      oneOf(pieces.filter(p => p !== '\0' || below(40) === 0)),
    ),
  ).map(line => line.join(''));
  const text = lines.join('\n') + oneOf(['', '\n']);
  return Buffer.from(text, oneOf(['utf8', 'latin1'] as const));
}

function someQuery(): FileQuery {
  const patterns = Array.from({ length: 1 + below(3) }, () =>
    Array.from({ length: 1 + below(3) }, () => oneOf(pieces)).join(''),
  );
  return {
    patterns,
    folder: oneOf(['', '', 'a', 'a/b.ts', '[x]*', 'missing', 'd.ts']),
    ignoreCase: below(3) === 0,
    fixed: true,
    word: below(2) === 0,
    matchesOnly: below(3) === 0,
    ...(below(3) === 0 ? { endings: oneOf([['.ts'], ['.md', 'e'], []]) } : {}),
  };
}

it('finds what git grep finds', async () => {
  const folder = makeFolder();
  try {
    let inMemory = 0;
    for (let repository = 0; repository < 3; repository++) {
      const checkout = join(folder, `checkout-${repository}`);
      const scratch = join(folder, `scratch-${repository}`);
      mkdirSync(scratch);
      const files = Object.fromEntries(
        names.map(name => [name, { mode: '100644' as const, content: someText() }]),
      );
      makeRepository(checkout, { files, links: { 'total.ts': 'a.ts' } });
      const git = await openGit(checkout, {
        scratch,
        programs: findPrograms(process.env.PATH ?? '', []),
      });
      const session = openSession(git);
      await session.warmUp();
      const changed: [string, FileState | null][] = [
        ['a.ts', null],
        ['a/b.ts', { mode: '100644', bytes: someText() }],
        ['a/new.ts', { mode: '100755', bytes: someText() }],
      ];
      for (const isChanged of [false, true]) {
        if (isChanged) await session.apply(new Map(changed), new Map());
        const all = await Promise.all(
          (await session.files()).map(async ({ path, mode }) => ({
            path,
            mode,
            bytes: (await session.state(path))?.bytes ?? new Uint8Array(),
          })),
        );
        const tree = await session.tree();
        for (let i = 0; i < 15; i++) {
          const query = someQuery();
          if (query.patterns.some(p => p.includes('\0'))) continue;
          const expected = await git.grep({ ...query, tree });
          expect(await session.grep(query), JSON.stringify(query)).toEqual(expected);
          const searched = all.filter(f => f.mode.startsWith('100') && searchesPath(query, f.path));
          if (isPlain(query) && searchFiles(searched, query) !== null) inMemory += 1;
        }
      }
      git.close();
    }
    expect(inMemory).toBeGreaterThan(20);
  } finally {
    discard(folder);
  }
});

it('starts no process for a plain search of a small repository, also after an edit', async () => {
  const folder = makeFolder();
  try {
    for (const [name, bytes] of [
      ['small', 10],
      ['large', 9 * 1024 * 1024],
    ] as const) {
      const checkout = join(folder, name);
      makeRepository(checkout, { files: { 'a.ts': 'needle();\n', 'b.txt': 'x'.repeat(bytes) } });
      const scratch = join(folder, `scratch-${name}`);
      mkdirSync(scratch);
      const programs = findPrograms(process.env.PATH ?? '', []);
      const git = await openGit(checkout, { scratch, programs });
      const asked = vi.fn(git.grep);
      const session = openSession({ ...git, grep: asked });
      await session.warmUp();
      const written = { mode: '100644', bytes: Buffer.from('another needle\n') } as const;
      await session.apply(new Map([['c.ts', written]]), new Map());
      const query = { folder: '', fixed: true, ignoreCase: false, patterns: ['needle'] };
      const { hits } = await session.grep(query);
      expect(hits.map(h => `${h.path}:${h.line}`)).toEqual(['a.ts:1', 'c.ts:1']);
      expect(asked).toHaveBeenCalledTimes(name === 'small' ? 0 : 1);
      git.close();
    }
  } finally {
    discard(folder);
  }
});
