import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import type { FileChange } from '../../../src/workspace/files/change.ts';
import { type Git, openGit } from '../../../src/workspace/git/git.ts';
import { findOverlay } from '../../../src/workspace/views/overlay.ts';
import { openViews, type View } from '../../../src/workspace/views/view.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, fingerprint, makeFolder } from '../../harness.ts';

const folder = makeFolder();
const checkout = join(folder, 'checkout');
const scratch = join(folder, 'scratch');
const cache = join(folder, 'cache');
const programs = findPrograms(process.env.PATH ?? '', [checkout, scratch]);

let git: Git;

beforeAll(async () => {
  for (const path of [scratch, cache]) mkdirSync(path);
  writeFileSync(join(cache, 'kept'), 'kept\n');
  const tracked = {
    '.gitignore': 'node_modules/\n',
    'package.json': '{}\n',
    'src/a.txt': 'a\n',
    'dist/old.txt': 'old\n',
    'dist/other.txt': 'other\n',
  };
  makeRepository(checkout, { files: tracked });
  git = await openGit(checkout, { scratch, programs });
});
afterAll(() => {
  git.close();
  discard(folder);
});

/** Runs a shell line in a view, with the folders of the view as `$HOME_IN`, `$TMP_IN` and `$CACHE_IN`. */
function inView(view: View, line: string): string {
  const at = Object.fromEntries(view.folders.map(f => [f.at, f.from]));
  const [program = '', ...args] = [...view.enter, 'sh', '-c', `cd "$0" && ${line}`, view.path];
  const env = {
    PATH: process.env.PATH,
    HOME_IN: at['/home/x'],
    TMP_IN: at['/tmp'],
    CACHE_IN: at['/home/x/.cache/tool'] ?? '/nonexistent',
  };
  return execFileSync(program, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
}

const change = (path: string, text: string | undefined): FileChange => ({
  path,
  before: undefined,
  after: text === undefined ? undefined : { mode: '100644', bytes: Buffer.from(text) },
});

const kinds = [
  ['an overlay', async () => (await findOverlay({ checkout, scratch, programs })).overlay],
  ['a copy', async () => undefined],
] as const;

describe.each(kinds)('a fork of a view that is %s', (kind, overlayOf) => {
  const hasCache = kind === 'an overlay';
  let layer: View;
  let before: string;

  beforeAll(async () => {
    before = fingerprint(checkout);
    const caches = hasCache ? [{ at: '/home/x/.cache/tool', from: cache }] : [];
    const heldFolders = ['/home/x/.cache'];
    const support = { overlay: await overlayOf(), home: '/home/x', caches, heldFolders };
    layer = await openViews({ git, scratch, programs })(support, []);
    const lines = [
      'mkdir node_modules && echo 1 > node_modules/x',
      'rm -r dist && mkdir dist && echo new > dist/new.txt && rm package.json',
      'echo home > "$HOME_IN/.rc" && echo tmp > "$TMP_IN/file"',
      ...(hasCache ? ['echo installed > "$CACHE_IN/installed"'] : []),
    ];
    inView(layer, lines.join(' && '));
  });
  afterAll(async () => {
    await layer.close();
    expect(fingerprint(checkout)).toBe(before);
  });

  it('has what the view holds, and the changes', async () => {
    const fork = await layer.fork([
      change('src/a.txt', 'changed\n'),
      change('dist/old.txt', undefined),
      change('package.json', 'back\n'),
    ]);
    const shown =
      'cat node_modules/x src/a.txt package.json "$HOME_IN/.rc" "$TMP_IN/file"; ls dist';
    expect(inView(fork, shown)).toBe('1\nchanged\nback\nhome\ntmp\nnew.txt\n');
    if (hasCache) expect(inView(fork, 'ls "$CACHE_IN"')).toBe('installed\nkept\n');
    await fork.close();
  });

  it('keeps what it writes to itself', async () => {
    const [first, second] = await Promise.all([layer.fork([]), layer.fork([])]);
    const written = ['node_modules/x', 'src/a.txt', '"$HOME_IN/.rc"', '"$TMP_IN/file"'];
    inView(first, written.map(path => `echo 2 > ${path}`).join(' && '));
    inView(first, 'mkdir node_modules/.cache && echo 3 > node_modules/.cache/y && rm dist/new.txt');
    if (hasCache) inView(first, 'echo 2 > "$CACHE_IN/kept" && rm "$CACHE_IN/installed"');
    const look = `cat ${written.join(' ')}; ls -A node_modules dist; [ -k "$TMP_IN" ] && echo sticky`;
    const seen = '1\na\nhome\ntmp\ndist:\nnew.txt\n\nnode_modules:\nx\nsticky\n';
    const third = await layer.fork([]);
    for (const view of [second, third]) {
      expect(inView(view, look)).toBe(seen);
      if (hasCache)
        expect(inView(view, 'cat "$CACHE_IN/kept"; ls "$CACHE_IN"')).toBe(
          'kept\ninstalled\nkept\n',
        );
    }
    await Promise.all([first, second, third].map(view => view.close()));
  });

  it('follows no link that the view left in the place of a folder', async () => {
    const outside = join(folder, `outside-${hasCache}`);
    mkdirSync(outside);
    const linked = await layer.fork([]);
    inView(linked, `rm -r src && ln -s ${outside} src`);
    const fork = await linked.fork([change('src/b.txt', 'b\n')]);
    expect(inView(fork, 'cat src/b.txt')).toBe('b\n');
    expect(inView(fork, `ls ${outside}`)).toBe('');
    await Promise.all([fork, linked].map(view => view.close()));
  });
});
