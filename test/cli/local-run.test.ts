import { describe, expect, it } from 'vitest';
import { keptRuns } from '../../src/workspace/files/local-runs.ts';
import { runsFolder } from '../../src/workspace/files/locate.ts';
import { startModel } from '../doubles/model.ts';
import { begin } from '../doubles/sample.ts';
import { startPhoton } from '../process.ts';
import { folder, read, repo, useClone, work } from './clone.ts';

describe('a run at the terminal', () => {
  useClone();

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
