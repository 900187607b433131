import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkflowStage } from '../doubles/workflow-stage.ts';
import { fingerprint } from '../harness.ts';
import { playsVariants } from '../seed.ts';

const policy = '# Law\r\n\r\nBe kind.\r\n\r\n## Reading Convention\r\nRead little.\r\n';
const task = (id: string, ...needs: readonly string[]) => ({
  id,
  needs,
  path: `docs/${id}.md`,
  description: `Text of ${id}`,
});

let stage: WorkflowStage;
beforeEach(() => {
  stage = new WorkflowStage();
  stage.files['constitution.md'] = policy;
  stage.tasks = [task('third', 'second'), task('first'), task('second', 'first')];
});
afterEach(() => expect(stage.close()).toEqual([]));

const manifest = () => stage.manifest()?.map(t => `${t.id} ${t.status}`);

const allDone = ['first COMPLETED', 'second COMPLETED', 'third COMPLETED'];

describe('photon workflow run', () => {
  it('makes a commit a task on a branch, each on the one before, and leaves the checkout alone', async () => {
    stage.prepare();
    const before = fingerprint(join(stage.repo, 'src'));
    const ran = await stage.run();
    expect(ran.code, ran.err).toBe(0);
    // each task is a run that the checkout keeps
    const names = [...ran.err.matchAll(/Look at it: photon show (\w+)/g)].map(
      found => found[1] ?? '',
    );
    expect(names.length).toBeGreaterThan(1);
    const { out: listed } = await stage.photon(['runs']);
    for (const name of names) expect(listed).toContain(`${name} `);
    expect(stage.statuses()).toEqual(allDone);
    expect(manifest()).toEqual(allDone);
    expect(stage.subjects()).toEqual(
      ['first', 'second', 'third'].map(t => `Workflow flow: ${t} done`),
    );
    expect(stage.show('docs/second.md')).toBe('# docs/second.md\n');
    expect(stage.show('constitution.md').startsWith(policy)).toBe(true);
    expect(stage.show('constitution.md')).toContain('\r\n## Workflow Artifacts\r\n');
    const prompt = JSON.stringify(stage.requests.at(-1)?.body.messages);
    expect(prompt).toContain('| second | Text of second | docs/second.md | COMPLETED |');
    expect(prompt).not.toContain('AUTO-GENERATED');
    expect(stage.git('status', '--porcelain')).toBe('');
    expect(stage.git('branch', '--show-current')).toBe('main\n');
    expect(stage.leftovers()).toEqual([]);
    expect(fingerprint(join(stage.repo, 'src'))).toBe(before);
    const seen = stage.requests.length;
    expect((await stage.run()).code).toBe(0);
    expect(stage.requests.length).toBe(seen);
    expect(stage.subjects()).toHaveLength(3);
    const { out } = await stage.photon(['workflow', 'status', 'flow']);
    expect(out).toMatch(/third +COMPLETED +1 run +PATCH_WRITTEN/);
  });

  it.runIf(playsVariants)(
    'takes a task that is gone from the file out of the manifest, in a commit of its own',
    async () => {
      stage.prepare();
      expect((await stage.run()).code).toBe(0);
      stage.tasks = stage.tasks.slice(1);
      stage.rewrite();
      for (let again = 0; again < 2; again++) {
        expect((await stage.run()).code).toBe(0);
        expect(manifest()).toEqual(['first COMPLETED', 'second COMPLETED']);
        expect(stage.statuses()).toEqual(manifest());
        expect(stage.subjects().slice(3)).toEqual(['Workflow flow: update the manifest']);
      }
    },
  );

  it('calls no task failed when the settings let none begin', async () => {
    stage.files['.photon/config.json'] = '{"modle":{}}\n';
    stage.prepare();
    const ran = await stage.run();
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('error: .photon/config.json: /');
    expect(ran.err).toContain('[CONFIG_INVALID]');
    expect(ran.err).toContain('help: ');
    expect(stage.statuses()).toEqual(['first PENDING', 'second PENDING', 'third PENDING']);
    expect(stage.subjects()).toEqual([]);
  });

  it.runIf(playsVariants)(
    'refuses a branch that somebody works on or that it does not know, and starts again without one',
    async () => {
      stage.tasks = [task('first')];
      stage.prepare();
      stage.git('branch', stage.branch);
      expect((await stage.run()).err).toContain('WORKFLOW_BRANCH');
      stage.git('branch', '-D', '-q', stage.branch);
      expect((await stage.run()).code).toBe(0);
      stage.git('switch', '-q', stage.branch);
      expect((await stage.run()).err).toContain('is checked out in');
      stage.git('switch', '-q', 'main');
      stage.git('branch', '-D', '-q', stage.branch);
      expect((await stage.run()).err).toContain('no longer exists; the workflow starts again');
    },
  );
});
