import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptRuns } from '../../src/workspace/files/local-runs.ts';
import { runsFolder } from '../../src/workspace/files/locate.ts';
import { startModel } from '../doubles/model.ts';
import { begin, done, look, prove, repair, sampleFiles } from '../doubles/sample.ts';
import { discard } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { clone, folder, git, read, repairs, repo, work } from './terminal-clone.ts';

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

describe('a run at the terminal', () => {
  beforeEach(clone);
  afterEach(() => discard(folder));

  it('says at its start which unsaved work it does not see', async () => {
    writeFileSync(join(repo, 'README.md'), 'my words\n');
    writeFileSync(join(repo, 'notes.txt'), 'mine\n');
    // written again with the same content
    writeFileSync(join(repo, 'src/price.js'), sampleFiles['src/price.js'] ?? '');
    const { err, code } = await work(repairs);
    expect(err).toMatch(/^photon run · repo · main at [0-9a-f]{7}$/m);
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
    const { err, code } = await work(
      [begin, look, edit, ...Array(4).fill(prove)],
      '--test-command',
      'npm test',
    );
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
      args: ['run', '--repo', repo, '--task', 'Take percents.', '--test-command', 'sleep 60'],
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
