/** `photon undo`, on a real repository, after real runs of `photon run --apply`. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyToCheckout, undoApplied } from '../src/workspace/files/apply-to-checkout.ts';
import { backupNames, keepBackup, readBackup, sha256Of } from '../src/workspace/files/backups.ts';
import { GitStore } from './doubles/git-store.ts';
import { type Script, startModel } from './doubles/model.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  sampleFiles,
  sampleTask,
  testedByNode,
} from './doubles/sample.ts';
import { discard, makeFolder } from './harness.ts';
import { startPhoton } from './process.ts';

let folder: string;
let repo: string;

beforeEach(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
  const store = new GitStore();
  // its later runs begin where every test passes, and must show a case that ran
  store.push('main', { ...sampleFiles, ...testedByNode });
  store.clone(repo);
  store.close();
});
afterEach(() => discard(folder));

const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args]).toString();
const status = () => git('status', '--porcelain', '--untracked-files=all');
const read = (path: string) => readFileSync(join(repo, path), 'utf8');
const backups = () => join(repo, '.photon/patches/backups');

async function photon(args: string[], env: Record<string, string> = {}) {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  return startPhoton({ args, cwd: folder, env: { ...base, ...env } });
}

const undo = (...flags: string[]) => photon(['undo', '--repo', repo, ...flags]);

async function apply(script: Script) {
  const model = await startModel(script);
  try {
    const run = await photon(['run', '--repo', repo, '--task', sampleTask, '--apply'], {
      PHOTON_API_KEY: 'key-of-the-test',
      PHOTON_BASE_URL: model.url,
      PHOTON_MODEL: 'double',
    });
    expect(run.err).toContain('applied (APPLIED)');
    expect(run.err).toContain('photon undo');
  } finally {
    await model.close();
  }
}

/** The repair as a commit of its own, so that the tests of the next run pass. */
function repairByHand() {
  writeFileSync(join(repo, 'src/price.js'), read('src/price.js').replace('/ 10)', '/ 100)'));
  commit();
}

const commit = () =>
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qam', 'repaired');

const repairIt: Script = [begin, look, repair, prove, done];

/** Another run: one file more, and one less. */
const extend: Script = [
  {
    text: 'A note is needed and the old one is in the way. I plan both files.',
    calls: [
      { name: 'skill_activate', arguments: { skill_name: 'code-modify' } },
      {
        name: 'plan',
        arguments: {
          entry_symbols: ['README'],
          affected_files: ['docs/notes/new.md', 'README.md'],
          scope: 'move the readme',
          max_changed_lines: 20,
        },
      },
      { name: 'list_project_files', arguments: {} },
      {
        name: 'read_code_block',
        arguments: { requests: [{ file_path: 'README.md', start_line: 1, end_line: 3 }] },
      },
    ],
  },
  {
    text: 'Both files are known now. The new one is written and the old one goes.',
    calls: [
      {
        name: 'apply_patch',
        arguments: {
          files: [
            { path: 'docs/notes/new.md', content: '# New\n' },
            { path: 'README.md', delete: true },
          ],
        },
      },
    ],
  },
  prove,
  done,
];

describe('photon run --apply, again', () => {
  /** A second run; how it ended, and what the model was asked. */
  async function again() {
    const model = await startModel(extend);
    try {
      const args = ['run', '--repo', repo, '--task', sampleTask, '--apply'];
      const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
      return { ...(await photon(args, env)), requests: model.requests.length };
    } finally {
      await model.close();
    }
  }

  it('says at once that the first patch is not committed, and what to do', async () => {
    await apply(repairIt);
    const second = await again();
    expect(second.err).toMatch(
      /^error: The work tree holds a patch that is not committed, of run [\w-]+: src\/price\.js\. .* \[CHECKOUT_MISMATCH\]\nhelp: Commit that patch, or take it back with photon undo\. Then run again\.$/m,
    );
    expect([second.code, second.requests]).toEqual([1, 0]);
    await undo();
    repairByHand();
    expect((await again()).err).toContain('applied (APPLIED)');
  });

  it('sees a new file of the first patch, too, which git does not track', async () => {
    repairByHand();
    await apply(extend);
    git('checkout', '--', 'README.md');
    const second = await again();
    expect(second.err).toContain('docs/notes/new.md. A run starts from the commit');
    expect([second.code, second.requests]).toEqual([1, 0]);
  });
});

describe('photon undo', () => {
  it('takes back run after run, to the first, and shows what it would do', async () => {
    expect((await undo()).out).toBe('There is nothing to undo.\n');
    await apply(repairIt);
    expect(status()).toBe(' M src/price.js\n');
    commit();
    await apply(extend);
    expect(existsSync(join(repo, 'README.md'))).toBe(false);

    const list = await undo('--list');
    expect(list.out).toMatch(
      /^run [\w-]+, \d{4}-\S+Z\n {2}deleted {2}README\.md\n {2}added {4}docs\/notes\/new\.md\nrun [\w-]+, \S+\n {2}modified src\/price\.js\n$/,
    );
    const dry = await undo('--dry-run');
    expect(dry.out).toMatch(/^Would undo: run /);
    expect(existsSync(join(repo, 'docs/notes/new.md'))).toBe(true);

    const first = await undo();
    expect(first).toMatchObject({ code: 0 });
    expect(first.out).toMatch(/^Undone: run /);
    expect(status()).toBe('');
    expect(existsSync(join(repo, 'docs'))).toBe(false);
    expect((await undo()).code).toBe(0);
    expect(read('src/price.js')).toBe(sampleFiles['src/price.js']);
    expect(status()).toBe(' M src/price.js\n');
    expect((await undo()).out).toBe('There is nothing to undo.\n');
  });

  it('changes nothing when a file changed since, and names it', async () => {
    repairByHand();
    await apply(extend);
    writeFileSync(join(repo, 'docs/notes/new.md'), 'my work\n');
    const refused = await undo();
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('BACKUP_CHANGED');
    expect(refused.err).toContain('docs/notes/new.md');
    expect(refused.err).not.toContain('README.md');
    expect(existsSync(join(repo, 'README.md'))).toBe(false);
    expect(read('docs/notes/new.md')).toBe('my work\n');
    expect(await undo('--dry-run')).toMatchObject({
      code: 1,
      err: expect.stringContaining('BACKUP_CHANGED'),
    });
    writeFileSync(join(repo, 'docs/notes/new.md'), '# New\n');
    expect((await undo()).code).toBe(0);
    expect(status()).toBe('');
  });

  it('believes no backup that came with the repository, or names a path outside it', async () => {
    const file = { path: '.git/hooks/pre-commit', before: null, after: sha256Of(Buffer.from('')) };
    const forge = (path: string) => {
      mkdirSync(backups(), { recursive: true });
      const text = { version: 1, run: 'x', appliedAt: 0, files: [{ ...file, path }] };
      writeFileSync(join(backups(), '000001-x.json'), JSON.stringify(text));
    };
    for (const path of ['.git/hooks/pre-commit', '../outside', '/etc/passwd', 'a/../b', '']) {
      forge(path);
      const refused = await undo();
      expect(refused.err, path).toContain('BACKUP_INVALID');
    }
    forge('src/price.js');
    git('add', '-f', '.photon');
    expect((await undo()).err).toContain('is a tracked file');
  });

  it.each([
    ['a submodule', '160000', '.photon'],
    ['a link', '120000', '.photon'],
    ['a submodule below it', '160000', '.photon/patches'],
    ['a submodule in other letters', '160000', '.Photon/runs'],
  ])('believes no folder that is %s of the repository', async (_name, mode, path) => {
    const oid = git('rev-parse', mode === '160000' ? 'HEAD' : 'HEAD:README.md').trim();
    git('update-index', '--add', '--cacheinfo', `${mode},${oid},${path}`);
    const file = { path: 'src/price.js', before: null, after: sha256Of(Buffer.from('')) };
    mkdirSync(backups(), { recursive: true });
    const text = { version: 1, run: 'x', appliedAt: 0, files: [file] };
    writeFileSync(join(backups(), '000001-x.json'), JSON.stringify(text));
    const commands = path.endsWith('runs')
      ? ['runs', 'show', 'apply', 'stats']
      : path.endsWith('patches')
        ? ['undo', 'undo --list']
        : ['undo', 'undo --list', 'undo --dry-run', 'runs', 'show', 'apply', 'stats', 'eval find'];
    for (const command of commands) {
      const refused = await photon([...command.split(' '), '--repo', repo]);
      expect([refused.code, refused.err], command).toEqual([
        1,
        expect.stringContaining(
          `error: ${path} is a submodule or a link that the repository tracks. [BACKUP_INVALID]`,
        ),
      ]);
    }
    expect(read('src/price.js')).toBe(sampleFiles['src/price.js']);
  });

  it('believes no folder that is a repository of its own', async () => {
    execFileSync('git', ['init', '-q', join(repo, '.photon')]);
    expect((await undo()).err).toContain(
      '.photon is a git repository of its own. [BACKUP_INVALID]',
    );
  });

  it('explains itself, and takes no other argument', async () => {
    expect((await photon(['undo', '--help'])).out).toContain('photon undo --list');
    expect(await undo('x')).toMatchObject({ code: 2, err: expect.stringContaining('[USAGE]') });
  });
});

describe('what is applied and taken back', () => {
  const state = (text: string) => ({ mode: '100644' as const, bytes: Buffer.from(text) });
  const price = sampleFiles['src/price.js'] ?? '';
  const changes = [
    { path: 'src/price.js', before: state(price), after: state('new\n') },
    { path: 'src/more.js', before: null, after: state('more\n') },
  ];
  const applied = { run: 'r1', at: 1000, changes };
  const only = () => readBackup(repo, backupNames(repo)[0] ?? '');

  it('a run killed between two files is taken back', () => {
    applyToCheckout(repo, applied);
    writeFileSync(join(repo, 'src/price.js'), price); // as if it had not come so far
    undoApplied(repo, only());
    expect(status()).toBe('');
    expect(backupNames(repo)).toEqual([]);
  });

  it('a failure in the middle leaves every file as it was, and no backup', () => {
    const blocked = { path: 'src/sub/x.js', before: null, after: state('x') };
    writeFileSync(join(repo, 'src/sub'), 'a file in the way of a folder');
    expect(() => applyToCheckout(repo, { ...applied, changes: [...changes, blocked] })).toThrow(
      expect.objectContaining({ code: 'CHECKOUT_MISMATCH' }),
    );
    rmSync(join(repo, 'src/sub'));
    mkdirSync(join(repo, 'shut'));
    chmodSync(join(repo, 'shut'), 0o555);
    const shut = { path: 'shut/x.js', before: null, after: state('x') };
    const attempt = () => applyToCheckout(repo, { ...applied, changes: [...changes, shut] });
    if (process.getuid?.() === 0) return; // root writes everywhere
    expect(attempt).toThrow(expect.objectContaining({ code: 'DISK' }));
    expect(status()).toBe('');
    expect(backupNames(repo)).toEqual([]);
  });

  it('permissions come back, and links are not followed', () => {
    chmodSync(join(repo, 'src/price.js'), 0o600);
    applyToCheckout(repo, applied);
    expect(statSync(join(repo, 'src/price.js')).mode & 0o777).toBe(0o644);
    rmSync(join(repo, 'src/more.js'));
    symlinkSync('../README.md', join(repo, 'src/more.js'));
    expect(() => undoApplied(repo, only())).toThrow(
      expect.objectContaining({ code: 'BACKUP_CHANGED' }),
    );
    rmSync(join(repo, 'src/more.js'));
    undoApplied(repo, only());
    expect(statSync(join(repo, 'src/price.js')).mode & 0o777).toBe(0o600);
  });

  it('the oldest backups are removed beyond the bound', () => {
    for (let i = 0; i < 103; i++) keepBackup(repo, { run: `r${i}`, appliedAt: i, files: [] });
    const names = backupNames(repo);
    expect(names).toHaveLength(100);
    expect([names[0], names.at(-1)]).toEqual(['000004-r3.json', '000103-r102.json']);
    expect(readdirSync(backups())).toContain('.gitignore');
    expect(status()).toBe('');
  });
});
