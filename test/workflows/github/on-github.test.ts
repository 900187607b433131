import { type ChildProcess, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowState } from '../../../src/workflows/state.ts';
import { withConfig } from '../../doubles/config.ts';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import { readManifest } from '../../doubles/manifest-reader.ts';
import type { Body, ModelDouble } from '../../doubles/model.ts';
import { prove, sampleFiles } from '../../doubles/sample.ts';
import { roundOf, startWriter, taskText, writingTurns } from '../../doubles/workflow-model.ts';
import {
  type ActionOptions,
  type ActionRun,
  discard,
  makeFolder,
  runAction,
} from '../../harness.ts';
import { wayNames, ways } from '../../hosts/github/broken-ways.ts';
import { playsVariants, sample } from '../../seed.ts';

let folder: string;
let github: GitHubDouble;
let model: ModelDouble;
let jobs = 0;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  expect(JSON.stringify(model.requests.map(r => r.body))).not.toContain(withheld);
  expect(github.violations).toEqual([]);
  expect(model.violations).toEqual([]);
  await github.close();
  await model.close();
  discard(folder);
});

const branch = 'photon/workflow-docs';
const chain = `${taskText('one', '')}${taskText('two', 'one')}`;

/** In a file that no model may see, on every branch of every workflow here. */
const withheld = 'withheld 73919173';

async function open(workflow: string, ...writer: Parameters<typeof startWriter>): Promise<void> {
  const files = {
    ...sampleFiles,
    'test/ship.test.js': "import test from 'node:test';\ntest('stands', () => {});\n",
    '.photon/workflows/docs.yml': workflow,
    '.photon/config.json': '{ "neverSend": ["secret/"] }',
    'secret/rates.txt': `${withheld}\n`,
  };
  github = await startGitHub({ seed: withConfig(files) });
  model = await startWriter(...writer);
}

/** One job: a fresh clone of the default branch's last commit, as actions/checkout makes it. */
function job(more: Partial<ActionOptions> = {}): Promise<ActionRun> {
  const workspace = join(folder, `job-${jobs++}`);
  const from = `file://${github.store.dir}`;
  execFileSync('git', ['clone', '-q', '--depth', '1', '-b', 'main', from, workspace]);
  const inputs = { workflow: 'docs', ...more.inputs };
  return runAction({ github, modelUrl: model.url, workspace, ...more, inputs });
}

/** The tasks as the summary of the job lists them. */
const tasksOf = ({ summary }: ActionRun) =>
  [...summary.matchAll(/^\| `(\S+)` \| `([A-Z_]+)` \|/gm)].map(
    ([, id, status]) => `${id} ${status}`,
  );
const git = (...args: string[]) => github.store.git(args);
const state = () =>
  JSON.parse(git('show', 'refs/photon/workflows/docs:state.json')) as WorkflowState;
const subjects = (of = branch) => git('log', '--reverse', '--format=%s', `main..${of}`).split('\n');
const manifest = () =>
  readManifest(Buffer.from(git('show', `${branch}:constitution.md`)))?.map(
    t => `${t.id} ${t.status}`,
  );
const pull = (number = 1) => {
  const found = github.state.pulls.get(number);
  if (found === undefined) throw new Error(`no pull request ${number}`);
  return found;
};
const done = ['one COMPLETED', 'two COMPLETED'];

describe('a workflow on GitHub', () => {
  it('becomes one pull request with a commit per task, and starts anew behind its merge', async () => {
    await open(`tasks:\n${chain}`);
    const ran = await job();
    expect(ran.exitCode, ran.log).toBe(0);
    expect(ran.outputs).toMatchObject({
      status: 'committed',
      code: 'COMMITTED',
      branch,
      'pull-request-number': '1',
      commit: git('rev-parse', branch),
    });
    expect(tasksOf(ran)).toEqual(done);
    expect(subjects()).toEqual(['Workflow docs: one done', 'Workflow docs: two done']);
    expect(manifest()).toEqual(done);
    expect(git('show', `${branch}:docs/two.md`)).toBe('# docs/two.md');
    expect(git('diff', '--name-only', 'main', branch).split('\n')).toEqual([
      'constitution.md',
      'docs/one.md',
      'docs/two.md',
    ]);
    expect(state().tasks.map(t => t.commit)).toEqual(
      git('log', '--reverse', '--format=%H', `main..${branch}`).split('\n'),
    );
    expect(pull()).toMatchObject({
      head: branch,
      base: 'main',
      draft: false,
      title: 'Workflow docs',
    });
    expect(pull().body.startsWith('**Nothing was verified** for `one`, `two`')).toBe(true);
    for (const { run = '', ledger = '' } of state().tasks) {
      expect(pull().body).toContain(run);
      expect(pull().body).toContain(ledger);
      expect(git('log', '--format=%B', `main..${branch}`)).toContain(`Photon-Ledger: ${ledger}`);
    }
    expect(ran.summary).toContain('## Photon: workflow');
    expect(ran.log).toContain('#1 waits for a person with write access to merge it.');

    const asked = model.requests.length;
    const idle = await job();
    expect(idle.outputs).toMatchObject({ status: 'no_change', code: 'WORKFLOW_DONE' });
    expect(model.requests).toHaveLength(asked);
    expect(subjects()).toHaveLength(2);

    git('update-ref', 'refs/heads/main', branch);
    git('update-ref', '-d', `refs/heads/${branch}`);
    Object.assign(pull(), {
      state: 'closed',
      mergedAt: '2026-11-21T00:00:00Z',
      headSha: git('rev-parse', 'main'),
    });
    const anew = await job({ inputs: { workflow: 'docs' } });
    expect(anew.log).toContain('#1 is merged; it starts again');
    expect(model.requests.length).toBeGreaterThan(asked);
  });

  it('keeps what was done before a failure, in a draft, and the next job goes on from it', async () => {
    let broken = true;
    await open(
      `tasks:\n${chain}`,
      () => {},
      path => writingTurns(broken && path === 'docs/two.md' ? 'docs/other.md' : path),
    );
    const failed = await job();
    expect(failed.exitCode).toBe(1);
    expect(failed.outputs).toMatchObject({ status: 'failed', code: 'WORKFLOW_OUTPUT_MISSING' });
    expect(tasksOf(failed)).toEqual(['one COMPLETED', 'two FAILED']);
    expect(manifest()).toEqual(tasksOf(failed));
    expect(pull()).toMatchObject({ draft: true });
    expect(pull().body).toContain('`two` failed');
    expect(git('ls-tree', '-r', '--name-only', branch)).not.toContain('docs/other.md');
    broken = false;
    const next = await job();
    expect(next.exitCode, next.log).toBe(0);
    expect(state().tasks.map(t => t.attempts)).toEqual([1, 2]);
    expect(git('show', `${branch}:secret/rates.txt`)).toBe(withheld);
    expect(manifest()).toEqual(done);
    expect(pull()).toMatchObject({ draft: false });
    expect(github.state.pulls.size).toBe(1);
  });

  it('waits for the review of somebody with write access', async () => {
    await open(`tasks:\n${taskText('one', '', ['review: required'])}${taskText('two', 'one')}`);
    const first = await job();
    expect(first.exitCode, first.log).toBe(0);
    expect(first.outputs.code).toBe('WORKFLOW_WAITS');
    const because =
      'waits for a review, because the workflow requires one: a person with write access';
    expect(first.log).toContain(`${because} must approve or merge #1`);
    expect(pull().body).toContain(`${because} must approve or merge this pull request`);
    expect(first.summary).toContain('waits for `one` (NEEDS_REVIEW)');
    expect(tasksOf(first)).toEqual(['one NEEDS_REVIEW', 'two PENDING']);
    expect(pull()).toMatchObject({ draft: true });
    const commit = git('rev-parse', branch);
    const review = (login: string, more: object) =>
      github.state.surface.reviews.push({
        id: github.state.nextId++,
        pull: 1,
        body: '',
        submittedAt: '2026-11-21T00:00:00Z',
        user: { login, id: 5, type: 'User' },
        commit,
        verdict: 'APPROVED' as const,
        ...more,
      });
    github.state.permissions.set('lena', 'write');
    github.state.permissions.set('rita', 'read');
    review('rita', {});
    review('lena', { commit: github.first });
    expect(tasksOf(await job())).toEqual(['one NEEDS_REVIEW', 'two PENDING']);
    if (playsVariants) {
      review('lena', { verdict: 'CHANGES_REQUESTED' });
      expect(tasksOf(await job())).toEqual(['one NEEDS_REVIEW', 'two PENDING']);
    }
    review('lena', {});
    const next = await job();
    expect(tasksOf(next), next.log).toEqual(done);
    expect(manifest()).toEqual(done);
  });

  it('becomes one pull request per task, each on the one before', async () => {
    const proved = taskText('two', 'one').replace(
      'verify: none',
      'verify: node --test test/ship.test.js',
    );
    await open(
      `pull_request: per-task\ntasks:\n${taskText('one', '')}${proved}`,
      undefined,
      path => {
        const turns = writingTurns(path);
        return path === 'docs/one.md' ? turns : [...turns.slice(0, -1), prove, ...turns.slice(-1)];
      },
    );
    const ran = await job();
    expect(ran.exitCode, ran.log).toBe(0);
    expect(state().tasks.map(t => t.proof)).toEqual(['nothing', 'tests pass']);
    expect(pull(1).body).toContain('**Nothing was verified**');
    expect(pull(2).body).not.toContain('**Nothing was verified**');
    expect(pull(2).body).toContain('Command: `node --test test/ship.test.js`');
    expect(pull(1)).toMatchObject({ head: `${branch}.one`, base: 'main', draft: false });
    expect(pull(2)).toMatchObject({ head: `${branch}.two`, base: `${branch}.one` });
    expect(pull(2).body).toContain('one task of the workflow');
    expect(github.state.pulls.size).toBe(2);
    expect(subjects(`${branch}.one`)).toEqual(['Workflow docs: one done']);
    expect(git('rev-parse', `${branch}.two`)).toBe(git('rev-parse', branch));
    await job();
    expect(github.state.pulls.size).toBe(2);
  });

  it('is never worked on by two jobs: the earlier one is told, and its commit does not land', async () => {
    let second: Promise<ActionRun> | undefined;
    await open(`tasks:\n${taskText('one', '')}`, async (body: Body) => {
      if (second !== undefined || roundOf(body) !== 2) return;
      second = job();
      await second;
    });
    const first = await job();
    const other = await (second as unknown as Promise<ActionRun>);
    expect(tasksOf(other), other.log).toEqual(['one COMPLETED']);
    expect(first.outputs, first.log).toMatchObject({ status: 'failed', code: 'WORKFLOW_BUSY' });
    expect(first.log).toContain('concurrency group');
    expect(subjects()).toEqual(['Workflow docs: one done']);
    expect(state().tasks[0]).toMatchObject({ status: 'COMPLETED', attempts: 2 });
  });

  it('names what there is when there is no workflow of that name', async () => {
    await open(`tasks:\n${chain}`);
    const ran = await job({ inputs: { workflow: '../docs' } });
    expect(ran.outputs).toMatchObject({ status: 'failed', code: 'WORKFLOW_MISSING' });
    expect(ran.log).toContain('.photon/workflows/docs.yml');
    const both = await job({ inputs: { task: 'Repair it.' } });
    expect(both.outputs).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
    expect(model.requests).toHaveLength(0);
  });
});

describe.runIf(playsVariants)('a job that is killed at a request which changes something', () => {
  it('leaves what the next job brings to the same end', async () => {
    await open(`tasks:\n${chain}`);
    await job();
    const whole = { files: git('ls-tree', '-r', branch, 'docs'), subjects: subjects() };

    const all = github
      .writes()
      .flatMap((_, nth) => (['before', 'after'] as const).map(stage => ({ nth, stage })));
    expect(all.length).toBeGreaterThanOrEqual(30);
    for (const { nth, stage } of sample('kills at requests', all, 1)) {
      expect(github.violations).toEqual([]);
      await github.close();
      await model.close();
      await open(`tasks:\n${chain}`);
      let child: ChildProcess | undefined;
      let writes = 0;
      github.watch(request => {
        if (request.method === 'GET') return undefined;
        if (request.stage === 'before') writes += 1;
        if (writes !== nth + 1 || request.stage !== stage) return undefined;
        child?.kill('SIGKILL');
        return 'drop';
      });
      const cut = job({
        started: c => {
          child = c;
        },
      }).then(
        () => 'ended',
        () => 'killed',
      );
      const at = `${stage} write ${nth}`;
      expect(await cut, at).toBe('killed');
      github.watch(() => undefined);
      const next = await job();
      expect(next.exitCode, `${at}\n${next.log}`).toBe(0);
      expect(git('ls-tree', '-r', branch, 'docs'), at).toBe(whole.files);
      expect(subjects(), at).toEqual(whole.subjects);
      expect(manifest(), at).toEqual(done);
      expect(state().tasks.map(t => `${t.id} ${t.status}`)).toEqual(done);
      expect(
        [...github.state.pulls.values()].map(p => p.state),
        at,
      ).toEqual(['open']);
      expect(pull(), at).toMatchObject({ draft: false });
    }
  }, 600_000);
});

describe.runIf(playsVariants)('a job whose replies break', () => {
  it('comes to the same end when one does, and fails with a code when all of a kind do, for the next to go on', async () => {
    await open(`tasks:\n${taskText('one', '')}`);
    await job();
    const whole = { files: git('ls-tree', '-r', branch, 'docs'), subjects: subjects() };
    const cases = github.seen.flatMap(({ method, path }, moment) =>
      wayNames.flatMap(way =>
        (['once', 'always'] as const).map(times => ({ moment, method, path, way, times })),
      ),
    );
    for (const { moment, method, path, way, times } of sample('workflow replies', cases, 1, 60)) {
      expect(github.violations).toEqual([]);
      await github.close();
      await model.close();
      await open(`tasks:\n${taskText('one', '')}`);
      let broken = true;
      github.fail(
        (m, p, index) =>
          broken && (times === 'once' ? index === moment : m === method && p === path),
        { broken: ways[way], times: 1000 },
      );
      const ran = await job();
      const at = `request ${moment} (${method} ${path}): ${way}, ${times}\n${ran.log}`;
      if (times === 'once') expect(ran.exitCode, at).toBe(0);
      else if (ran.exitCode === 1) expect(ran.outputs.code, at).toMatch(/^GITHUB_/);
      broken = false;
      if (ran.exitCode === 1) expect((await job()).exitCode, at).toBe(0);
      expect(git('ls-tree', '-r', branch, 'docs'), at).toBe(whole.files);
      // a task that failed by it is recorded as such, before the next job runs it again
      const made = subjects().filter(s => ran.exitCode === 0 || !s.includes(' failed; '));
      expect(made, at).toEqual(whole.subjects);
      expect(pull(), at).toMatchObject({ state: 'open', draft: false });
    }
  });
});
