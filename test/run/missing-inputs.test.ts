/** What a workflow gives the Action as inputs that it does not have. */
import { expect, it } from 'vitest';
import { openGitHub, playOn } from './scenario.ts';

it('ends the step before anything is asked or written, and says where each setting is set', async () => {
  const env = { INPUT_REVIEWERS: 'ann', 'INPUT_MAX-VIOLATIONS': '1', 'INPUT_KEEP-GREEN': '' };
  const { exitCode, outputs, model, github } = await playOn(await openGitHub({}), { env });
  expect(exitCode).toBe(1);
  expect(outputs).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
  expect(outputs.message).toContain('set delivery.reviewers in .photon/config.json');
  expect(outputs.message).toContain('max-violations is no input');
  expect(outputs.message).not.toContain('keep-green');
  expect([...model.requests, ...github.seen]).toEqual([]);
});
