/** `photon init` against GitHub: what it finds out. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import type { Person } from '../../doubles/github-routes.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';

const folder = makeFolder();
const repo = join(folder, 'clone');
mkdirSync(repo);
execFileSync('git', ['init', '-q', repo]);
execFileSync('git', ['-C', repo, 'remote', 'add', 'origin', 'git@github.com:octo/sample.git']);
afterAll(() => discard(folder));

const ann: Person = { login: 'ann', id: 9, type: 'User' };
let github: GitHubDouble;
beforeEach(async () => {
  github = await startGitHub({ seed: sampleFiles, actor: ann });
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

describe('the setting for pull requests', () => {
  it.each([
    ['on', ann, false, /is on: nothing to do\./],
    ['off', ann, true, /Turn on "Allow GitHub Actions .*octo\/sample\/settings\/actions/],
    ['unknown', undefined, false, /Check that "Allow .*\/settings\/actions.* unknown here/],
  ])('is %s, and the next steps say so', async (_, actor, forbidden, line) => {
    if (actor === undefined) {
      await github.close();
      github = await startGitHub({ seed: sampleFiles });
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
