import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseCommit } from '../../src/workflows/commit-text.ts';
import { type KillPoint, killVariable } from '../doubles/kill-point.ts';
import { type StageEnd, WorkflowStage } from '../doubles/workflow-stage.ts';
import { fingerprint, root } from '../harness.ts';
import { isAll, playsVariants, sample } from '../seed.ts';

let stages: WorkflowStage[] = [];
afterEach(() => {
  const problems = stages.flatMap(g => g.close());
  stages = [];
  expect(problems).toEqual([]);
});

/** A chain, so that there is one order in which they can be run. */
const ids = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].slice(
  0,
  isAll ? 8 : 4,
);
const policy =
  '---\nversion: "2"\n---\n# Law\r\n\r\nBe kind.\r\n\r\n## Reading Convention\r\nLittle.\r\n';

/** A chain of tasks; with `beside` the last one waits for all others, which wait for none. */
function prepare(names: readonly string[], beside = false): WorkflowStage {
  const stage = new WorkflowStage();
  stages.push(stage);
  stage.files['constitution.md'] = policy;
  stage.tasks = names.map((id, i) => ({
    id,
    needs: beside
      ? names.slice(0, i === names.length - 1 ? i : 0)
      : names.slice(Math.max(0, i - 1), i),
    path: `docs/${id}.md`,
    description: `Text | of \\ ${id}`,
  }));
  if (beside) stage.parallel = 2;
  stage.prepare();
  return stage;
}

/** What a workflow came to, without what no two runs share: ids, times, numbers of runs. */
function resultOf(stage: WorkflowStage) {
  const stamp = /(Last updated: )\S+/;
  const tree = stage.git('ls-tree', '-r', stage.branch).split('\n');
  const log = stage.git('log', '--reverse', '--format=%B%x00', `main..${stage.branch}`);
  const commits = stage.git('rev-list', '--reverse', `main..${stage.branch}`).split('\n');
  return {
    files: tree.filter(l => !l.endsWith('\tconstitution.md')),
    constitution: stage.show('constitution.md').replace(stamp, '$1'),
    subjects: stage.subjects(),
    ends: log.split('\0').map(m => m.replace(/^Photon-(?:Run|Ledger): .*$/gm, '').trim()),
    statuses: stage.state().tasks.map(t => [t.id, t.status, t.code]),
    commitsOfState: stage.state().tasks.map(t => commits.indexOf(t.commit ?? '')),
  };
}

/** Where a task is killed, in the order in which the points come up. */
function pointsOf(task: string, i: number): readonly (KillPoint | { readonly round: number })[] {
  const begin = { what: 'save', task, status: 'RUNNING' } as const;
  const end = { what: 'save', task, status: 'COMPLETED' } as const;
  const points = [
    { side: 'before', ...begin } as const,
    { side: 'after', ...begin } as const,
    { round: i % 4 },
    { side: 'before', what: 'commit', task } as const,
    // behind the commit the next start takes it over: half of the tasks come to their last save without
    ...(i % 2 === 0 ? [{ side: 'after', what: 'commit', task } as const] : []),
    { side: 'before', ...end } as const,
    { side: 'after', ...end } as const,
  ];
  return sample(`kills of ${task}`, points, 1);
}

const atStart: readonly KillPoint[] = [
  { side: 'before', what: 'save', task: 'one', status: 'PENDING' },
  { side: 'after', what: 'save', task: 'one', status: 'PENDING' },
  { side: 'after', what: 'branch' },
  { side: 'before', what: 'tree' },
  { side: 'after', what: 'tree' },
];

/** A start that is killed at a point. */
async function killedAt(
  stage: WorkflowStage,
  task: string,
  point: KillPoint | { readonly round: number },
): Promise<StageEnd> {
  const inRound = 'round' in point;
  const needed = stage.tasks.find(t => t.id === task)?.needs ?? [];
  stage.onRequest = asked => {
    // the one beside it waits, so that the point is this task's
    if (stage.parallel > 1 && asked.task !== task && !needed.includes(asked.task))
      return { stall: true };
    if (!inRound || asked.task !== task || asked.round !== point.round) return undefined;
    asked.child?.kill('SIGKILL');
    return { stall: true };
  };
  const hook = join(root, 'test', 'doubles', 'kill-point.ts');
  const armed = { nodeArgs: ['--import', hook], env: { [killVariable]: JSON.stringify(point) } };
  return stage.run([], inRound ? { own: true } : armed);
}

/** State and manifest say the same, but for the task that was cut off: the manifest is behind it, or its commit was made. */
function expectAgreement(stage: WorkflowStage): void {
  if (!existsSync(stage.statePath)) return;
  const { tasks } = stage.state();
  const branched = stage.git('branch', '--list', stage.branch) !== '';
  const manifest = branched ? stage.manifest() : undefined;
  const shown = manifest?.map(t => t.status) ?? tasks.map(() => 'PENDING');
  if (manifest !== undefined)
    expect(manifest.map(({ id, outputs }) => ({ id, outputs }))).toEqual(
      stage.tasks.map(({ id, description, path }) => ({ id, outputs: [{ description, path }] })),
    );
  const message = branched ? stage.git('log', '-1', '--format=%B', stage.branch) : '';
  for (const [i, { id, status }] of tasks.entries()) {
    const end = parseCommit(message, { workflow: 'flow', task: id });
    const wanted = status === 'RUNNING' ? (end?.status ?? 'PENDING') : status;
    expect(`${id} ${shown[i]}`).toBe(`${id} ${wanted}`);
  }
  expect(tasks.filter(t => t.status === 'RUNNING').length).toBeLessThan(2);
}

describe(`a workflow of ${ids.length} tasks`, () => {
  it(`comes to the same result when it is killed ${isAll ? 'at every step' : 'at some of its steps'}`, async () => {
    const whole = prepare(ids);
    // a task that begins finds state and manifest agreed on all that came before it
    whole.onRequest = asked => {
      if (asked.round === 0) expectAgreement(whole);
      return undefined;
    };
    const ran = await whole.run();
    expect(ran.code, ran.err).toBe(0);
    expectAgreement(whole);
    const wanted = resultOf(whole);
    expect(wanted.subjects).toHaveLength(ids.length);
    expect(wanted.commitsOfState).toEqual(ids.map((_, i) => i));
    expect(whole.opened().map(o => o.task)).toEqual(ids);

    const stage = prepare(ids);
    const before = fingerprint(join(stage.repo, 'src'));
    let kills = 0;
    const kill = async (task: string, point: KillPoint | { readonly round: number }) => {
      const what = `${task} ${JSON.stringify(point)}`;
      const said = await killedAt(stage, task, point);
      expect(said.code, `${what}: it was not killed\n${said.err}`).toBe(undefined);
      kills += 1;
      try {
        expectAgreement(stage);
      } catch (error) {
        throw new Error(`killed at ${what}: ${error}`, { cause: error });
      }
    };
    for (const point of sample('kills at the start', atStart, 1)) await kill('', point);
    for (const [i, id] of sample('tasks', [...ids.entries()], 1))
      for (const point of pointsOf(id, i)) await kill(id, point);
    stage.onRequest = () => undefined;
    const last = await stage.run();
    expect(last.code, last.err).toBe(0);
    expect(kills).toBeGreaterThanOrEqual(isAll ? 56 : 2);
    expect(resultOf(stage)).toEqual(wanted);
    expectAgreement(stage);
    expect(stage.leftovers()).toEqual([]);
    expect(stage.git('status', '--porcelain')).toBe('');
    expect(fingerprint(join(stage.repo, 'src'))).toBe(before);
    execFileSync('git', ['fsck', '--strict'], { cwd: stage.repo, stdio: 'pipe' });
  });
});

describe('tasks side by side', () => {
  it.runIf(playsVariants)(
    'come to the same files and table when they are killed at their commits',
    async () => {
      const names = ['left', 'right', 'both'];
      const whole = prepare(names, true);
      const ran = await whole.run();
      expect(ran.code, ran.err).toBe(0);
      const stage = prepare(names, true);
      const done = (of: readonly { readonly id: string; readonly status: string }[] | undefined) =>
        of?.flatMap(t => (t.status === 'COMPLETED' ? [t.id] : [])) ?? [];
      const points = names.flatMap(task =>
        (
          [
            { side: 'after', what: 'save', task, status: 'RUNNING' },
            { side: 'before', what: 'commit', task },
            { side: 'after', what: 'commit', task },
          ] as const
        ).map(point => ({ task, point })),
      );
      for (const { task, point } of sample('kills side by side', points, 1)) {
        const said = await killedAt(stage, task, point);
        expect(said.code, `${JSON.stringify(point)}: it was not killed\n${said.err}`).toBe(
          undefined,
        );
        const shown = done(stage.manifest());
        for (const id of done(stage.state().tasks)) expect(shown).toContain(id);
      }
      stage.onRequest = () => undefined;
      const last = await stage.run();
      expect(last.code, last.err).toBe(0);
      const [made, wanted] = [resultOf(stage), resultOf(whole)];
      expect(made.files).toEqual(wanted.files);
      expect(made.statuses).toEqual(wanted.statuses);
      expect(stage.manifest()).toEqual(whole.manifest());
      expect([...made.subjects].sort()).toEqual([...wanted.subjects].sort());
      expect([...made.commitsOfState].sort()).toEqual([0, 1, 2]);
      expectAgreement(stage);
      expect(stage.leftovers()).toEqual([]);
    },
  );
});

describe.runIf(playsVariants)('a workflow that is stopped by a signal', () => {
  it.each(sample('signals of a workflow', ['SIGTERM', 'SIGINT'], 1))(
    '%s in a task: it is pending, and the next start runs it',
    async signal => {
      const stage = prepare(ids.slice(0, 3));
      stage.onRequest = ({ task, round, child }) => {
        if (task !== 'two' || round !== 2) return undefined;
        child?.kill(signal);
        return { stall: true };
      };
      const stopped = await stage.run([], { own: true });
      expect(stopped.code, stopped.err).toBe(1);
      expect(stage.subjects()).toEqual(['Workflow flow: one done']);
      const statuses = () => stage.state().tasks.map(t => `${t.status} ${t.code ?? ''}`.trim());
      expect(statuses().slice(0, 3)).toEqual([
        'COMPLETED PATCH_WRITTEN',
        'PENDING CANCELLED',
        'PENDING',
      ]);
      expect(stopped.out).toMatch(/two +PENDING +1 run +CANCELLED/);
      expectAgreement(stage);
      expect(stage.leftovers()).toEqual([]);
      stage.onRequest = () => undefined;
      const again = await stage.run();
      expect(again.code, again.err).toBe(0);
      expect(stage.subjects()).toHaveLength(3);
      expect(stage.state().tasks.map(t => t.attempts)).toEqual([1, 2, 1]);
      expectAgreement(stage);
    },
    600_000,
  );
});
