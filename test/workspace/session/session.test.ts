/** Search uses the commit that the run began with, whatever happens to the work tree meanwhile. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookupSource } from '../../../src/navigation/open-navigation.ts';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { findPrograms } from '../../../src/process/programs.ts';
import { type Git, openGit } from '../../../src/workspace/git/git.ts';
import type { FileQuery } from '../../../src/workspace/git/git-grep.ts';
import { openSession, type Session } from '../../../src/workspace/session/session.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder, root } from '../../harness.ts';
import { playsVariants } from '../../seed.ts';

const files = {
  '.gitattributes':
    '*.txt text eol=crlf\n*.lock -diff\n*.conv diff=conv\n*.id ident\n*.smudged filter=swap\n',
  'a.ts': 'const needle = 1;\nneedles();\n',
  'gone.ts': 'needle();\n',
  'changed.ts': 'before needle\n',
  'dir/inner.ts': 'needle in a folder\n',
  'eol.txt': 'one needle\ntwo needle\n',
  'x.lock': 'needle in a lock\n',
  'x.conv': 'needle as it is\n',
  'x.id': 'needle $Id$\n',
  'x.smudged': 'needle\n',
  'Upper.PY': 'needle = 1\n',
  '[a]*/b:c.ts': 'needle in odd names\n',
  'a/b.ts': 'needle elsewhere\n',
  'notes.md': 'a needle in prose\n',
};

let folder: string;
let checkout: string;
let git: Git;
let session: Session;

const inCheckout = (...args: string[]) =>
  execFileSync('git', args, { cwd: checkout, stdio: 'pipe' });

beforeEach(async () => {
  folder = makeFolder();
  checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  mkdirSync(join(folder, 'scratch'));
  makeRepository(checkout, { files, links: { 'link.ts': 'a.ts' } });
  // what git would run or convert if it read the files or this configuration
  inCheckout('config', 'diff.conv.textconv', `touch ${join(folder, 'ran')}; echo needle needle <`);
  inCheckout('config', 'filter.swap.smudge', `touch ${join(folder, 'ran')}; tr e E`);
  inCheckout('config', 'filter.swap.clean', `touch ${join(folder, 'ran')}; tr E e`);
  inCheckout('config', 'core.autocrlf', 'true');
  for (const name of ['eol.txt', 'x.id', 'a.ts']) rmSync(join(checkout, name));
  inCheckout('checkout', '--', 'eol.txt', 'x.id', 'a.ts');
  git = await openGit(checkout, {
    scratch: join(folder, 'scratch'),
    programs: findPrograms(process.env.PATH ?? '', []),
  });
  session = openSession(git);
});

afterEach(() => {
  git.close();
  discard(folder);
});

const words = { folder: '', fixed: true, ignoreCase: false, word: true };
const search = async (more: Partial<Parameters<Session['grep']>[0]> = {}) => {
  const { hits } = await session.grep({ ...words, patterns: ['needle'], ...more });
  return hits.map(h => `${h.path}:${h.line}:${h.text}`);
};

/** A reference implementation that reads the texts, in git's order of files. */
const expected = (all: Readonly<Record<string, string>>) =>
  Object.entries(all)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, i) => (/\bneedle\b/.test(line) ? [`${path}:${i + 1}:${line}`] : [])),
    );

/** Everything that could make the files differ from the commit. */
function spoil(): void {
  rmSync(join(checkout, 'gone.ts'));
  writeFileSync(join(checkout, 'changed.ts'), 'another needle of another size\n');
  writeFileSync(join(checkout, 'new.ts'), 'needle that nobody tracks\n');
  rmSync(join(checkout, 'dir'), { recursive: true });
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside', 'inner.ts'), 'needle of the host\n');
  symlinkSync(join(folder, 'outside'), join(checkout, 'dir'));
  rmSync(join(checkout, 'x.conv'));
  symlinkSync(join(folder, 'outside', 'inner.ts'), join(checkout, 'x.conv'));
  inCheckout('update-index', '--assume-unchanged', 'changed.ts');
}

describe('a search', () => {
  it.each([
    ['before the session opened', true],
    ['while it is open', false],
  ])('answers from the base alone when files were changed %s', async (_when, early) => {
    if (early) {
      git.close();
      spoil();
      rmSync(join(folder, 'scratch'), { recursive: true });
      mkdirSync(join(folder, 'scratch'));
      const scratch = join(folder, 'scratch');
      git = await openGit(checkout, {
        scratch,
        programs: findPrograms(process.env.PATH ?? '', []),
      });
      session = openSession(git);
    } else {
      expect(await search()).toEqual(expected(files));
      spoil();
    }
    rmSync(join(folder, 'ran'), { force: true });
    expect(await search()).toEqual(expected(files));
    // not from the cache
    expect((await search({ folder: 'dir' })).join()).toBe('dir/inner.ts:1:needle in a folder');
    expect((await search({ patterns: ['host', 'nobody', 'another'] })).join()).toBe('');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  it('sees the changes of the session, and the base again after undo', async () => {
    const before = await search();
    const bytes = Buffer.from('no more\nneedle here\n');
    await session.apply(new Map([['a.ts', { mode: '100644', bytes }]]));
    const { 'a.ts': _, ...others } = files;
    expect(await search()).toEqual(expected({ ...others, 'a.ts': bytes.toString() }));
    session.undo();
    expect(await search()).toEqual(before);
  });

  it('finds what edits added, and nothing that they removed', async () => {
    const edited = openSession(git);
    const state = (text: string) => ({ mode: '100644' as const, bytes: Buffer.from(text) });
    const states = new Map([
      ['dir-1.ts', state('needle\n\nneedle again\n')],
      ['changed.ts', state('needles only\n')],
      ['dir/binary.bin', state('needle\0\n')],
      ['gone.ts', undefined],
      ['\uff5eé.ts', state('a needle, Needle in é\n')],
      ['\u{1f600}.ts', state('needle\n')],
    ]);
    await edited.apply(states);
    const found = async (query: Partial<FileQuery>) => {
      const { hits } = await edited.grep({ ...words, patterns: ['needle'], ...query });
      const added = hits.filter(({ path }) => states.has(path));
      return added.map(({ path, line, text }) => `${path}:${line}:${text}`);
    };
    const whole = [
      'dir-1.ts:1:needle',
      'dir-1.ts:3:needle again',
      '\uff5eé.ts:1:a needle, Needle in é',
      '\u{1f600}.ts:1:needle',
    ];
    expect(await found({})).toEqual(whole);
    expect(await found({ endings: ['.ts'] })).toEqual(whole);
    expect(await found({ folder: 'dir' })).toEqual([]);
    expect(await found({ patterns: ['NEEDLE IN É'], ignoreCase: true })).toEqual([whole[2]]);
    const both = { patterns: ['needle', 'again'], word: false, matchesOnly: true };
    expect(await found(both)).toEqual([
      'changed.ts:1:needle',
      'dir-1.ts:1:needle',
      'dir-1.ts:3:needle',
      'dir-1.ts:3:again',
      '\uff5eé.ts:1:needle',
      '\u{1f600}.ts:1:needle',
    ]);
  });

  it.runIf(playsVariants)('answers every search correctly when the cache is full', async () => {
    for (let i = 0; i < 70; i++) await search({ patterns: [`word${i}`], folder: 'a' });
    expect(await search()).toEqual(expected(files));
  });
});

describe('the searches of the symbol index', () => {
  const source = () => lookupSource(session, openSymbols(openShipped(root)));

  it('search the files that it can parse, however their names are written', async () => {
    const { hits } = await source().search('needle', 'code');
    const code = Object.entries(files).filter(([path]) => /\.(ts|PY)$/.test(path));
    expect(hits.map(h => h.path)).toEqual(
      expected(Object.fromEntries(code)).map(h => h.replace(/:\d+:[^:]*$/, '')),
    );
    const everywhere = await source().search('needle', 'everywhere');
    expect(everywhere.hits.map(h => h.path)).toContain('notes.md');
  });

  it('follow the session: a file of a new kind is searched, too', async () => {
    const index = source();
    await index.search('needle', 'code');
    const bytes = Buffer.from('func needle() {}\n');
    await session.apply(new Map([['new.go', { mode: '100644', bytes }]]));
    expect((await index.search('needle', 'code')).hits.map(h => h.path)).toContain('new.go');
  });

  it('find the files of many words with one search', async () => {
    const found = await source().filesHolding(['needle', 'needles', 'prose', 'absent']);
    expect(found.get('needles')).toEqual(new Set(['a.ts']));
    expect(found.get('prose')).toEqual(new Set(['notes.md']));
    expect(found.get('absent')).toEqual(new Set());
    expect(found.get('needle')?.size).toBe(new Set(expected(files).map(h => h.split(':')[0])).size);
    expect(await source().filesHolding([])).toEqual(new Map());
  });
});

describe('the files of a session', () => {
  it('hold the folders of the base and of the changes, as long as a file is in them', async () => {
    const kinds = async () => {
      const facts = ['', 'dir', 'new', 'new/below', 'a'].map(path => session.facts(path));
      return (await Promise.all(facts)).map(({ kind }) => kind).join();
    };
    const paths = async () => (await session.files()).map(({ path }) => path);
    const before = await paths();
    expect(await kinds()).toBe('folder,folder,missing,missing,folder');
    const state = { mode: '100644' as const, bytes: Buffer.from('x\n') };
    const states = new Map([
      ['new/below/x.ts', state],
      ['dir/inner.ts', undefined],
      ['a/b.ts', state],
    ]);
    await session.apply(states);
    expect(await kinds()).toBe('folder,missing,folder,folder,folder');
    const others = before.filter(path => path !== 'dir/inner.ts');
    expect(await paths()).toEqual([...others, 'new/below/x.ts'].sort());
    session.undo();
    expect(await kinds()).toBe('folder,folder,missing,missing,folder');
    expect(await paths()).toEqual(before);
  });
});
