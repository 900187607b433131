import { describe, expect, it } from 'vitest';
import {
  approveTask,
  beginTask,
  endTask,
  findWaits,
  parseState,
  readyTasks,
  reconcile,
  renderState,
  startFrom,
  startState,
  type TaskEnd,
  type TaskState,
  type WorkflowState,
} from '../../src/workflows/state.ts';
import { parseWorkflow } from '../../src/workflows/workflow-file.ts';

const read = (text: string) => parseWorkflow(text, { name: 'w', file: 'w.yml' });
const task = (id: string, needs: string, prompt = 'x') =>
  `  - { id: ${id}, prompt: ${prompt}, depends_on: [${needs}] }\n`;
const workflow = read(`tasks:\n${task('a', '')}${task('b', 'a')}${task('c', 'b')}${task('d', '')}`);

const end = (status: TaskEnd['status']): TaskEnd => ({ status, run: 'r', code: 'PATCH_WRITTEN' });
const ran = (state: WorkflowState, id: string, status: TaskEnd['status'] = 'COMPLETED') =>
  endTask(beginTask(state, id, 'f'.repeat(40)), id, end(status));
const statuses = (state: WorkflowState) => state.tasks.map(t => `${t.id} ${t.status}`).join(', ');
const next = (state: WorkflowState, of = workflow) => readyTasks(state, of)[0]?.id;

describe('the state of a workflow', () => {
  it('waits for a person where one is asked for, and goes on elsewhere', () => {
    const waits = ran(startState(workflow), 'a', 'NEEDS_REVIEW');
    expect(next(waits)).toBe('d');
    expect(next(ran(waits, 'd'))).toBe(undefined);
    expect(next(approveTask(waits, 'a'))).toBe('b');
    expect(() => approveTask(waits, 'b')).toThrow('does not wait for a review');
  });

  it('starts at a task: what depends on it runs again, what is undone before it is skipped', () => {
    const done = ran(ran(ran(startState(workflow), 'a'), 'b'), 'c');
    expect(statuses(startFrom(done, workflow, 'b'))).toBe(
      'a COMPLETED, b PENDING, c PENDING, d PENDING',
    );
    const from = startFrom(startState(workflow), workflow, 'c');
    expect(statuses(from)).toBe('a SKIPPED, b SKIPPED, c PENDING, d PENDING');
    expect(next(from)).toBe('c');
    expect(() => startFrom(done, workflow, 'z')).toThrow('no task "z"');
  });

  it('runs what was changed in the file again, with all that depends on it', () => {
    const done = ['a', 'b', 'c', 'd'].reduce((s, id) => ran(s, id), startState(workflow));
    const changed = read(
      `tasks:\n${task('a', '')}${task('b', 'a', 'other')}${task('c', 'b')}${task('e', '')}`,
    );
    expect(statuses(reconcile(done, changed))).toBe('a COMPLETED, b PENDING, c PENDING, e PENDING');
    expect(reconcile(done, workflow)).toEqual(done);
  });
});

describe('the state file', () => {
  it('is refused when it was cut off anywhere, or something was added', () => {
    const text = renderState(ran(startState(workflow), 'a'));
    for (let end = 0; end < text.trimEnd().length; end++)
      expect(() => parseState(text.slice(0, end), 'x.json')).toThrow(/^x\.json: /);
    expect(parseState(text, 'x.json')).toEqual(ran(startState(workflow), 'a'));
    expect(() => parseState(text.replace('"schema": 1', '"schema": 2'), 'x')).toThrow(/^x: /);
    expect(() => parseState(text.replace('"attempts"', '"more": 1, "attempts"'), 'x')).toThrow(
      'more',
    );
  });
});

describe('why tasks wait', () => {
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
  });
});
