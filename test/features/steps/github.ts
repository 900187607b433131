/** Steps on GitHub: the built Action as a process, against the double over a real bare repository. */
import { expect } from 'vitest';
import { addPull, comment, permit, pushHead, stranger } from '../../doubles/events.ts';
import type { GitHubDouble } from '../../doubles/github.ts';
import { asking, begin, look, repair, repairScript, sampleTask } from '../../doubles/sample.ts';
import { turn } from '../../doubles/steps.ts';
import type { ActionRun } from '../../harness.ts';
import { play, type Scenario } from '../../run/scenario.ts';
import type { World } from '../world.ts';
import { step } from './step.ts';

interface OnGitHub {
  readonly scenario: Scenario;
  readonly run?: ActionRun;
  readonly comments: readonly string[];
  readonly writes: readonly string[];
  readonly pulls: readonly { readonly body: string }[];
  readonly asked: string;
}

const worlds = new WeakMap<World, OnGitHub>();

const empty = { comments: [], writes: [], pulls: [], asked: '' };

const scene = (world: World): OnGitHub =>
  worlds.get(world) ?? { ...empty, scenario: { script: repairScript, arrange: permit } };

function change(world: World, more: Partial<Scenario>): void {
  const now = scene(world);
  worlds.set(world, { ...now, scenario: { ...now.scenario, ...more } });
}

async function act(world: World, more: Partial<Scenario>): Promise<void> {
  const scenario = { ...scene(world).scenario, ...more };
  await play(scenario, ({ github, model, ...run }) => {
    worlds.set(world, {
      scenario,
      run,
      comments: [...github.state.comments.values()].map(c => c.body),
      writes: github.writes().map(w => `${w.method} ${w.path}`),
      pulls: [...github.state.pulls.values()],
      asked: JSON.stringify(model.requests.map(r => r.body.messages)),
    });
  });
}

const runOf = (world: World) => scene(world).run ?? expect.fail('the Action did not run');

/** A pull request whose head branch brings files of its own. */
function withPullRequest(files: Readonly<Record<string, string>>) {
  return (github: GitHubDouble) => {
    permit(github);
    pushHead(github, files);
    addPull(github.state);
  };
}

export const githubSteps = [
  step('on GitHub, the default branch has {string} with:', (world, path: string, text: string) => {
    const { files } = scene(world).scenario;
    change(world, { files: { ...files, [path]: `${text}\n` } });
  }),
  step(
    'on GitHub, a pull request whose head brings {string} with:',
    (world, path: string, text: string) => {
      change(world, { arrange: withPullRequest({ [path]: `${text}\n` }), checkout: 'feature' });
    },
  ),
  step(
    'on GitHub, a model that reads {int} lines of {string}',
    (world, lines: number, path: string) => {
      const requests = [{ file_path: path, start_line: 1, end_line: lines }];
      const list = turn('list_project_files', {});
      change(world, { script: [begin, list, turn('read_code_block', { requests })] });
    },
  ),
  step('on GitHub, a model that patches {string}', (world, path: string) => {
    const plan = { entry_symbols: ['x'], affected_files: [path], scope: 'as the text demands' };
    const patch = turn('apply_patch', { files: [{ path, content: 'x\n' }] });
    const first = turn('skill_activate', { skill_name: 'code-modify' });
    change(world, { script: [first, turn('plan', plan), turn('list_project_files', {}), patch] });
  }),
  step('on GitHub, a model that repairs wrongly and does not verify', world => {
    const wrong = JSON.parse(JSON.stringify(repair).replace('/ 100', '/ 20'));
    const finish = turn('finish', { reason: 'it is surely right by now' });
    const stop = turn('abstain', { reason: 'It cannot be proven.' });
    change(world, { script: [begin, look, wrong, finish, stop] });
  }),
  step(
    'on GitHub, a model that asks {string} with the choices {string} and {string}',
    (world, question: string, a: string, b: string) => {
      change(world, { script: asking(question, [a, b]) });
    },
  ),
  step('wendy, who may write, comments {string}', (world, body: string) =>
    act(world, { task: '', event: comment({ body }) }),
  ),
  step('wendy, who may write, comments {string} on the pull request', (world, body: string) =>
    act(world, { task: '', event: comment({ body, pull: true, number: 3 }) }),
  ),
  step('wendy asks for the repair', world =>
    act(world, { task: '', event: comment({ body: `/photon fix ${sampleTask}` }) }),
  ),
  step('sid, who may not, comments {string}', (world, body: string) =>
    act(world, { task: '', event: comment({ body, by: stranger }) }),
  ),
  step(
    'on GitHub, the outcome should be {string} with code {string}',
    (world, status: string, code: string) => {
      const { outcome } = runOf(world);
      expect(outcome, outcome.message).toMatchObject({ status, code });
    },
  ),
  step('on GitHub, the explanation should mention {string}', (world, text: string) => {
    const { outcome } = runOf(world);
    expect([outcome.message, outcome.hint].join('\n')).toContain(text);
  }),
  step('on GitHub, nothing should be written but the reaction and one comment', world => {
    const { writes } = scene(world);
    // the comment is made once, and tells of the phases in place
    const [reaction, made, ...updates] = writes;
    expect(reaction).toMatch(/^POST .*\/reactions$/);
    expect(made).toMatch(/^POST .*\/comments$/);
    expect(updates.filter(w => !/^PATCH .*\/issues\/comments\/\d+$/.test(w))).toEqual([]);
  }),
  step('on GitHub, the model should not have been asked', world => {
    expect(scene(world).asked).toBe('[]');
  }),
  step('on GitHub, nothing at all should be written', world => {
    expect(scene(world).writes).toEqual([]);
  }),
  step('on GitHub, the comment should mention {string}', (world, text: string) => {
    const { comments } = scene(world);
    expect(comments).toHaveLength(1);
    expect(comments[0]).toContain(text);
  }),
  step('on GitHub, the pull request should name the constitution and the ledger', world => {
    const [pull] = scene(world).pulls;
    const { outcome, ledger } = runOf(world);
    expect(pull?.body).toContain(`Constitution 2.0, sha256 ${outcome.constitution.sha256}`);
    expect(pull?.body).toContain(`head ${ledger.find(e => e.tool === 'deliver')?.hash}`);
  }),
  step('on GitHub, the outcome as JSON should be in the comment', world => {
    const [body = ''] = scene(world).comments;
    const json = /```json\n([\s\S]*?)\n```/.exec(body)?.[1] ?? '{}';
    const told = JSON.parse(json) as Record<string, unknown>;
    const { outcome } = runOf(world);
    expect(told).toMatchObject({
      status: outcome.status,
      code: outcome.code,
      phase: outcome.phase,
    });
  }),
];
