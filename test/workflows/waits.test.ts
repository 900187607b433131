import { describe, expect, it } from 'vitest';
import { renderWait, type Wait } from '../../src/report/terminal/workflow-text.ts';
import { startState, type TaskState } from '../../src/workflows/state.ts';
import { findWaits } from '../../src/workflows/waits.ts';
import { parseWorkflow } from '../../src/workflows/workflow-file.ts';

const text =
  'tasks:\n  - {id: a, prompt: x, review: required}\n  - {id: b, prompt: x, depends_on: [a]}\n  - {id: c, prompt: x}\n';
const workflow = parseWorkflow(text, { name: 'w', file: 'w.yml' });

function waitsWith(a: Partial<TaskState>) {
  const state = startState(workflow);
  const tasks = state.tasks.map(t => (t.id === 'a' ? { ...t, ...a } : t));
  return Object.fromEntries(findWaits({ ...state, tasks }, workflow));
}

describe('why a task waits', () => {
  const start = { for: 'start' };
  it.each<[Partial<TaskState>, object]>([
    [{}, { a: start, b: { for: 'tasks', tasks: [{ id: 'a', status: 'PENDING' }] }, c: start }],
    [
      { status: 'NEEDS_REVIEW' },
      {
        a: { for: 'review', reason: 'required' },
        b: { for: 'tasks', tasks: [{ id: 'a', status: 'NEEDS_REVIEW' }] },
        c: start,
      },
    ],
    [
      { status: 'FAILED', code: 'VERIFY_FAILED' },
      {
        b: { for: 'repair', failed: 'a', code: 'VERIFY_FAILED' },
        c: { for: 'repair', failed: 'a', code: 'VERIFY_FAILED' },
      },
    ],
    [{ status: 'COMPLETED' }, { b: start, c: start }],
  ])('%j gives %j', (a, waits) => {
    expect(waitsWith(a)).toEqual(waits);
  });

  it('names at most five flagged files, each quoted', () => {
    const paths = ['1', '2', '3', '4', '5', '6'];
    const { a } = waitsWith({ status: 'NEEDS_REVIEW', flagged: paths });
    expect(renderWait(a as Wait, { quote: t => `<${t}>`, review: 'ask lena' })).toBe(
      'waits for a review, because it changes <1>, <2>, <3>, <4>, <5> and more: ask lena',
    );
  });
});
