import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  dashboardLabel,
  parseDashboardState,
  tickedTasks,
} from '../../src/base/dashboard-state.ts';
import { withConfig } from '../doubles/config.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { giveUp } from '../doubles/steps.ts';
import { discard, makeFolder, runAction, runActionIn } from '../harness.ts';
import { playsVariants } from '../seed.ts';
import { openGitHub, play, playOn } from './scenario.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const config = (value: object) => ({ '.photon/config.json': JSON.stringify(value) });
const one = { name: 'failing-tests', prompt: sampleTask };
const schedule = { name: 'schedule', payload: {} };

const dashboard = (github: GitHubDouble) => {
  const found = [...github.state.issues].filter(([, i]) => i.labels.includes(dashboardLabel));
  expect(found).toHaveLength(1);
  const [[number, issue] = [0, { body: '' }]] = found;
  return { number, body: issue.body ?? '' };
};

/** The event of an edit that ticks the box of a task. */
function ticked(body: string, name: string, sender = { login: 'maintainer', id: 5, type: 'User' }) {
  const now = body.replace(`- [ ] <!-- photon:run=${name}`, `- [x] <!-- photon:run=${name}`);
  const issue = { number: 1, body: now, labels: [{ name: dashboardLabel }] };
  const payload = { action: 'edited', issue, changes: { body: { from: body } }, sender };
  return { name: 'issues', payload };
}

describe('the dashboard', () => {
  it('runs a task when its box is ticked by somebody who may, and by nobody else', async () => {
    const github = await openGitHub(config({ maintenance: [{ ...one, coolDownHours: 1000 }] }));
    github.state.permissions.set('maintainer', 'write');
    const run = async (event: { name: string; payload: object }) => {
      const played = await playOn(github, { event });
      return { ...played, asked: played.model.requests.length };
    };
    const first = await run(schedule);
    expect(first.outcome.status).toBe('committed');
    const { body } = dashboard(github);
    const cooling = await run(schedule);
    expect(cooling.outcome.code).toBe('COOL_DOWN');
    expect(dashboard(github).body).toBe(body);
    for (const pull of github.state.pulls.values()) pull.state = 'closed';
    const stranger = { login: 'stranger', id: 6, type: 'User' };
    const refused = await run(ticked(body, one.name, stranger));
    expect(refused).toMatchObject({ asked: 0, outcome: { code: 'NOT_AUTHORISED' } });
    const bot = { login: 'photon[bot]', id: 7, type: 'Bot' };
    expect((await run(ticked(body, one.name, bot))).outcome.code).toBe('NOT_AUTHORISED');
    const again = await run(ticked(body, one.name));
    expect(again.outcome).toMatchObject({ status: 'committed', task: { maintenance: one.name } });
    expect(tickedTasks(dashboard(github).body)).toEqual([]);
  });

  it('is not asked of where a process fails before its tasks are known: the issue of report-to is told', async () => {
    const arrange = (github: GitHubDouble) => {
      github.state.issues.set(7, { title: 'Nightly', labels: [] });
      github.fail((m, p) => m === 'GET' && p.endsWith('/issues'), {
        status: 403,
        body: { message: 'Resource not accessible by integration' },
      });
    };
    const files = config({ maintenance: [{ ...one, coolDownHours: 1 }] });
    const inputs = { 'report-to': '7' };
    await play(
      { script: [], files, event: schedule, task: '', inputs, arrange },
      ({ outcome, github }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'GITHUB_AUTH' });
        const [told, ...others] = [...github.state.comments.values()];
        expect(others).toEqual([]);
        expect(told).toMatchObject({ issue: 7 });
        expect(told?.body).toContain('**Failed: ');
        expect(told?.body).toContain('<!-- photon:failure=start -->');
      },
    );
  });

  it.runIf(playsVariants)('that cannot be written fails no run', async () => {
    await play(
      {
        script: repairScript,
        files: config({ maintenance: [one] }),
        event: schedule,
        task: '',
        arrange: github =>
          github.fail((m, p) => m === 'POST' && p.endsWith('/issues'), {
            status: 410,
            body: { message: 'Issues are disabled for this repo' },
          }),
      },
      ({ outcome, log }) => {
        expect(outcome.status).toBe('committed');
        expect(log).toContain('The dashboard could not be updated');
      },
    );
  });
});

describe('a task with several pull requests', () => {
  it('takes the next free branch until as many are open as may be, and has no dashboard by setting', async () => {
    const github = await openGitHub(
      config({ maintenance: [{ ...one, maxOpen: 2 }], dashboard: false }),
    );
    const run = async () => (await playOn(github, { event: schedule })).outcome;
    expect((await run()).delivered.branch).toBe('photon/failing-tests');
    expect((await run()).delivered.branch).toBe('photon/failing-tests-2');
    expect(await run()).toMatchObject({ status: 'no_change', code: 'PULL_REQUEST_OPEN' });
    expect([...github.state.pulls.values()].map(p => p.state)).toEqual(['open', 'open']);
    expect(github.state.issues.size).toBe(0);
  });
});

describe('the gate', () => {
  it('that PHOTON_DISABLED shuts asks neither GitHub nor the model', async () => {
    await play(
      { script: repairScript, env: { PHOTON_DISABLED: 'true' } },
      ({ outcome, github, model }) => {
        expect(outcome.code).toBe('DISABLED');
        expect([github.seen.length, model.requests.length]).toEqual([0, 0]);
      },
    );
  });
});

describe('a fleet', () => {
  it('is planned without a repository that cannot be reached, and a broken outcome fails its gathering', async () => {
    const repositories = ['octo/sample', 'octo/gone'];
    const fleet = { packages: ['src'], repositories };
    const files = { ...sampleFiles, ...config({ maintenance: [one], fleet }) };
    const github = await startGitHub({ seed: withConfig(files), others: {} });
    onTestFinished(() => github.close());
    const plan = await playOn(github, { inputs: { mode: 'plan', model: '', task: '' } });
    expect(plan.exitCode, plan.log).toBe(0);
    expect(JSON.parse(plan.outputs.matrix ?? '').include).toMatchObject([
      { repository: 'octo/sample', package: 'src' },
    ]);
    expect(plan.log).toContain('octo/gone is left out');
    const outcomes = join(folder, 'broken');
    mkdirSync(outcomes);
    writeFileSync(join(outcomes, 'outcome.json'), '{"schema":1}');
    const inputs = { mode: 'gather', outcomes, model: '', task: '' };
    expect((await playOn(github, { inputs })).exitCode).toBe(1);
  });

  it.runIf(playsVariants)('is planned, its rows run side by side, and gathered', async () => {
    const files = {
      ...sampleFiles,
      ...config({
        maintenance: [{ ...one, labels: ['tests'] }],
        fleet: { packages: ['src', 'test'] },
      }),
    };
    const github = await startGitHub({ seed: withConfig(files) });
    const workspace = join(folder, 'fleet');
    github.clone(workspace);
    const model = await startModel(body => {
      // the package that does not hold the fault refuses the plan
      if (JSON.stringify(body.messages).includes('PLAN_SCOPE')) return giveUp;
      const round = body.messages.filter(m => m.role === 'assistant').length;
      return repairScript[round] ?? { status: 500 };
    });
    const common = { github, modelUrl: model.url, workspace };
    try {
      const plan = await runAction({ ...common, inputs: { mode: 'plan', model: '' } });
      const { include: rows } = JSON.parse(plan.outputs.matrix ?? '') as {
        include: Record<string, unknown>[];
      };
      expect(rows).toMatchObject([
        { id: 'failing-tests-src', package: 'src', maintenance: 'failing-tests' },
        { id: 'failing-tests-test', package: 'test', labels: ['tests'] },
      ]);
      const artifacts = join(folder, 'artifacts');
      mkdirSync(artifacts);
      const ran = await Promise.all(
        rows.map(row => {
          const place = join(artifacts, String(row.id));
          mkdirSync(place);
          const inputs = { task: String(row.task), row: JSON.stringify(row) };
          return runActionIn(place, { ...common, inputs });
        }),
      );
      expect(ran.map(r => [r.outcome.task.id, r.outcome.delivered.branch])).toEqual([
        ['failing-tests-src', 'photon/failing-tests-src'],
        ['failing-tests-test', undefined],
      ]);
      writeFileSync(join(artifacts, 'outcome.json'), '{"schema":1}');
      const gathered = await runAction({
        ...common,
        inputs: { mode: 'gather', outcomes: artifacts, model: '' },
      });
      expect(gathered.exitCode).toBe(1);
      expect(gathered.outputs).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
      expect(gathered.summary).toContain('failing-tests-test');
      expect(gathered.summary).toContain('1 file left out');
      expect(parseDashboardState(dashboard(github).body)['failing-tests']).toMatchObject({
        status: 'abstained',
        code: 'ABSTAINED',
      });
      expect(github.violations).toEqual([]);
    } finally {
      await Promise.all([github.close(), model.close()]);
    }
  });
});
