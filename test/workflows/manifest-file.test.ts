import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { killVariable } from '../doubles/kill-point.ts';
import { WorkflowStage } from '../doubles/workflow-stage.ts';
import { root } from '../harness.ts';

let stage: WorkflowStage;
afterEach(() => expect(stage.close()).toEqual([]));

function prepare(review = false): void {
  stage = new WorkflowStage();
  stage.files['constitution.md'] = '# Law\n';
  stage.tasks = [
    { id: 'one', path: 'docs/one.md', description: 'One', review },
    { id: 'two', path: 'docs/two.md', description: 'Two', needs: ['one'] },
  ];
  stage.prepare();
}

const statuses = () => stage.state().tasks.map(t => `${t.id} ${t.status}`);
const manifest = () => stage.manifest()?.map(t => `${t.id} ${t.status}`);

describe('an approval that is killed between its commit and its state', () => {
  const approveAndDie = async () => {
    prepare(true);
    expect((await stage.run()).code).toBe(0);
    expect(statuses()).toEqual(['one NEEDS_REVIEW', 'two PENDING']);
    const point = JSON.stringify({ side: 'after', what: 'commit' });
    const hook = join(root, 'test', 'doubles', 'kill-point.ts');
    const killed = await stage.photon(['workflow', 'approve', 'flow', 'one'], {
      nodeArgs: ['--import', hook],
      env: { [killVariable]: point },
    });
    expect(killed.code, killed.err).toBe(undefined);
    expect([statuses()[0], manifest()?.[0]]).toEqual(['one NEEDS_REVIEW', 'one COMPLETED']);
  };

  it('stands at the next start', async () => {
    await approveAndDie();
    const ran = await stage.run();
    expect(ran.code, ran.err).toBe(0);
    expect(statuses()).toEqual(['one COMPLETED', 'two COMPLETED']);
    expect(manifest()).toEqual(statuses());
  });
});
