import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitStore } from './doubles/git-store.ts';
import { type ModelDouble, startModel } from './doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from './doubles/sample.ts';
import { discard, fingerprint, makeFolder, root } from './harness.ts';

let folder: string;
let repo: string;
let model: ModelDouble | null = null;

beforeEach(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
  const store = new GitStore();
  store.push('main', sampleFiles);
  execFileSync('git', ['clone', '-q', store.dir, repo], { stdio: 'pipe' });
  store.close();
});
afterEach(async () => {
  await model?.close();
  model = null;
  discard(folder);
});

const cli = join(root, 'dist', 'cli', 'index.js');

/** Runs the built command line to its end without blocking the doubles. */
async function photon(args: string[], env: Record<string, string> = {}) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: folder, ...env },
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', c => (out.stdout += c));
  child.stderr.on('data', c => (out.stderr += c));
  const code = await new Promise(done => child.on('close', done));
  return { code, ...out };
}

async function scripted() {
  // the objects of the clone live in the clone itself
  model = await startModel(repairScript);
  return { PHOTON_API_KEY: 'key-of-the-test', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
}

describe('photon run', () => {
  it('leaves the repository alone and writes a patch that git takes', async () => {
    const env = await scripted();
    const before = fingerprint(repo);
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')],
      env,
    );
    expect(run.stderr).toContain('committed (PATCH_WRITTEN)');
    expect(run.code).toBe(0);
    expect(fingerprint(repo)).toBe(before);
    const path = /^patch: +(.*)$/m.exec(run.stderr)?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toBe(run.stdout);
    expect(spawnSync('git', ['apply', path], { cwd: repo }).status).toBe(0);
    expect(readFileSync(join(repo, 'src/price.js'), 'utf8')).toContain('/ 100');
  });

  it('--apply writes the verified patch into the work tree', async () => {
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--apply'],
      await scripted(),
    );
    expect(run.stderr).toContain('committed (APPLIED)');
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: repo }).toString()).toBe(
      ' M src/price.js\n',
    );
  });

  it('--apply touches no file that has unsaved work', async () => {
    writeFileSync(join(repo, 'src/price.js'), 'my work\n');
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--apply'],
      await scripted(),
    );
    expect(run.stderr).toContain('failed (CHECKOUT_MISMATCH)');
    expect(run.code).toBe(1);
    expect(readFileSync(join(repo, 'src/price.js'), 'utf8')).toBe('my work\n');
  });

  it.each([
    [['run'], 1, 'TASK_MISSING'],
    [['run', '--task', 'x', 'y'], 2, 'USAGE'],
    [['run', '--tusk', 'x'], 2, 'USAGE'],
    [['fly'], 2, 'USAGE'],
    [['run', '--repo', '/', '--task', 'x'], 1, 'GIT'],
  ])('%j says what is wrong and what to do', async (args, code, says) => {
    const run = await photon(args as string[], { PHOTON_API_KEY: 'k', PHOTON_MODEL: 'm' });
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(says as string);
    expect(run.stderr).toContain('What to do: ');
  });

  it('without key or model says which', async () => {
    expect((await photon(['run', '--repo', repo, '--task', 'x'])).stderr).toContain(
      'MODEL_MISSING',
    );
    expect((await photon(['run', '--repo', repo, '--task', 'x', '--model', 'm'])).stderr).toContain(
      'API_KEY_MISSING',
    );
  });
});

describe('photon validate, codes and help', () => {
  it('validate checks what lies in the work tree', async () => {
    expect((await photon(['validate', '--repo', repo])).stdout).toContain('all valid');
    mkdirSync(join(repo, '.photon/skills/x'), { recursive: true });
    writeFileSync(join(repo, '.photon/config.json'), '{"agent":{"skillRoots":[".photon/skills"]}}');
    writeFileSync(join(repo, '.photon/skills/x/SKILL.md'), '---\nname: X y\ndescription: d\n---\n');
    const bad = await photon(['validate', '--repo', repo]);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain(
      'SKILL_INVALID: .photon/skills/x/SKILL.md: name: lower-case words joined by -',
    );
  });

  it('codes explains a code', async () => {
    expect((await photon(['codes', 'stale_read'])).stdout).toMatch(
      /^STALE_READ\n {2}.*\n {2}What to do: /,
    );
  });

  it('--help names every command', async () => {
    const { stdout } = await photon(['--help']);
    for (const name of ['run', 'validate', 'demo', 'codes'])
      expect(stdout).toContain(`photon ${name}`);
  });
});

describe('photon demo', () => {
  it('does the main job without key or account', async () => {
    const run = await photon(['demo']);
    expect(run.stdout).toContain("The model's part is a scripted conversation");
    expect(run.stdout).toContain('The pull request: #1');
    expect(run.stdout).toContain('committed (COMMITTED)');
    expect(run.code).toBe(0);
  });
});

describe('photon audit', () => {
  /** A run, and the path of its ledger. */
  async function ranLedger() {
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')],
      await scripted(),
    );
    return /^ledger: +(.*)$/m.exec(run.stderr)?.[1] ?? expect.fail(run.stderr);
  }

  it('judges a run again from its ledger, and names the entry that was changed', async () => {
    const ledger = await ranLedger();
    const good = await photon(['audit', ledger]);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain(
      'phases:    INPUT > PLAN > NAVIGATE > READ > PATCH > VERIFY > COMMIT',
    );
    expect(good.stdout.endsWith('valid\n')).toBe(true);
    const lines = readFileSync(ledger, 'utf8').split('\n');
    writeFileSync(
      ledger,
      lines.with(6, (lines[6] ?? '').replace('"pass"', '"abstain"')).join('\n'),
    );
    const bad = await photon(['audit', ledger]);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('deviates at entry 7: LEDGER_SEAL');
    expect(bad.stdout).toContain('What to do: ');
  });

  it('compares with the head of the outcome beside it, or with the one given', async () => {
    const ledger = await ranLedger();
    const outcome = join(ledger, '..', 'outcome.json');
    const text = readFileSync(outcome, 'utf8');
    writeFileSync(outcome, text.replace(/"head": "\w{64}"/, `"head": "${'0'.repeat(64)}"`));
    const other = await photon(['audit', ledger]);
    expect(other).toMatchObject({ code: 1 });
    expect(other.stdout).toContain('no entry has the hash that was given');
    const hash = /"hash":"(\w{64})"/.exec(
      readFileSync(ledger, 'utf8').split('\n').at(-2) ?? '',
    )?.[1];
    expect(await photon(['audit', ledger, '--head', hash ?? ''])).toMatchObject({ code: 0 });
  });

  it('says what it needs', async () => {
    expect(await photon(['audit'])).toMatchObject({ code: 2 });
    const missing = await photon(['audit', join(folder, 'no.jsonl')]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('LEDGER_MISSING');
  });
});
