import { describe, expect, it } from 'vitest';
import type { Ending } from '../../../src/base/outcome.ts';
import type { Task } from '../../../src/base/task.ts';
import { pickKind } from '../../../src/run/kinds/index.ts';
import { boundsOfTask } from '../../../src/run/prepare-run.ts';
import type { Run } from '../../../src/run/stages.ts';
import { tools as allTools } from '../../../src/tools/index.ts';

const task = (more: { [K in keyof Task]?: Task[K] | undefined }) => more as Task;
const kindOf = (until: Task['until']) => pickKind(task({ until }), {});
const names = (until: Task['until']) =>
  kindOf(until)
    .tools(allTools)
    .map(t => t.name);

const changing = ['apply_patch', 'patch', 'run_command', 'syntax_check', 'undo', 'verify'];
const recording = ['record_add', 'record_update', 'record_issue'];

describe('the tools', () => {
  it('of a run to its end are all', () => {
    expect(names(undefined)).toEqual(allTools.map(t => t.name));
  });

  it.each(['plan', 'approval', 'answer', 'review'] as const)(
    'of a run until its %s change nothing',
    until => {
      const left = names(until);
      const plans = until === 'plan' || until === 'approval';
      // a question may try something out
      const kept = [...(until === 'answer' ? ['run_command'] : []), ...(plans ? recording : [])];
      expect(left.filter(name => [...changing, ...recording].includes(name))).toEqual(kept);
      expect(left).toEqual(expect.arrayContaining(['grep', 'finish', 'record_search']));
    },
  );
});

describe('the bounds', () => {
  it('are those of the task and of its approved plan', () => {
    const plan = { affectedFiles: ['a.js'], maxChangedLines: 5 };
    expect(boundsOfTask(task({}))).toEqual({});
    expect(boundsOfTask(task({ paths: ['src/**'] }))).toEqual({ within: ['src/**'] });
    const approved = { plan } as unknown as NonNullable<Task['approved']>;
    expect(boundsOfTask(task({ approved }))).toEqual({ approved: plan });
  });
});

/** A run that tried no patch, where nothing is verified. */
const nothingDone: unknown = {
  request: { task: {}, ledger: { entries: () => [] } },
  loop: { reviewCollector: undefined, report: undefined },
  services: { verifier: undefined },
  state: { evidence: { patchDigest: '' }, failedVerifications: 0 },
};

describe('the ending', () => {
  const ending = (status: Ending['status']) => ({ status, code: 'NO_CHANGE' }) as unknown as Ending;
  const ended = (until: Task['until'], status: Ending['status']) =>
    kindOf(until).settle(nothingDone as Run, ending(status));

  it('of a run that has its plan is the plan', async () => {
    expect(await ended('plan', 'no_change')).toMatchObject({
      status: 'no_change',
      code: 'PLAN_POSTED',
    });
    expect(await ended('approval', 'no_change')).toMatchObject({
      status: 'needs_clarification',
      code: 'APPROVAL_NEEDED',
    });
  });

  it.each([
    [undefined, 'no_change'],
    ['review', 'no_change'],
    ['answer', 'answered'],
    ['plan', 'failed'],
  ] as const)('of a run until %s that ended with %s stays', async (until, status) => {
    expect(await ended(until, status)).toEqual(ending(status));
  });
});

describe('the kind', () => {
  it.each([
    ['change', {}],
    ['alert', { alert: {} as NonNullable<Task['alert']> }],
    ['plan', { until: 'plan' }],
    ['approval', { until: 'approval' }],
    ['answer', { until: 'answer' }],
    ['review', { until: 'review' }],
  ] as const)('of a task is %s', (name, more) => {
    expect(pickKind(task(more), {}).name).toBe(name);
  });

  it('of a recorded run is a replay, which keeps nothing', () => {
    const record = { task: task({}), model: { name: 'a', complete: () => Promise.reject() } };
    expect(pickKind(task({}), { replay: record })).toMatchObject({ name: 'replay', keeps: false });
  });
});
