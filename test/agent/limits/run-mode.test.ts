import { describe, expect, it } from 'vitest';
import { boundsOfTask, endingOfMode, toolsOfMode } from '../../../src/agent/limits/run-mode.ts';
import type { Ending } from '../../../src/base/outcome.ts';
import type { Task } from '../../../src/base/task.ts';
import { tools as allTools } from '../../../src/tools/index.ts';

const task = (more: { [K in keyof Task]?: Task[K] | undefined }) => more as Task;
const names = (until: Task['until']) => toolsOfMode(task({ until }), allTools).map(t => t.name);

describe('the tools', () => {
  it('of a run to its end are all', () => {
    expect(names(undefined)).toEqual(allTools.map(t => t.name));
  });

  it.each(['plan', 'approval', 'answer', 'review'] as const)(
    'of a run until its %s change nothing',
    until => {
      const left = names(until);
      for (const name of ['run_command', 'syntax_check', 'patch', 'undo'])
        expect(left).not.toContain(name);
      expect(left).toContain('grep');
      expect(left.includes('record_add')).toBe(until === 'plan' || until === 'approval');
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

describe('the ending', () => {
  const ending = (status: Ending['status']) => ({ status, code: 'NO_CHANGE' }) as unknown as Ending;
  const ended = (until: Task['until'], status: Ending['status']) =>
    endingOfMode(task({ until }), ending(status));

  it('of a run that has its plan is the plan', () => {
    expect(ended('plan', 'no_change')).toMatchObject({ status: 'no_change', code: 'PLAN_POSTED' });
    expect(ended('approval', 'no_change')).toMatchObject({
      status: 'needs_clarification',
      code: 'APPROVAL_NEEDED',
    });
  });

  it('of a question without an answer is ANSWER_MISSING', () => {
    expect(ended('answer', 'no_change')).toMatchObject({
      status: 'abstained',
      code: 'ANSWER_MISSING',
    });
    expect(ended('answer', 'answered')).toEqual(ending('answered'));
  });

  it.each([
    [undefined, 'no_change'],
    ['review', 'no_change'],
    ['plan', 'failed'],
  ] as const)('of a run until %s that ended with %s stays', (until, status) => {
    expect(ended(until, status)).toEqual(ending(status));
  });
});
