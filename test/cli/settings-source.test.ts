/** Which files control a local run: those of the commit, or with `--config-from work-tree` those of the work tree. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cloneOf } from '../doubles/git-store.ts';
import { startModel } from '../doubles/model.ts';
import { begin, done, look, prove, repair, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { discard, makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { playsVariants, sample } from '../seed.ts';

let folder: string;
let repo: string;

const profile = JSON.stringify({ name: 'none' });
const committed = {
  ...sampleFiles,
  '.photon/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nGreet.\n',
  'CLAUDE.md': 'Be brief.\n',
};

beforeEach(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
  cloneOf(committed, repo);
});
afterEach(() => discard(folder));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
}

/** A test command that only these settings name. */
const ownCommand = "grep -rq '/ 10[0])' src";
const settings = (more: object = {}) =>
  write('.photon/config.json', JSON.stringify({ verify: { command: ownCommand }, ...more }));

async function photon(args: readonly string[], env: Record<string, string> = {}) {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  return startPhoton({ args, cwd: folder, env: { ...base, ...env } });
}

/** A run that repairs the sample, and its outcome. */
async function run(...flags: string[]) {
  const model = await startModel([begin, look, repair, prove, done]);
  try {
    const ran = await photon(['run', '--repo', repo, '--task', sampleTask, '--json', ...flags], {
      PHOTON_API_KEY: 'k',
      PHOTON_BASE_URL: model.url,
      PHOTON_MODEL: 'double',
    });
    const outcome = ran.out === '' ? undefined : JSON.parse(ran.out);
    return { ...ran, outcome, requests: model.requests.length };
  } finally {
    await model.close();
  }
}

const offer = /commit (it|them), or run with --config-from work-tree\.$/m;

describe('settings that are not committed', () => {
  it('are named by a run, which does not use them', async () => {
    settings();
    const { err, outcome } = await run();
    expect(err).toMatch(
      /^note: a run reads its settings from commit [0-9a-f]{7}, and this file differs from it: \.photon\/config\.json \(new\)\./m,
    );
    expect(err).toMatch(offer);
    expect(outcome.verification.after.command).toBe('npm test');
  });

  it('are used with --config-from work-tree, and the outcome says so', async () => {
    settings();
    const { err, outcome } = await run('--config-from', 'work-tree');
    expect(err).toContain('note: settings come from the work tree, not from commit ');
    expect(outcome.verification).toMatchObject({ passed: true, after: { command: ownCommand } });
    expect(outcome.notes).toContainEqual(
      'These settings came from the work tree, not from the commit: .photon/config.json.',
    );
    // the patch is that of the code alone
    expect(outcome.patch.files.map((f: { path: string }) => f.path)).toEqual(['src/price.js']);
  });

  it('are each named, with what became of them', async () => {
    settings({
      agent: { skillRoots: ['.photon/skills', 'photon:*'], profile: 'own/profile.json' },
    });
    write('own/profile.json', profile);
    write('.gitignore', 'own/\n.photon/config.json\n');
    write('constitution.md', '---\nprotected_paths: [src/]\n---\n');
    write('sub/constitution.md', '---\nprotected_paths: [x/]\n---\n');
    write('.photon/skills/greet/SKILL.md', 'changed\n');
    write('.photon/skills/wave/SKILL.md', 'new\n');
    write('src/other.js', '// no setting\n');
    rmSync(join(repo, 'CLAUDE.md'));
    const { err } = await photon(['doctor', '--repo', repo]);
    const note = /these files differ from it: (.*)\. To use/.exec(err)?.[1]?.split(', ');
    expect(note).toEqual([
      '.photon/config.json (new)',
      '.photon/skills/greet/SKILL.md (changed)',
      '.photon/skills/wave/SKILL.md (new)',
      'CLAUDE.md (deleted)',
      'constitution.md (new)',
      'own/profile.json (new)',
      'sub/constitution.md (new)',
    ]);
  });

  it.each(
    sample(
      'commands that name uncommitted settings',
      [[['doctor']], [['ask', 'Why?']], [['workflow', 'run', 'one']]],
      2,
    ),
  )('are named by photon %j', async args => {
    settings();
    write('.photon/workflows/one.yml', 'tasks:\n  - id: a\n    prompt: Do it.\n');
    const { err } = await photon([...args, '--repo', repo]);
    expect(err).toContain('this file differs from it: .photon/config.json (new)');
    expect(err).toMatch(offer);
  });

  it('are what photon doctor examines with --config-from work-tree, and else the commit', async () => {
    settings();
    const by = async (...flags: string[]) =>
      (await photon(['doctor', '--repo', repo, ...flags])).out;
    expect(await by()).not.toContain(ownCommand);
    expect(await by('--config-from', 'work-tree')).toContain(`in use:  ${ownCommand}`);
  });

  it('of a work tree that is a link are refused, not followed', async () => {
    writeFileSync(join(folder, 'elsewhere.json'), '{}');
    mkdirSync(join(repo, '.photon'), { recursive: true });
    symlinkSync(join(folder, 'elsewhere.json'), join(repo, '.photon/config.json'));
    const { err, requests } = await run('--config-from', 'work-tree');
    expect(err).toContain('[CONFIG_INVALID]');
    expect(requests).toBe(0);
  });
});

describe('--config-from', () => {
  it.each<Record<string, string>>([
    { GITHUB_ACTIONS: 'true' },
    ...(playsVariants ? [{ CI: 'true' }] : []),
  ])('is refused in a job: %j', async env => {
    settings();
    const args = ['ask', 'Why?', '--repo', repo];
    const refused = await photon([...args, '--config-from', 'work-tree'], env);
    expect(refused.err).toContain('[CONFIG_FROM_JOB]');
    expect(refused.code).toBe(1);
    // and not offered there
    expect((await photon(['doctor', '--repo', repo], env)).err).toMatch(/To use it, commit it\.$/m);
  });

  it('is refused by the Action, which has no such input', async () => {
    const inputs = { 'INPUT_CONFIG-FROM': 'work-tree', INPUT_TASK: 'x' };
    const env = { PATH: process.env.PATH ?? '', HOME: folder, GITHUB_WORKSPACE: repo, ...inputs };
    const { code, out } = await startPhoton({ args: undefined, cwd: repo, env });
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('::set-output name=code::CONFIG_FROM_JOB'),
    ]);
  });
});

describe('--config FILE', () => {
  it('that is not committed is an error before anything is paid for', async () => {
    write('own.json', '{}');
    const refused = await run('--config', 'own.json');
    expect(refused.err).toContain('error: --config: own.json is not committed. [CONFIG_MISSING]');
    expect(refused.err).toContain('help: Commit it, or add --config-from work-tree.');
    expect([refused.code, refused.requests]).toEqual([1, 0]);
  });

  it.runIf(playsVariants)('is read from the work tree with --config-from work-tree', async () => {
    write('own.json', JSON.stringify({ verify: { command: ownCommand } }));
    const { outcome } = await run('--config', 'own.json', '--config-from', 'work-tree');
    expect(outcome.verification.after.command).toBe(ownCommand);
  });
});
