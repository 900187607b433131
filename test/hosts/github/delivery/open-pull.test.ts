import { expect, it } from 'vitest';
import type { GitHub } from '../../../../src/hosts/github/api/github.ts';
import { startWorkflow } from '../../../../src/hosts/github/delivery/open-pull.ts';

function start(workflow: string, held = false, fails = false) {
  const asked: object[] = [];
  const createWorkflowDispatch = async (request: object) => {
    if (fails) throw new Error('no such workflow');
    asked.push(request);
  };
  const where = { owner: 'octo', repo: 'hello' };
  const github = { where, rest: { actions: { createWorkflowDispatch } } } as unknown as GitHub;
  const wanted = { workflow, branch: 'photon/x', held };
  return { asked, notes: startWorkflow(github, wanted) };
}

it('the workflow is started once on the branch', async () => {
  const { asked, notes } = start('ci.yml');
  expect(await notes).toEqual([]);
  expect(asked).toMatchObject([
    {
      owner: 'octo',
      repo: 'hello',
      workflow_id: 'ci.yml',
      ref: 'photon/x',
      request: { retries: 0 },
    },
  ]);
});

it('a held pull request starts nothing, and the note says why', async () => {
  const { asked, notes } = start('ci.yml', true);
  expect(await notes).toEqual([expect.stringContaining('did not start ci.yml')]);
  expect(asked).toEqual([]);
});

it('a workflow that cannot be started is a note, and without one nothing is said', async () => {
  expect(await start('ci.yml', false, true).notes).toEqual([
    expect.stringContaining('could not start the workflow ci.yml'),
  ]);
  expect(await start('').notes).toEqual([]);
});
