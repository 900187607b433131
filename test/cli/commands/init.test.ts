/** `photon init` against GitHub: what it finds out, and the pull request that it opens once and then updates. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import type { Person } from '../../doubles/github-routes.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';
import { playsVariants } from '../../seed.ts';

const folder = makeFolder();
const repo = join(folder, 'clone');
mkdirSync(repo);
execFileSync('git', ['init', '-q', repo]);
execFileSync('git', ['-C', repo, 'remote', 'add', 'origin', 'git@github.com:octo/sample.git']);
afterAll(() => discard(folder));

const ann: Person = { login: 'ann', id: 9, type: 'User' };
const seed = {
  ...sampleFiles,
  'AGENTS.md': 'Write short functions.\n',
  'evil`@everyone`.py': '',
  'db/migrations/1.sql': '',
};
let github: GitHubDouble;
beforeEach(async () => {
  github = await startGitHub({ seed, actor: ann });
});
afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
});

async function init(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, out, err } = await startPhoton({
    args: ['init', ...(args.includes('--repo') ? [] : ['--repo', repo]), ...args],
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder },
      ...{ GITHUB_API_URL: github.url, GITHUB_TOKEN: github.token },
      ...env,
    },
  });
  return { code, out, err };
}

const pull = () => {
  const [first] = github.state.pulls.values();
  if (first === undefined) throw new Error('there is no pull request');
  return first;
};
const head = () => github.store.git(['rev-parse', 'photon/onboarding']).trim();

describe('the setting for pull requests', () => {
  it.each([
    ['on', ann, false, /is on: nothing to do\./],
    ['off', ann, true, /Turn on "Allow GitHub Actions .*octo\/sample\/settings\/actions/],
    ['unknown', undefined, false, /Check that "Allow .*\/settings\/actions.* unknown here/],
  ])('is %s, and the next steps say so', async (_, actor, forbidden, line) => {
    if (actor === undefined) {
      await github.close();
      github = await startGitHub({ seed });
    }
    github.state.surface.pullRequestsForbidden = forbidden;
    const { code, err } = await init(['--dry-run']);
    expect(err).toMatch(line);
    expect(err).toContain('  contents: write       pushes a branch for a verified patch');
    expect(code).toBe(0);
    expect(github.writes()).toEqual([]);
  });

  it('is not asked for without a token, and a dead token does not end the command', async () => {
    const none = await init(['--dry-run'], { GITHUB_TOKEN: '', PHOTON_MODEL: 'gpt-5' });
    expect(none).toMatchObject({ code: 0, err: expect.stringContaining('unknown here') });
    // the model of the terminal is that of the workflow
    expect(none.out).toMatch(/model: gpt-5\n {10}api-key: .* secrets\.PHOTON_API_KEY /);
    expect(github.seen).toEqual([]);
    const dead = await init(['--dry-run'], { GITHUB_TOKEN: 'dead' });
    expect(dead).toMatchObject({ code: 0, err: expect.stringContaining('could not be read') });
  });
});

describe('photon init, where a workflow exists', () => {
  const named = '.github/workflows/photon.yml';
  const place = () => {
    const own = makeFolder();
    execFileSync('git', ['init', '-q', own]);
    mkdirSync(join(own, '.github/workflows'), { recursive: true });
    writeFileSync(join(own, named), 'on: push\n');
    return own;
  };

  it('says nothing of its model, and shows with --dry-run only what it would write', async () => {
    const own = place();
    try {
      const shown = await init(['--dry-run', '--repo', own]);
      expect(shown.out).toContain('# .photon/config.json\n');
      expect(shown.out).not.toContain(`# ${named}\n`);
      expect(shown.err).toContain(`kept  ${named}`);
      expect(shown.err).toContain(
        'Write the files with photon init, then commit what is new: git add',
      );
      const wrote = await init(['--repo', own]);
      expect(wrote.out).toContain(`kept  ${named}`);
      expect(`${shown.err}${wrote.err}`).not.toMatch(/no model is named|secret set/);
      expect(wrote.err).toContain('Set verify.command in .photon/config.json');
      const again = await init(['--repo', own]);
      expect(again.err).not.toMatch(/verify\.command|ommit what is new/);
    } finally {
      discard(own);
    }
  });
});

describe('photon init --open-pull-request', () => {
  const open = (...more: string[]) => init(['--open-pull-request', ...more]);

  it.runIf(playsVariants)(
    'opens it once, updates it in place, and leaves it alone when others own or close it',
    async () => {
      const first = await open();
      expect(first).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Opened pull request #\d+: /),
      });
      const { title, body, base, draft, head: branch } = pull();
      expect({ title, base, draft, branch }).toEqual({
        title: 'Add Photon',
        base: 'main',
        draft: false,
        branch: 'photon/onboarding',
      });
      expect(body).toMatch(/- Languages: \w+ \(\d+ files?\)/);
      expect(body).toMatch(/- Test command: `npm test`, from `package\.json`/);
      expect(body).toContain('- Rules and instructions: `AGENTS.md`');
      expect(body).toMatch(/- Protected: [1-9]\d* files? that no patch may touch/);
      expect(body).toContain('**/migrations/**');
      expect(body).toContain('- `contents: write`: pushes a branch for a verified patch');
      expect(body).toContain('is on: nothing to do.');
      expect(body).not.toContain('@everyone');
      const changed = github.store.git(['diff', '--name-only', 'main', 'photon/onboarding']);
      expect(changed.trim().split('\n')).toEqual([
        '.github/workflows/photon.yml',
        '.photon/config.json',
        'constitution.md',
      ]);
      expect(existsSync(join(repo, 'constitution.md'))).toBe(false);

      const commit = head();
      expect((await open()).out).toMatch(/^Nothing has changed in pull request #/);
      expect(head()).toBe(commit);

      github.store.push('main', { ...seed, 'constitution.md': '# Our own rules\n' }, 'Second');
      expect((await open()).out).toMatch(/^Updated pull request #/);
      expect(github.state.pulls.size).toBe(1);
      expect(pull().body).toContain('- `constitution.md` exists already and is not changed');
      expect(github.store.git(['show', 'photon/onboarding:constitution.md'])).toBe(
        '# Our own rules',
      );
      expect(github.store.git(['rev-parse', 'photon/onboarding~1'])).toBe(
        github.store.git(['rev-parse', 'main']),
      );

      // commits of others stay
      github.store.push('photon/onboarding', { ...seed, 'own.txt': 'mine\n' }, 'My own commit');
      const own = head();
      expect((await open()).out).toMatch(/^The branch has commits of others.* #\d+: /);
      expect(head()).toBe(own);

      // a person closes it
      Object.assign(pull(), { state: 'closed', headSha: own });
      github.store.git(['branch', '-D', 'photon/onboarding']);
      const writes = github.writes().length;
      const again = await open();
      expect(again).toMatchObject({
        code: 0,
        out: expect.stringMatching(/not opened again.* #\d+: /),
      });
      expect(github.writes()).toHaveLength(writes);
      pull().title = 'Add Photon, perhaps later';
      github.fail((method, path) => method === 'POST' && path.endsWith('/git/trees'), {
        status: 403,
        body: { message: 'Resource not accessible by integration' },
      });
      const tried = await open();
      expect(tried).toMatchObject({ code: 1, err: expect.stringContaining('WORKFLOWS_FORBIDDEN') });
    },
  );

  it('shows with --dry-run what it would open, and opens nothing', async () => {
    const { code, out } = await open('--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('# .github/workflows/photon.yml\n');
    expect(out).toContain('# Pull request: Add Photon\n');
    expect(out).toContain('## What it never does');
    expect(github.writes()).toEqual([]);
  });

  it('has nothing to add where all files exist', async () => {
    const files = ['.github/workflows/photon.yml', '.photon/config.json', 'constitution.md'];
    const texts = ['on: push\n', '{}\n', '# Rules\n'];
    github.store.push(
      'main',
      { ...seed, ...Object.fromEntries(files.map((path, i) => [path, texts[i] ?? ''])) },
      'All',
    );
    expect((await open()).out).toBe('octo/sample has all files of Photon already.\n');
    expect(github.writes()).toEqual([]);
  });

  it('says which token it needs, and which repository', async () => {
    const none = await init(['--open-pull-request'], { GITHUB_TOKEN: '' });
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('[GITHUB_AUTH]') });
    const other = await init(['--open-pull-request'], { GITHUB_SERVER_URL: 'https://ghe.example' });
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('--on OWNER/NAME') });
  });
});
