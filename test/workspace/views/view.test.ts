import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FileChange } from '../../../src/workspace/files/change.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import { openViews, type View } from '../../../src/workspace/views/view.ts';
import { discard, fingerprint } from '../../harness.ts';
import { isAll, playsVariants, sample } from '../../seed.ts';
import {
  change,
  checkout,
  git,
  git0,
  inView,
  openPlace,
  overlayHere,
  programs,
  scratch,
  state,
  supportOf,
  usePlace,
} from './place.ts';

usePlace();

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

const kinds = [
  ['an overlay', overlayHere],
  ['a copy', async () => undefined],
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

function makeScratch(name: string): string {
  const path = join(scratch, name);
  mkdirSync(path);
  return path;
}

describe.each(kinds)('a view that is %s', (kind, overlayOf) => {
  const open = async (changes: readonly FileChange[] = []) =>
    openViews({ git, scratch, programs })(await supportOf(overlayOf), changes);

  beforeEach(async () => {
    await openPlace(
      { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n', 'run.sh': 'echo\n' },
      { link: 'a.txt' },
    );
  });

  it('shows the commit, whatever the checkout contains instead, with the packages', async () => {
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
    mkdirSync(join(checkout, 'vendor'));
    writeFileSync(join(checkout, 'vendor', 'loose.txt'), 'loose\n');
    writeFileSync(join(checkout, 'staged.txt'), 'staged\n');
    git0('add', 'staged.txt');
    const before = fingerprint(checkout);
    const view = await open();
    expect(filesIn(view)).toEqual({
      'a.txt': '- a\n',
      link: 'link a.txt',
      'run.sh': '- echo\n',
      'src/b.txt': '- b\n',
      'src/deep/c.txt': '- c\n',
      'vendor/loose.txt': '- loose\n',
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

  it.runIf(playsVariants)(
    'begins anew in each run: it needs nothing that an earlier run over the same checkout made',
    async () => {
      writeFileSync(join(checkout, 'a.txt'), 'not committed\n');
      const support = await supportOf(overlayOf);
      for (const name of ['first', 'second']) {
        const own = makeScratch(name);
        const view = await openViews({ git, scratch: own, programs })(support, []);
        expect(filesIn(view)['a.txt'], name).toBe('- a\n');
        await view.close();
        discard(own);
      }
    },
  );

  it('shows changes: created, changed, deleted, made executable, linked, a folder for a file', async () => {
    const view = await open([
      change('a.txt', state('new\n', '100755')),
      change('src', state('a file\n')),
      change('src/b.txt', undefined),
      change('src/deep/c.txt', undefined),
      change('link', undefined),
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

  it.each(sample(`changes of tracked files in ${kind}`, changesOfFiles, 1))(
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

  it.each(['HEAD', 'refs/a'])(
    'takes a change of %s, whose name stands in the folder of git, too',
    async path => {
      await openPlace({ [path]: 'old\n', 'other.txt': 'o\n' });
      const view = await open();
      await view.sync(git.tree);
      const tree = await git.writeTree([change(path, state('new\n'))]);
      await view.sync(tree);
      expect(inView(view, `cat ${path}`)).toBe('new\n');
      await view.close();
    },
  );

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
              return change(p, text === undefined ? undefined : state(text));
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
      { numRuns: isAll ? 50 : 3 },
    );
  });
});
