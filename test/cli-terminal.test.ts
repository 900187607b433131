/** The terminal as a user meets it: exit codes, kept runs, progress, and what wrong input leads to. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseArguments } from '../src/cli/arguments.ts';
import { coloured } from '../src/cli/colours.ts';
import { fitColumns, openProgress } from '../src/cli/progress.ts';
import { findKeptRun, keepRun, keptRuns } from '../src/workspace/files/local-runs.ts';
import { runsFolder } from '../src/workspace/files/locate.ts';
import { openRunFolder } from '../src/workspace/files/run-folder.ts';
import { withoutCommand } from './demo.ts';
import { cloneOf } from './doubles/git-store.ts';
import { type Script, startModel } from './doubles/model.ts';
import { begin, done, look, prove, repair, sampleFiles, sampleTask } from './doubles/sample.ts';
import { discard, makeFolder, root } from './harness.ts';
import { startPhoton } from './process.ts';
import { has, needs } from './programs.ts';

let folder: string;
let repo: string;

function clone(): void {
  folder = makeFolder();
  repo = join(folder, 'repo');
  cloneOf(sampleFiles, repo);
}

const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args]).toString();
const read = (path: string) => readFileSync(join(repo, path), 'utf8');
const repairs = [begin, look, repair, prove, done];

async function photon(args: string[], env: Record<string, string> = {}) {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  return startPhoton({ args, cwd: folder, env: { ...base, ...env } });
}

async function work(script: Script, ...flags: string[]) {
  const model = await startModel(script);
  const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
  try {
    const args = ['run', '--repo', repo, '--task', sampleTask, ...flags];
    return { ...(await photon(args, env)), requests: model.requests.length };
  } finally {
    await model.close();
  }
}

describe.runIf(has('namespaces'))(`the runs of a checkout ${needs('namespaces')}`, () => {
  let name = '';

  beforeAll(async () => {
    clone();
    const run = await work(repairs);
    expect(run.code, run.err).toBe(0);
    name = /photon apply (\w+), or git apply/.exec(run.err)?.[1] ?? '';
  });
  afterAll(() => discard(folder));

  it('have a report each, and an index that leads there', async () => {
    const [id = ''] = keptRuns(repo);
    const report = read(`${runsFolder}/${id}/report.html`);
    expect(report).toMatch(/^<!doctype html>/);
    for (const text of ['The verified patch was written', '1 of 1', `photon apply ${name}`])
      expect(report).toContain(text);
    expect(report).toMatch(/<td class="old changed">.*<\/td><td class="n">4<\/td>/);
    expect(report).toContain('All 5 rounds');
    const { out, code } = await photon(['runs', '--html', '--repo', repo]);
    expect({ out, code }).toMatchObject({ out: expect.stringContaining('index.html'), code: 0 });
    expect(read(`${runsFolder}/index.html`)).toContain(`<a href="${id}/report.html"`);
  });

  it('are kept in one place that git does not see, and listed', async () => {
    expect(name).toMatch(/^[0-9a-f]{8}$/);
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(readFileSync(join(repo, runsFolder, '.gitignore'), 'utf8')).toBe('*\n');
    const { out, code } = await photon(['runs', '--repo', repo]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${name} .* written +PATCH_WRITTEN +1 file changed\n$`));
    const [listed] = JSON.parse((await photon(['runs', '--repo', repo, '--json'])).out) as [object];
    expect(listed).toMatchObject({ name, status: 'written', code: 'PATCH_WRITTEN' });
  });

  it('are shown with what to do next, and only with files that exist', async () => {
    const { out } = await photon(['show', name, '--repo', repo]);
    expect(out).toContain('✓ written (PATCH_WRITTEN)');
    expect(out).toContain(`photon apply ${name}`);
    expect(out).toContain('+  return Math.round(total * (1 - discountPercent / 100));');
    for (const [, path = ''] of out.matchAll(/^(?:patch|outcome|ledger|session): +(.*)$/gm))
      expect(existsSync(path), path).toBe(true);
    const { out: json } = await photon(['show', '--repo', repo, '--json']);
    expect(JSON.parse(json)).toMatchObject({ status: 'written' });
    const patch = (await photon(['show', 'last', '--repo', repo, '--patch'])).out;
    expect(patch).toBe(
      readFileSync(join(repo, runsFolder, keptRuns(repo)[0] ?? '', 'patch.diff'), 'utf8'),
    );
  });

  it('are found by photon verify', async () => {
    const verified = await photon(['verify', join(repo, runsFolder), '--repo', repo]);
    expect(verified.out + verified.err).toContain('Nothing contradicts the outcome.');
  });

  it('apply and undo their patch', async () => {
    const applied = await photon(['apply', name, '--repo', repo]);
    expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('src/price.js') });
    expect(read('src/price.js')).toContain('/ 100');
    const again = await photon(['apply', name, '--repo', repo]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('CHECKOUT_MISMATCH') });
    expect((await photon(['undo', '--repo', repo])).code).toBe(0);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('cannot be seen by commands of later runs', async () => {
    // the test command finds the repair in any file, such as the kept patch
    const run = await work([begin, done]);
    expect(run.err).toContain(
      'failed (PATCH_EMPTY): The run changed nothing, though the tests fail.',
    );
    expect(run).toMatchObject({ code: 1 });
    const [, last = ''] = keptRuns(repo);
    const shown = await photon(['show', last, '--repo', repo]);
    expect(shown.out).toContain('The end of the output of npm test:');
    expect((await photon(['apply', last, '--repo', repo])).err).toContain('[PATCH_MISSING]');
  });

  it('are not believed if they came with a clone', async () => {
    const path = `${runsFolder}/20200101000000-aaaaaaaa/outcome.json`;
    mkdirSync(join(repo, path, '..'), { recursive: true });
    writeFileSync(join(repo, path), '{}');
    git('add', '-f', path);
    for (const command of ['runs', 'show', 'apply'])
      expect((await photon([command, '--repo', repo])).err).toContain('is a tracked file');
    git('rm', '-rqf', '--cached', path);
    rmSync(join(repo, path, '..'), { recursive: true });
  });

  it('are named by either end of their id, and a name for several is refused', () => {
    const [first = '', second = ''] = keptRuns(repo);
    expect(findKeptRun(repo, first)).toBe(first);
    expect(findKeptRun(repo, 'last')).toBe(second);
    expect(findKeptRun(repo, second.slice(-8, -2))).toBe(second);
    expect(() => findKeptRun(repo, second.slice(0, 8))).toThrow('2 runs are named');
    expect(() => findKeptRun(repo, '../..')).toThrow('There is no run');
  });
});

describe('what is kept', () => {
  beforeEach(clone);
  afterEach(() => discard(folder));

  it('is at most 50 runs, of which the oldest are removed', () => {
    for (let i = 0; i < 52; i++) {
      const id = `202601010000${String(i).padStart(2, '0')}-0000000a`;
      const made = openRunFolder(join(folder, `temp-${i}`), id);
      made.write(made.outcomePath, '{}');
      keepRun(repo, id, made);
    }
    const kept = keptRuns(repo);
    expect(kept).toHaveLength(50);
    expect(kept[0]).toBe('20260101000002-0000000a');
    // the folders around them are gone, too
    expect(readdirSync(folder).filter(n => n.startsWith('temp-'))).toEqual([]);
  });

  it('is the answer to a closed pipe, --json and --quiet', async () => {
    const run = await work(repairs, '--json', '--quiet');
    expect(JSON.parse(run.out)).toMatchObject({ status: 'written', files: expect.any(Array) });
    expect(run.err).toBe('');
    const child = spawn(process.execPath, [join(root, 'dist/cli/index.js'), 'codes'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', text => {
      err += text;
    });
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(141);
    expect(err).toBe('');
  });
});

describe('a run at the terminal', () => {
  beforeEach(clone);
  afterEach(() => discard(folder));

  it('says at its start which unsaved work it does not see', async () => {
    writeFileSync(join(repo, 'README.md'), 'my words\n');
    writeFileSync(join(repo, 'notes.txt'), 'mine\n');
    // written again with the same content
    writeFileSync(join(repo, 'src/price.js'), sampleFiles['src/price.js'] ?? '');
    const { err, code } = await work(repairs);
    expect(err).toMatch(/^photon run · repo · main at [0-9a-f]{7}\n/);
    expect(err).toContain('note: 1 file differs from the commit: README.md. The run does not see');
    expect(err).toContain('note: untracked: notes.txt.');
    expect(code).toBe(0);
    const refused = await work(repairs, '--apply');
    expect(refused).toMatchObject({ code: 1, requests: 0 });
    expect(refused.err).toContain('unsaved changes: README.md. [CHECKOUT_MISMATCH]');
  });

  it('fails if it changed nothing and its patches were refused', async () => {
    git('apply', '--unidiff-zero', fixedPatch());
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qam', 'Fix');
    const { err, code } = await work([begin, repair, done]);
    expect(err).toContain(
      'failed (PATCH_EMPTY): The run changed nothing, and its patches were refused (',
    );
    expect(code).toBe(1);
  });

  it('says that the tests fail with a patch, and shows the end of their output', async () => {
    const content = '  return Math.round(total * (1 - discountPercent / 1000));';
    const wrong = { files: [{ path: 'src/price.js', edits: [{ start_line: 4, content }] }] };
    const edit = { ...repair, calls: [{ name: 'apply_patch', arguments: wrong }] };
    const { err, code } = await work([begin, look, edit, ...Array(4).fill(prove)]);
    expect(err).toContain('apply_patch: pass (src/price.js)');
    expect(err).toContain('verify: the tests fail, VERIFY_FAILED');
    expect(err).not.toContain('verify: pass');
    expect(err).toContain('rolled_back (VERIFY_FAILED)');
    expect(err).toMatch(/The end of the output of npm test:\n {2}\| /);
    expect(code).toBe(1);
  });

  it('exits with 3 if it gives up, and with 1 if the settings ask for that', async () => {
    const reason = { reason: 'the task names no file and no behaviour that I could look for' };
    const script = [
      begin,
      { text: 'I cannot go on.', calls: [{ name: 'abstain', arguments: reason }] },
    ];
    expect(await work(script)).toMatchObject({
      code: 3,
      err: expect.stringContaining('? abstained (ABSTAINED)'),
    });
    expect(await work(script, '--fail-on-abstain', 'true')).toMatchObject({
      code: 1,
      err: expect.stringContaining('abstained (ABSTAINED)'),
    });
  });

  it('exits with 130 when it is interrupted, without a word on settings', async () => {
    const model = await startModel([begin]);
    const env = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
    const run = await startPhoton({
      args: ['run', '--repo', repo, '--task', sampleTask, '--test-command', 'sleep 60'],
      cwd: folder,
      env: { ...env, PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' },
      started: child => {
        child.stderr?.on('data', text => {
          if (String(text).includes('Round 1')) child.kill('SIGINT');
        });
      },
    });
    await model.close();
    expect(run.code, run.err).toBe(130);
    const [id = ''] = keptRuns(repo);
    const report = read(`${runsFolder}/${id}/report.md`);
    expect(report).not.toContain('Nothing was verified');
    expect(run.err).not.toContain('patch:');
  });
});

describe('wrong input', () => {
  beforeEach(clone);
  afterEach(() => discard(folder));

  it.each([
    [
      ['run', '--repo', '/nonexistent', '--task', 'x'],
      2,
      'there is no folder /nonexistent. [USAGE]',
    ],
    [['run', '--task', 'x', '--out', '/proc/photon'], 1, 'cannot be created'],
    [['rnu'], 2, 'Did you mean photon run?'],
    [['run', '--taks', 'x'], 2, 'Did you mean --task?'],
    [['memory', 'lst'], 2, 'Did you mean list?'],
    [['help', 'audti'], 2, 'Did you mean photon audit?'],
    [
      ['run', '--task', 'x', '--max-rounds', 'many', '--model', 'm', '--api-key', 'k'],
      2,
      'SETTING_INVALID',
    ],
    [['session', 'show', 'nothing.db'], 1, 'There is no file nothing.db. [SESSION_INVALID]'],
  ])('%j ends at once with what to do', async (args, code, says) => {
    const all = args[0] === 'run' && !args.includes('--repo') ? [...args, '--repo', repo] : args;
    const run = await startPhoton({
      args: all,
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder },
      timeoutMs: 20_000,
      // a process of its own: a hang is part of what is tested
      started: () => {},
    });
    expect(run.err).toContain(says);
    expect(run.err).toMatch(/^(error|help): /m);
    expect(run.code).toBe(code);
  });

  it('a broken session is no question of disk space', async () => {
    const path = join(folder, 'session.db');
    const whole = Buffer.alloc(8192);
    whole.write('SQLite format 3\0', 'latin1');
    writeFileSync(path, whole);
    const run = await photon(['session', 'show', path]);
    expect(run.err).toContain('SESSION_INVALID');
    expect(run.err).not.toMatch(/DISK|space/);
  });

  it('photon skills new keeps the other skills', async () => {
    const { out } = await photon([
      'skills',
      'new',
      'release-notes',
      '--in',
      'here',
      '--repo',
      repo,
    ]);
    expect(out).toContain('{"skillRoots": ["photon:*","here/release-notes"]}');
  });

  it('photon doctor says what to do about each thing that is missing', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const none = await photon(['doctor', '--repo', empty]);
    expect(none.out).toMatch(/not a git repository\nhelp: .*git init/);
    expect(none.code).toBe(1);
  });

  it('options without a value can be turned on and off', () => {
    expect(parseArguments(['--apply=true'], [], ['apply']).values).toMatchObject({ apply: true });
    expect(parseArguments(['--no-apply'], [], ['apply']).values).toMatchObject({ apply: false });
    expect(parseArguments(['--task=--x'], ['task']).values).toMatchObject({ task: '--x' });
    expect(parseArguments(['--', '--x'], ['task']).positionals).toEqual(['--x']);
    expect(() => parseArguments(['--apply=1'], [], ['apply'])).toThrow('does not take an argument');
  });
});

describe('progress', () => {
  const secret = 'sk-canary-12345678';

  function fake(isLive: boolean) {
    const seen = { lines: [] as string[], live: [] as string[], now: 0 };
    const live = { columns: 40, show: (line: string) => void seen.live.push(line) };
    const terminal = {
      tell: (text: string) => void seen.lines.push(text),
      now: () => seen.now,
      live: isLive ? live : null,
    };
    return { seen, terminal };
  }

  /** Waits until timers made the condition true. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise(resolve => setTimeout(resolve, 5));
  }

  it('without a terminal tells after a silence what runs, and the end of its output', async () => {
    const { seen, terminal } = fake(false);
    const progress = openProgress(terminal, { quiet: false, everyMs: 20 });
    progress.hide(text => text.replaceAll(secret, '***'));
    progress.watch?.phase('VERIFY');
    const shown = progress.watch?.begin('npm test');
    shown?.output(`first\nlast ${secret}\n  }\n`);
    seen.now = 65_000;
    await until(() => seen.lines.length > 0);
    expect(seen.lines[0]).toBe('  testing 1:05  npm test: last ***\n');
    progress.close();
    const count = seen.lines.length;
    seen.now = 200_000;
    await new Promise(resolve => setTimeout(resolve, 60));
    expect(seen.lines).toHaveLength(count);
  });

  it('on a terminal shows it in one line of its width', async () => {
    const { seen, terminal } = fake(true);
    const progress = openProgress(terminal, { quiet: false });
    const outer = progress.watch?.begin('embedded engine');
    const inner = progress.watch?.begin('npm test\nsecond line');
    inner?.output('a line of output that is longer than the terminal\n');
    await until(() => seen.live.some(line => line.includes('npm test: a line')));
    expect(Math.max(...seen.live.map(line => line.length))).toBeLessThan(40);
    expect(seen.live.join('')).not.toMatch(/second line|\n/);
    inner?.end();
    await until(() => seen.live.at(-1)?.endsWith('embedded engine') === true);
    outer?.end();
    progress.close();
    expect(seen.live.at(-1)).toBe('');
    expect(seen.lines).toEqual([]);
  });

  it('is silent with --quiet', async () => {
    const { seen, terminal } = fake(false);
    const progress = openProgress(terminal, { quiet: true, everyMs: 1 });
    progress.line('a line');
    progress.group('Round 1');
    seen.now = 100_000;
    await new Promise(resolve => setTimeout(resolve, 20));
    progress.close();
    expect(seen.lines).toEqual([]);
  });

  it('counts wide characters twice, and colours by line', () => {
    expect(fitColumns('日本語abc', 5)).toBe('日本');
    expect(fitColumns('abc', 10)).toBe('abc');
    expect(coloured('error: no\n+ added\nplain')).toBe(
      '\u001b[31m\u001b[1merror:\u001b[22m\u001b[39m no\n\u001b[32m+ added\u001b[39m\nplain',
    );
  });
});

describe('a terminal of its own', () => {
  it.runIf(has('namespaces'))(
    `shows colours and a live line there, and neither with NO_COLOR in a pipe ${needs('namespaces')}`,
    async () => {
      clone();
      try {
        const model = await startModel(repairs);
        const env = {
          ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder, TERM: 'xterm' },
          ...{ PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' },
        };
        const script = join(folder, 'start.sh');
        const command = [process.execPath, join(root, 'dist/cli/index.js'), 'run', '--repo', repo];
        const line = [...command, '--task', sampleTask].map(a => `'${a}'`).join(' ');
        writeFileSync(script, `#!/bin/sh\nstty cols 60\nexec ${line}\n`);
        chmodSync(script, 0o755);
        const seen = await runOnTerminal(script, env);
        await model.close();
        expect(seen).toContain('\u001b[32m\u001b[1m✓\u001b[22m\u001b[39m written');
        const live = [...seen.matchAll(/\r\u001b\[2K([^\r\n]+)/g)].map(m => m[1] ?? '');
        expect(live.some(l => /^\S (starting|planning|searching|testing) 0:0\d/.test(l))).toBe(
          true,
        );
        expect(live.filter(l => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(l)).every(l => l.length < 60)).toBe(true);
        const plain = await photon(['show', '--repo', repo], { NO_COLOR: '1' });
        expect(plain.out).not.toContain('\u001b');
        const forced = await startPhoton({
          args: ['show', '--repo', repo],
          cwd: folder,
          env: { PATH: env.PATH, HOME: folder, FORCE_COLOR: '1' },
          started: () => {},
        });
        expect(forced.out).toContain('\u001b[32m');
      } finally {
        discard(folder);
      }
    },
  );

  async function runOnTerminal(script: string, env: Record<string, string>): Promise<string> {
    const child = spawn('script', ['-qec', script, '/dev/null'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let seen = '';
    child.stdout.on('data', text => {
      seen += text;
    });
    await new Promise(resolve => child.on('close', resolve));
    return seen;
  }
});

describe('the package', () => {
  it('holds what npx needs, installs nothing else, and stays small', () => {
    folder = makeFolder();
    try {
      // a copy, since other tests read the manifest of the repository
      const copy = join(folder, 'copy');
      const { files: shipped } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
        files: string[];
      };
      for (const path of [...shipped, '.ci/manifest.ts', 'package.json', 'README.md', 'LICENSE'])
        cpSync(join(root, path), join(copy, path), { recursive: true });
      writeFileSync(join(copy, 'left-out.txt'), '');
      const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd: copy,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [{ filename, size, unpackedSize, files }] = JSON.parse(
        packed.slice(packed.indexOf('[')),
      ) as [{ filename: string; size: number; unpackedSize: number; files: { path: string }[] }];
      expect(size).toBeLessThan(3_500_000);
      expect(unpackedSize).toBeLessThan(6_500_000);
      const tops = new Set(files.map(f => f.path.split('/')[0]));
      expect([...tops].sort()).toEqual(
        [
          ...['LICENSE', 'README.md', 'action.yml', 'assets', 'constitution', 'dist'],
          ...['package.json', 'prompts', 'schema', 'skills'],
        ].sort(),
      );
      const home = join(folder, 'home/node_modules/photon');
      mkdirSync(home, { recursive: true });
      execFileSync('tar', ['xzf', join(folder, filename), '-C', home, '--strip-components=1']);
      const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as object;
      expect(Object.keys(manifest)).not.toContain('dependencies');
      const run = (...args: string[]) =>
        execFileSync(process.execPath, [join(home, 'dist/cli/index.js'), ...args], {
          cwd: folder,
          encoding: 'utf8',
          env: { ...process.env, NODE_COMPILE_CACHE: undefined },
        });
      // what V8 compiled is kept in the installation, if it can be written
      writeFileSync(join(home, 'node_modules'), '');
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      rmSync(join(home, 'node_modules'));
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(readdirSync(join(home, 'node_modules/.cache/photon'))).toHaveLength(1);
      expect(run('--help')).toContain('USAGE');
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(run('skills', 'list')).toContain('test-repair');
      // the manifest of the repository is back
      expect(Object.keys(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')))).toContain(
        'devDependencies',
      );
    } finally {
      discard(folder);
    }
  });
});

describe('the demonstration', () => {
  it('shows no commands to the runner', () => {
    expect(withoutCommand('::group::Round 1')).toBe('Round 1');
    expect(withoutCommand('::endgroup::')).toBeNull();
    expect(withoutCommand('::add-mask::x')).toBeNull();
    expect(withoutCommand('::error title=Photon%3A X::failed')).toBe('error: failed');
    expect(withoutCommand('a :: b')).toBe('a :: b');
  });
});

/** A patch file with the repair of the sample. */
function fixedPatch(): string {
  const path = join(folder, 'fixed.diff');
  const [before, after] = ['discountPercent / 10)', 'discountPercent / 100)'];
  writeFileSync(
    path,
    `--- a/src/price.js\n+++ b/src/price.js\n@@ -4,1 +4,1 @@\n-  return Math.round(total * (1 - ${before});\n+  return Math.round(total * (1 - ${after});\n`,
  );
  return path;
}
