import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findPrograms } from '../../../src/process/programs.ts';
import type { FileChange, FileState } from '../../../src/workspace/files/change.ts';
import { type Git, openGit } from '../../../src/workspace/git/git.ts';
import { findOverlay, type Overlay } from '../../../src/workspace/views/overlay.ts';
import { openViews, type View } from '../../../src/workspace/views/view.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, fingerprint, makeFolder } from '../../harness.ts';
import { isAll, sample } from '../../seed.ts';

const folders: string[] = [];
afterAll(() => folders.forEach(discard));

let checkout: string;
let scratch: string;
let git: Git;

const programs = findPrograms(process.env.PATH ?? '', []);

async function openPlace(files: Readonly<Record<string, string>>, links = {}): Promise<void> {
  const folder = makeFolder();
  folders.push(folder);
  checkout = join(folder, 'checkout');
  scratch = join(folder, 'scratch');
  mkdirSync(checkout);
  mkdirSync(scratch);
  makeRepository(checkout, { files, links });
  git = await openGit(checkout, { scratch, programs });
}

async function overlayHere(): Promise<Overlay> {
  const { overlay } = await findOverlay({ checkout, scratch, programs });
  if (overlay === null) throw new Error('overlayfs works nowhere on this machine');
  return overlay;
}

const supportOf = async (overlayOf: () => Promise<Overlay | null>) => ({
  overlay: await overlayOf(),
  home: '/home/of-commands',
  caches: [],
  heldFolders: [],
});

const git0 = (...args: string[]) => execFileSync('git', args, { cwd: checkout, stdio: 'pipe' });

/** Runs a shell line in a view, like a command of the project. */
function inView(view: View, line: string): string {
  const [program = 'sh', ...args] = [
    ...view.enter,
    'sh',
    '-c',
    `cd "$1" && ${line}`,
    'sh',
    view.path,
  ];
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Every file and link of a view with its mode and content. */
function filesIn(view: View): Record<string, string> {
  const line =
    'find . -path ./.git -prune -o ! -type d -printf \'%P\\0\' | sort -z | xargs -0 -r -n1 sh -c \'if [ -L "$1" ]; then printf "%s|link|%s\\n" "$1" "$(readlink "$1")"; else printf "%s|%s|%s\\n" "$1" "$([ -x "$1" ] && echo x || echo -)" "$(base64 -w0 "$1")"; fi\' sh';
  const lines = inView(view, line)
    .split('\n')
    .filter(l => l !== '');
  return Object.fromEntries(
    lines.map(l => {
      const [path = '', mode = '', data = ''] = l.split('|');
      return [path, mode === 'link' ? `link ${data}` : `${mode} ${Buffer.from(data, 'base64')}`];
    }),
  );
}

const state = (text: string, mode: FileState['mode'] = '100644'): FileState => ({
  mode,
  bytes: Buffer.from(text),
});
const change = (path: string, after: FileState | null): FileChange => ({
  path,
  before: null,
  after,
});

const kinds = [
  ['an overlay', overlayHere],
  ['a copy', async () => null],
] as const;

/** Ways in which a command changes tracked files, and the paths that differ after it. */
const changesOfFiles: readonly (readonly [how: string, line: string, differed: string[]])[] = [
  ['written', 'echo x > a.txt', ['a.txt']],
  ['written, its size kept', 'printf "A\\n" > a.txt', ['a.txt']],
  ['removed', 'rm src/b.txt', ['src/b.txt']],
  ['removed with its folder', 'rm -r src', ['src/b.txt', 'src/deep/c.txt']],
  [
    'gone, its folder made again',
    'rm -r src; mkdir src; echo n > src/new.txt',
    ['src/b.txt', 'src/deep/c.txt'],
  ],
  ['moved', 'mv src other', ['src/b.txt', 'src/deep/c.txt']],
  ['made executable', 'chmod +x a.txt', ['a.txt']],
  ['behind a link that leads out', 'rm -r src; ln -s /etc src', ['src/b.txt', 'src/deep/c.txt']],
  ['a folder now', 'rm a.txt; mkdir a.txt; echo x > a.txt/x', ['a.txt']],
  ['a pipe now', 'rm a.txt; mkfifo a.txt', ['a.txt']],
];

describe.each(kinds)('a view that is %s', (kind, overlayOf) => {
  const open = async (changes: readonly FileChange[] = []) =>
    openViews({ git, scratch, programs })(await supportOf(overlayOf), changes);

  beforeEach(async () => {
    await openPlace(
      { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n', 'run.sh': 'echo\n' },
      { link: 'a.txt' },
    );
  });

  it('shows the commit, whatever the checkout contains instead, with the untracked files', async () => {
    const longAgo = new Date('2020-01-01T00:00:00Z');
    utimesSync(join(checkout, 'a.txt'), longAgo, longAgo);
    git0('update-index', '--refresh');
    writeFileSync(join(checkout, 'a.new'), 'A\n'); // with the same size and time
    utimesSync(join(checkout, 'a.new'), longAgo, longAgo);
    renameSync(join(checkout, 'a.new'), join(checkout, 'a.txt'));
    rmSync(join(checkout, 'src', 'deep'), { recursive: true });
    writeFileSync(join(checkout, 'src', 'deep'), 'a file now\n');
    chmodSync(join(checkout, 'run.sh'), 0o755);
    rmSync(join(checkout, 'link'));
    symlinkSync('/etc/passwd', join(checkout, 'link'));
    writeFileSync(join(checkout, 'loose.txt'), 'loose\n');
    writeFileSync(join(checkout, 'staged.txt'), 'staged\n');
    git0('add', 'staged.txt');
    const before = fingerprint(checkout);
    const view = await open();
    expect(filesIn(view)).toEqual({
      'a.txt': '- a\n',
      link: 'link a.txt',
      'loose.txt': '- loose\n',
      'run.sh': '- echo\n',
      'src/b.txt': '- b\n',
      'src/deep/c.txt': '- c\n',
      'staged.txt': '- staged\n',
    });
    expect(await view.sync(git.tree)).toEqual([]);
    await view.close();
    expect(fingerprint(checkout)).toBe(before);
  });

  it.each(['--assume-unchanged', '--skip-worktree'])(
    'shows the commit also when the index uses %s',
    async flag => {
      git0('update-index', flag, 'a.txt');
      writeFileSync(join(checkout, 'a.txt'), 'other\n');
      const view = await open();
      expect(filesIn(view)['a.txt']).toBe('- a\n');
      await view.close();
    },
  );

  it('opens during a merge, and without an index', async () => {
    git0('checkout', '-q', '-b', 'side');
    const commit = (text: string) => {
      writeFileSync(join(checkout, 'a.txt'), text);
      git0('-c', 'user.name=T', '-c', 'user.email=t@e', 'commit', '-qam', 'x');
    };
    commit('side\n');
    git0('checkout', '-q', 'main');
    commit('main\n');
    expect(() => git0('merge', 'side')).toThrow();
    const merging = await openGit(checkout, { scratch: makeScratch('merging'), programs });
    rmSync(join(checkout, '.git', 'index'));
    const bare = await openGit(checkout, { scratch: makeScratch('bare'), programs });
    for (const each of [merging, bare]) {
      const support = await supportOf(overlayOf);
      const view = await openViews({ git: each, scratch, programs })(support, []);
      expect(filesIn(view)['a.txt']).toBe('- main\n');
      await view.close();
      each.close();
    }
  });

  it('begins anew in each run: it needs nothing that an earlier run over the same checkout made', async () => {
    writeFileSync(join(checkout, 'a.txt'), 'not committed\n');
    const support = await supportOf(overlayOf);
    for (const name of ['first', 'second']) {
      const own = makeScratch(name);
      const view = await openViews({ git, scratch: own, programs })(support, []);
      expect(filesIn(view)['a.txt'], name).toBe('- a\n');
      await view.close();
      discard(own);
    }
  });

  it('shows changes: created, changed, deleted, made executable, linked, a folder for a file', async () => {
    const view = await open([
      change('a.txt', state('new\n', '100755')),
      change('src', state('a file\n')),
      change('src/b.txt', null),
      change('src/deep/c.txt', null),
      change('link', null),
      change('link/inside.txt', state('inside\n')),
      change('other', state('a.txt', '120000')),
    ]);
    expect(filesIn(view)).toEqual({
      'a.txt': 'x new\n',
      'link/inside.txt': '- inside\n',
      other: 'link a.txt',
      'run.sh': '- echo\n',
      src: '- a file\n',
    });
    await view.close();
  });

  it("contains nothing of the checkout's .git folder, and writes nothing to it", async () => {
    git0('config', 'http.https://github.com/.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
    const before = fingerprint(checkout);
    const view = await open();
    expect(inView(view, 'cat .git/config 2>&1 || ls -A')).not.toContain('AUTHORIZATION');
    inView(
      view,
      'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit && cat .git/* 2>/dev/null || true',
    );
    expect(await view.sync(git.tree)).toEqual([]);
    await view.close();
    expect(fingerprint(checkout)).toBe(before);
  });

  it.each(sample(`changes of tracked files in ${kind}`, changesOfFiles, 3))(
    'puts back a tracked file that is %s, and keeps what is not tracked',
    async (_how, line, differed) => {
      const view = await open();
      await view.sync(git.tree);
      inView(view, `echo kept > kept.txt; ${line}`);
      expect(await view.sync(git.tree)).toEqual(differed);
      expect(filesIn(view)).toMatchObject({
        'a.txt': '- a\n',
        'src/b.txt': '- b\n',
        'src/deep/c.txt': '- c\n',
        'kept.txt': '- kept\n',
      });
      await view.close();
      expect(existsSync(join(checkout, 'kept.txt'))).toBe(false);
    },
  );

  it('restores a file of the same size that was written in the second of its last check', async () => {
    const view = await open();
    await view.sync(git.tree);
    const second = Number(inView(view, 'stat -c %Y a.txt'));
    const folder = readdirSync(scratch).find(name => name.startsWith('view-')) ?? '';
    utimesSync(join(scratch, folder, 'index'), second, second);
    await setTimeout(1000 - (Date.now() % 1000)); // the next check is in another second
    inView(view, `echo x > a.txt; touch -d @${second} a.txt`);
    expect(await view.sync(git.tree)).toEqual(['a.txt']);
    await view.close();
  });

  it('is invisible to other views and to the checkout', async () => {
    const before = fingerprint(checkout);
    const [one, two] = await Promise.all([
      open([change('a.txt', state('one\n'))]),
      open([change('a.txt', state('two\n'))]),
    ]);
    inView(one, 'echo 1 > mine.txt');
    expect([filesIn(one)['a.txt'], filesIn(two)['a.txt']]).toEqual(['- one\n', '- two\n']);
    expect(filesIn(two)['mine.txt']).toBeUndefined();
    for (const view of [one, two]) view.close();
    expect(fingerprint(checkout)).toBe(before);
  });

  it('leaves nothing when it closes, not even folders that a test made unreadable', async () => {
    const view = await open();
    inView(view, 'mkdir -p locked/in && chmod 000 locked/in locked');
    await view.close();
    expect(execFileSync('find', [scratch, '-name', 'locked'], { encoding: 'utf8' })).toBe('');
  });

  it('behaves like a map of paths to states for any changes and commands', async () => {
    const name = fc.constantFrom(
      'a.txt',
      'src/b.txt',
      'src/deep/c.txt',
      'src',
      'n',
      'n/m',
      'src/deep',
    );
    const content = fc.option(fc.constantFrom('1\n', '2\n', '3\n'), { nil: null });
    const step = fc.tuple(name, content);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 5 }),
        fc.array(name, { maxLength: 3 }),
        async (steps, hit) => {
          const base = { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n' };
          const model = new Map<string, string>(Object.entries(base));
          for (const [path, text] of steps) {
            if (text === null) {
              model.delete(path);
              continue;
            }
            // as in a git tree: no file lies below another file
            for (const other of [...model.keys()])
              if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) model.delete(other);
            model.set(path, text);
          }
          const paths = [...new Set([...Object.keys(base), ...model.keys()])].sort();
          const changes = paths
            .filter(p => base[p as keyof typeof base] !== model.get(p))
            .map(p => {
              const text = model.get(p);
              return change(p, text === undefined ? null : state(text));
            });
          const view = await open(changes);
          const expected = Object.fromEntries([...model].map(([p, t]) => [p, `- ${t}`]));
          const known = { link: 'link a.txt', 'run.sh': '- echo\n' };
          expect(filesIn(view)).toEqual({ ...expected, ...known });
          inView(view, hit.map(p => `rm -rf ${p};`).join(' ') || 'true');
          await view.sync(await git.writeTree(changes));
          expect(filesIn(view)).toEqual({ ...expected, ...known });
          await view.close();
        },
      ),
      { numRuns: isAll ? 50 : 5 },
    );
  });
});

it('commands that enter one overlay at the same moment all start', async () => {
  await openPlace({ 'file.txt': 'x\n' });
  const caches = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => {
    const from = join(dirname(checkout), name);
    mkdirSync(from);
    return { from, at: `/home/of-commands/${name}` };
  });
  const { overlay, mergeable } = await findOverlay({ checkout, scratch, programs }, caches);
  const support = { ...(await supportOf(async () => overlay)), caches: mergeable };
  const view = await openViews({ git, scratch, programs })(support, []);
  const [program = '', ...enter] = view.enter;
  const end = () => {
    const child = spawn(program, [...enter, 'cat', 'file.txt'], { stdio: 'ignore' });
    return once(child, 'exit').then(([code]) => code);
  };
  for (let round = 0; round < 20; round++)
    expect(await Promise.all([end(), end(), end()])).toEqual([0, 0, 0]);
  await view.close();
});

describe('a tree that is written', () => {
  beforeEach(() => openPlace({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n' }));

  it('is the base with the changes, for any names, modes and bytes', async () => {
    const names = [
      '"',
      '\\',
      'a "b" \\n.txt',
      'line\nend',
      ' ',
      'ä/ö',
      '-x',
      ':1',
      'src/\u{1f600}',
    ];
    const bytes = Buffer.from([0, 10, 255, 13, 10]);
    const changes = [
      ...names.map(path => change(path, { mode: '100644', bytes })),
      change('run', state('x', '100755')),
      change('to', state('a.txt', '120000')),
      change('src/deep/c.txt', null),
      change('src/deep', state('')),
      change('a.txt/b', state('below\n')),
      change('a.txt', null),
    ];
    const tree = await git.writeTree(changes);
    const entries = await git.entriesOf(tree);
    const expected = [...names, 'a.txt/b', 'run', 'src/b.txt', 'src/deep', 'to'];
    expect([...entries.keys()].sort()).toEqual(expected.sort());
    expect(names.map(name => entries.get(name)?.mode)).toEqual(names.map(() => '100644'));
    expect([entries.get('run')?.mode, entries.get('to')?.mode]).toEqual(['100755', '120000']);
    expect(await git.read(entries.get('line\nend')?.oid ?? '')).toEqual(bytes);
    expect(await git.writeTree(changes)).toBe(tree);
    git0('--git-dir', git.gitDir, 'fsck', '--strict', tree);
  });
});

function makeScratch(name: string): string {
  const path = join(scratch, name);
  mkdirSync(path);
  return path;
}

describe('an overlay', () => {
  beforeEach(() => openPlace({ 'a.txt': 'a\n' }));

  it('copies nothing: an untracked file of the checkout is not in the upper layer', async () => {
    writeFileSync(join(checkout, 'big.bin'), Buffer.alloc(1_000_000));
    const view = await openViews({ git, scratch, programs })(await supportOf(overlayHere), []);
    expect(inView(view, 'wc -c < big.bin').trim()).toBe('1000000');
    expect(existsSync(join(view.written, 'big.bin'))).toBe(false);
    inView(view, 'echo r > report.xml');
    expect(readFileSync(join(view.written, 'report.xml'), 'utf8')).toBe('r\n');
    await view.close();
  });

  it('is invisible to other processes of the machine', async () => {
    const view = await openViews({ git, scratch, programs })(await supportOf(overlayHere), []);
    expect(inView(view, 'ls')).toContain('a.txt');
    expect(lstatSync(view.path).isDirectory() && existsSync(join(view.path, 'a.txt'))).toBe(false);
    await view.close();
  });

  it('is not used when a path would act as a mount option', async () => {
    const found = await findOverlay({ checkout: `${checkout},x`, scratch, programs });
    expect(found.overlay).toBeNull();
    const without = { searchPath: '', paths: {} };
    expect((await findOverlay({ checkout, scratch, programs: without })).overlay).toBeNull();
  });

  it('merges the folders that can be merged, when others cannot', async () => {
    const folders = ['good', 'good,x', 'missing'].map(name => ({
      from: join(scratch, name),
    }));
    for (const { from } of folders.slice(0, 2)) mkdirSync(from, { recursive: true });
    const found = await findOverlay({ checkout, scratch, programs }, folders);
    expect(found.overlay).not.toBeNull();
    expect(found.mergeable).toEqual(folders.slice(0, 1));
  });
});
