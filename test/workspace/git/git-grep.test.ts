/** A search finds what a reader of every line finds, on generated files, changes and queries. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import type { FileState } from '../../../src/workspace/files/change.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import type { FileQuery } from '../../../src/workspace/git/git-grep.ts';
import { openSession } from '../../../src/workspace/session/session.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder } from '../../harness.ts';
import { randomOf } from '../../seed.ts';

const random = randomOf('search of a tree');
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

const isSearched = ({ folder, endings }: FileQuery, path: string) => {
  const below = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(below)) return endings === undefined && path === folder;
  return endings?.some(ending => path.slice(below.length).endsWith(ending)) ?? true;
};

/** The lines of a file that match, by their bytes as characters; undefined where case is not that of ASCII. */
function linesOf(bytes: Uint8Array, { patterns, word, ignoreCase }: FileQuery) {
  const text = Buffer.from(bytes).toString('latin1');
  if (text.slice(0, 8_000).includes('\0')) return [];
  if (ignoreCase && /[^\0-\x7f]/.test(text + patterns.join(''))) return undefined;
  const any = patterns.map(p => RegExp.escape(Buffer.from(p).toString('latin1'))).join('|');
  const wanted = new RegExp(word ? `(?<!\\w)(?:${any})(?!\\w)` : any, ignoreCase ? 'i' : '');
  const lines = text.split('\n');
  return lines.flatMap((line, i) => (wanted.test(line) ? [{ line: i + 1, text: line }] : []));
}

it('finds what a reader of every line finds', async () => {
  const folder = makeFolder();
  try {
    let compared = 0;
    for (let repository = 0; repository < 3; repository++) {
      const checkout = join(folder, `checkout-${repository}`);
      const scratch = join(folder, `scratch-${repository}`);
      mkdirSync(scratch);
      const files = Object.fromEntries(
        names.map(name => [name, { mode: '100644' as const, content: someText() }]),
      );
      makeRepository(checkout, { files, links: { 'total.ts': 'a.ts' } });
      const programs = findPrograms(process.env.PATH ?? '', []);
      const git = await openGit(checkout, { scratch, programs });
      const session = openSession(git);
      const changed: [string, FileState | undefined][] = [
        ['a.ts', undefined],
        ['a/b.ts', { mode: '100644', bytes: someText() }],
        ['a/new.ts', { mode: '100755', bytes: someText() }],
      ];
      for (const isChanged of [false, true]) {
        if (isChanged) await session.apply(new Map(changed));
        const all = await session.files();
        for (let i = 0; i < 15; i++) {
          const query = someQuery();
          if (query.patterns.some(p => p.includes('\0'))) continue;
          const { hits, cut } = await session.grep(query);
          expect(cut).toBe(false);
          for (const { path, mode } of all) {
            const bytes = (await session.state(path))?.bytes ?? new Uint8Array();
            const isRead = mode.startsWith('100') && isSearched(query, path);
            const expected = isRead ? linesOf(bytes, query)?.slice(0, 200) : [];
            if (expected === undefined) continue;
            const found = hits.filter(hit => hit.path === path);
            const about = `${path} ${JSON.stringify(query)}`;
            expect([...new Set(found.map(h => h.line))], about).toEqual(expected.map(h => h.line));
            if (query.matchesOnly) continue;
            const texts = expected.map(({ text }) => Buffer.from(text, 'latin1').toString('utf8'));
            expect(
              found.map(h => h.text),
              about,
            ).toEqual(texts);
            compared += found.length;
          }
        }
      }
      git.close();
    }
    expect(compared).toBeGreaterThan(100);
  } finally {
    discard(folder);
  }
});
