import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderWait, type Wait } from '../../src/report/terminal/workflow-text.ts';
import { taskStatuses } from '../../src/workflows/manifest.ts';
import {
  approveTask,
  beginTask,
  buildManifest,
  endTask,
  findWaits,
  parseState,
  readyTasks,
  reconcile,
  renderState,
  resume,
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

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
    .map(units => String.fromCharCode(...units)),
  fc.constantFrom(
    '"',
    '\\',
    '\u2028',
    '\ud800',
    '\n',
    '\r\n',
    '\u0000',
    '__proto__',
    'constructor',
  ),
);
const anyTask = fc.record(
  {
    id: anyText,
    status: fc.constantFrom(...taskStatuses),
    digest: anyText,
    attempts: fc.nat(),
    startedFrom: anyText,
    commit: anyText,
    run: anyText,
    code: anyText,
  },
  { requiredKeys: ['id', 'status', 'digest', 'attempts'], noNullPrototype: true },
);

describe('the state of a workflow', () => {
  it('goes through the tasks in order, to its end', () => {
    let state = startState(workflow);
    const order: string[] = [];
    for (let id = next(state); id !== undefined; id = next(state)) {
      order.push(id);
      state = ran(state, id);
    }
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('leaves later tasks pending behind a failure, and tries it again', () => {
    const failed = ran(ran(startState(workflow), 'a'), 'b', 'FAILED');
    expect(statuses(failed)).toBe('a COMPLETED, b FAILED, c PENDING, d PENDING');
    expect(next(failed)).toBe(undefined);
    const again = resume(failed);
    expect(next(again)).toBe('b');
    expect(again.tasks[1]?.attempts).toBe(1);
  });

  it('starts a task again that was cut off', () => {
    const cut = beginTask(ran(startState(workflow), 'a'), 'b', '1'.repeat(40));
    expect(next(resume(parseState(renderState(cut), 'x')))).toBe('b');
  });

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

  it('refuses a move that cannot be, and a file of another kind', () => {
    expect(() => endTask(startState(workflow), 'a', end('COMPLETED'))).toThrow('PENDING ► COMP');
    for (const text of [
      '',
      '{}',
      renderState(startState(workflow)).replace('"schema": 1', '"schema": 2'),
    ])
      expect(() => parseState(text, 'x.json')).toThrow(/^x\.json: /);
  });

  it('says the same as the manifest, whatever happened', () => {
    const step = fc.constantFrom('COMPLETED', 'FAILED', 'NEEDS_REVIEW', 'cut', 'resume', 'from');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        let state = startState(workflow);
        for (const what of steps) {
          const id = next(state);
          if (what === 'resume') state = resume(state);
          else if (what === 'from') state = startFrom(resume(state), workflow, 'b');
          else if (id !== undefined && what === 'cut') state = beginTask(state, id, 'f');
          else if (id !== undefined) state = ran(state, id, what as TaskEnd['status']);
          expect(parseState(renderState(state), 'x')).toEqual(state);
          const rows = buildManifest(state, workflow).map(t => `${t.id} ${t.status}`);
          expect(rows.join(', ')).toBe(statuses(state));
        }
      }),
    );
  });
});

describe('the state file', () => {
  it('reads back as it was written, whatever stands in it, and through its bytes', () => {
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.array(anyTask, { maxLength: 5 }),
        (workflow, branch, tasks) => {
          const state: WorkflowState = { schema: 1, workflow, branch, tasks };
          const bytes = Buffer.from(renderState(state), 'utf8');
          expect(parseState(bytes.toString('utf8'), 'x')).toEqual(state);
          expect(renderState(parseState(bytes.toString('utf8'), 'x'))).toBe(renderState(state));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is refused when it was cut off anywhere, or something was added', () => {
    const text = renderState(ran(startState(workflow), 'a'));
    for (let end = 0; end < text.trimEnd().length; end++)
      expect(() => parseState(text.slice(0, end), 'x.json')).toThrow(/^x\.json: /);
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

    it('names at most five flagged files, each quoted', () => {
      const paths = ['1', '2', '3', '4', '5', '6'];
      const { a } = waitsWith({ status: 'NEEDS_REVIEW', flagged: paths });
      expect(renderWait(a as Wait, { quote: t => `<${t}>`, review: 'ask lena' })).toBe(
        'waits for a review, because it changes <1>, <2>, <3>, <4>, <5> and more: ask lena',
      );
    });
  });
});
