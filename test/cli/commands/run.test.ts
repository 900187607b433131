import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asking, begin, sampleTask, sampleTest, withSampleTest } from '../../doubles/sample.ts';
import { sarifOf } from '../../doubles/scanner.ts';
import { turn } from '../../doubles/steps.ts';
import { fingerprint } from '../../harness.ts';
import {
  closeModel,
  folder,
  model,
  openModel,
  photon,
  repo,
  scripted,
  useClone,
  work,
} from '../clone.ts';

useClone();

describe('photon run', () => {
  it('repairs the most severe finding of a SARIF file, without a task', async () => {
    const env = await scripted();
    writeFileSync(join(repo, 'scan.sarif'), sarifOf({}, { path: 'README.md', line: 1 }));
    const run = await photon(
      ['run', '--repo', repo, '--sarif', 'scan.sarif', ...withSampleTest],
      env,
    );
    expect(run.err).toContain('2 findings to repair, of which 1 are taken');
    expect(run.err).toContain('written (PATCH_WRITTEN)');
    expect(run.code).toBe(0);
  });

  it('leaves the repository unchanged and writes a patch that git applies', async () => {
    const env = await scripted();
    const before = fingerprint(repo);
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')],
      env,
    );
    expect(run.err).toContain('written (PATCH_WRITTEN)');
    expect(run.code).toBe(0);
    expect(fingerprint(repo)).toBe(before);
    const path = /^patch: +(.*)$/m.exec(run.err)?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toBe(run.out);
    expect(spawnSync('git', ['apply', path], { cwd: repo }).status).toBe(0);
    expect(readFileSync(join(repo, 'src/price.js'), 'utf8')).toContain('/ 100');
  });

  it('goes on with the whole task, the commands and the patch of an earlier run', async () => {
    const whole = `${sampleTask} ${'It is a small change. '.repeat(30)}And keep orderTotal pure.`;
    const task = ['--repo', repo, '--task', whole, ...withSampleTest];
    const first = await photon(['run', ...task], await scripted());
    expect(first.err).toContain('written (PATCH_WRITTEN)');
    await closeModel();
    const args = ['run', '--repo', repo, '--continue', 'last', '--proof-seconds', '0'];
    const went = await photon([...args, 'Keep the comments.'], await scripted());
    expect(went.err).toContain('written (PATCH_WRITTEN)');
    const asked = JSON.stringify(model?.requests[0]?.body);
    expect(asked).toContain(JSON.stringify(whole).slice(1, -1));
    expect(asked).toMatch(/And keep orderTotal pure\.\W+n\W+nAnswer by [^:]+: Keep the comments\./);
    expect(asked).toContain('Patch of an earlier run');
    expect(asked).toContain('discountPercent / 100');
    expect(asked).toContain(`Test command: ${JSON.stringify(sampleTest).slice(1, -1)}`);
  });

  it('goes on with the answer to the question of an earlier run', async () => {
    const first = await work(asking('Is it a fraction?', ['Yes', 'No, percent']));
    expect(first.err).toContain('needs_clarification');
    const { url } = await openModel([turn('abstain', { reason: 'That is all.' })]);
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: url, PHOTON_MODEL: 'double' };
    await photon(['run', '--repo', repo, '--continue', 'last', '2'], env);
    const asked = JSON.stringify(model?.requests[0]?.body);
    expect(asked).toContain(JSON.stringify(sampleTask).slice(1, -1));
    expect(asked).toMatch(/Question that was asked.*Is it a fraction\?.*2\. No, percent/);
    expect(asked).toMatch(/Answer by [^:]+: 2/);
  });

  const said = 'The factor is wrong:\n\n- it is \u001b[31m10';
  it.each([
    ['an answer', { reason: 'it was all looked at', answer: said }, 'answered (TASK_ANSWERED)'],
    ['advice', { reason: said }, 'no_change (PATCH_EMPTY)'],
  ])('prints %s once, without control characters, and writes no patch', async (...row) => {
    const [, finish, ended] = row;
    const calls = [{ name: 'finish', arguments: finish }];
    const { url } = await openModel([begin, { text: 'That is all that I need.', calls }]);
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: url, PHOTON_MODEL: 'double' };
    const task = ['--task', 'Look at src/price.js', '--test-command', 'true'];
    const run = await photon(['run', '--repo', repo, ...task, '--out', join(folder, 'out')], env);
    expect(run.out).toMatch(/^The factor is wrong:\n\n- it is [^\u001b]*10\n$/);
    expect(run.err).toContain(ended);
    expect(run.err).not.toContain('The factor');
    expect(run.err).toContain('help: If something');
    expect(run.code).toBe(0);
  });

  it.each([
    [['run'], 2, 'TASK_MISSING'],
    [['run', '--repo', '/', '--task', 'x'], 1, 'CHECKOUT_MISSING'],
  ])('%j says what is wrong and what to do', async (args, code, says) => {
    const run = await photon(args as string[], { PHOTON_API_KEY: 'k', PHOTON_MODEL: 'm' });
    expect(run.code).toBe(code);
    expect(run.err).toContain(says as string);
    expect(run.err).toContain('help: ');
  });
});
