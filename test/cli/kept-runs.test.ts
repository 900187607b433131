/** The runs that a checkout keeps: where they are, what shows them, and what takes them up. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findKeptRun, keptRuns } from '../../src/workspace/files/local-runs.ts';
import { runsFolder } from '../../src/workspace/files/locate.ts';
import { begin, done, repairScript, sampleTest } from '../doubles/sample.ts';
import { discard, root } from '../harness.ts';
import { has, needs } from '../programs.ts';
import { playsVariants } from '../seed.ts';
import { clone, folder, git, photon, read, repo, useClone, work, workIn } from './clone.ts';

describe.runIf(has('namespaces'))(`the runs of a checkout ${needs('namespaces')}`, () => {
  let name = '';

  beforeAll(async () => {
    clone();
    // Photon finds the command, whose cases the report counts
    const run = await workIn(folder, repairScript, [
      '--repo',
      repo,
      '--test-command',
      'node --test',
    ]);
    expect(run.code, run.err).toBe(0);
    name = /photon apply (\w+) --repo/.exec(run.err)?.[1] ?? '';
  });
  afterAll(() => discard(folder));

  it('have a report each', async () => {
    const [id = ''] = keptRuns(repo);
    const report = read(`${runsFolder}/${id}/report.html`);
    expect(report).toMatch(/^<!doctype html>/);
    for (const text of ['The verified patch is in patch.diff', '1 passed', `photon apply ${name}`])
      expect(report).toContain(text);
    expect(report).toMatch(/<td class="old changed">.*<\/td><td class="n">4<\/td>/);
    expect(report).toContain('All 5 rounds');
  });

  it('are kept in one place that git does not see, and listed', async () => {
    expect(name).toMatch(/^[0-9a-f]{8}$/);
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(readFileSync(join(repo, runsFolder, '.gitignore'), 'utf8')).toBe('*\n');
    const { out, code } = await photon(['runs', '--repo', repo]);
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(
        `^${name}  \\d{4}-\\d\\d-\\d\\d .*orderTotal.* written +– +\\d+(?:\\.\\d)? s.*\n$`,
      ),
    );
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
  });

  it('are found by photon verify', async () => {
    const verified = await photon(['verify', join(repo, runsFolder), '--repo', repo]);
    expect(verified.out + verified.err).toContain('Nothing contradicts the outcome.');
  });

  it('apply and undo their patch', async () => {
    const applied = await photon(['apply', name, '--repo', repo]);
    expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('src/price.js') });
    expect(applied.out).toContain('✓ applied the verified patch of run ');
    expect(read('src/price.js')).toContain('/ 100');
    const again = await photon(['apply', name, '--repo', repo]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('CHECKOUT_MISMATCH') });
    expect(again.err).toContain('is as the patch of the run makes it already');
    expect((await photon(['undo', '--repo', repo])).code).toBe(0);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('print commands that work where the person stands', async () => {
    const inside = join(repo, 'src');
    for (const [cwd, named] of [
      [repo, []],
      [inside, []],
      [folder, ['--repo', repo]],
    ] as const) {
      const { out } = await photon(['show', name, ...named], {}, cwd);
      const [, own = '', withGit = ''] = /Apply it: +(photon .*), or (git .*)/.exec(out) ?? [];
      execFileSync('sh', ['-c', withGit], { cwd });
      expect(git('diff', '--name-only'), withGit).toBe('src/price.js\n');
      git('checkout', '-q', '.');
      const applied = await photon(own.split(' ').slice(1), {}, cwd);
      const back = /Take it back: photon (.*)/.exec(applied.out)?.[1] ?? '';
      expect(git('diff', '--name-only'), own).toBe('src/price.js\n');
      expect((await photon(back.split(' '), {}, cwd)).code, back).toBe(0);
      expect(git('status', '--porcelain')).toBe('');
    }
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
    expect(shown.out).toContain(`The output of ${sampleTest}:`);
    expect((await photon(['apply', last, '--repo', repo])).err).toContain('[PATCH_MISSING]');
    // by its id, or as the last one
    for (const name of [last, 'last']) {
      const judged = await photon(['audit', name], {}, repo);
      expect(judged, judged.err).toMatchObject({ code: 0 });
      expect(judged.out).toContain(`run:       ${last}`);
      expect((await photon(['verify', name], {}, repo)).out).toContain(last);
    }
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
  useClone();

  it.runIf(playsVariants)('is the answer to a closed pipe, --json and --quiet', async () => {
    const run = await work(repairScript, '--json', '--quiet');
    expect(JSON.parse(run.out)).toMatchObject({ status: 'written', files: expect.any(Array) });
    expect(run.err).toBe('');
    const child = spawn(process.execPath, [join(root, 'dist/photon.js'), 'codes'], {
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
