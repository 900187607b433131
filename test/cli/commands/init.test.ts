/** `photon init` where a workflow exists, and what it names besides the files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';

const workflow = '.github/workflows/photon.yml';
let repo: string;
beforeEach(() => {
  repo = makeFolder();
  execFileSync('git', ['init', '-q', repo]);
});
afterEach(() => discard(repo));

const init = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  startPhoton({
    args: ['init', '--repo', repo, ...args],
    cwd: repo,
    env: { PATH: process.env.PATH ?? '', HOME: repo, TMPDIR: repo, ...env },
  });

describe('photon init', () => {
  it('writes the model of the terminal into the workflow, and names each permission', async () => {
    const { code, out, err } = await init(['--dry-run'], { PHOTON_MODEL: 'gpt-5' });
    expect(code).toBe(0);
    expect(out).toMatch(/model: gpt-5\n {10}api-key: .* secrets\.PHOTON_API_KEY /);
    expect(err).toContain('  contents: write       pushes a branch for a verified patch');
  });

  it('where a workflow exists says nothing of its model, and shows with --dry-run only what it would write', async () => {
    mkdirSync(join(repo, '.github/workflows'), { recursive: true });
    writeFileSync(join(repo, workflow), 'on: push\n');
    const shown = await init(['--dry-run']);
    expect(shown.out).toContain('# .photon/config.json\n');
    expect(shown.out).not.toContain(`# ${workflow}\n`);
    expect(shown.err).toContain(`kept  ${workflow}`);
    expect(shown.err).toContain(
      'Write the files with photon init, then commit what is new: git add',
    );
    const wrote = await init();
    expect(wrote.out).toContain(`kept  ${workflow}`);
    expect(`${shown.err}${wrote.err}`).not.toMatch(/no model is named|secret set/);
    expect(wrote.err).toContain('Set verify.command in .photon/config.json');
    const again = await init();
    expect(again.err).not.toMatch(/verify\.command|ommit what is new/);
  });
});
