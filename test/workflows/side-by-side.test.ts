import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, ScriptedTurn } from '../doubles/model.ts';
import { done, prove } from '../doubles/sample.ts';
import { call, readLines, turnOf } from '../doubles/steps.ts';
import { barrier, roundOf, writingTurns } from '../doubles/workflow-model.ts';
import { WorkflowStage } from '../doubles/workflow-stage.ts';

let stage: WorkflowStage;
beforeEach(() => {
  stage = new WorkflowStage();
  stage.parallel = 2;
});
afterEach(() => expect(stage.close()).toEqual([]));

const pathOf = (id: string) => `docs/${id}.md`;
const tasks = ['one', 'two'].map(id => ({ id, path: pathOf(id), description: 'Text' }));
const manifest = () => stage.manifest()?.map(t => `${t.id} ${t.status}`);

/** Turns that write the file and put its name on the list, as the list was read. */
function signingTurns(path: string, body: Body): readonly ScriptedTurn[] {
  const name = path.slice('docs/'.length, -'.md'.length);
  const read = JSON.stringify(body.messages)
    .match(/export const names = \[([^\]]*)\];/g)
    ?.at(-1);
  const names = /\[(.*)\]/.exec(read ?? '')?.[1] ?? '';
  const content = `export const names = [${names}'${name}', ];`;
  const [begin, , , end] = writingTurns(path);
  const both = JSON.stringify(begin).replace(`["${path}"]`, `["${path}","src/list.js"]`);
  return [
    JSON.parse(both) as ScriptedTurn,
    turnOf(
      'I look for the list, and read its line.',
      call('grep', { pattern: 'names' }),
      readLines('src/list.js', 1, 1),
    ),
    turnOf(
      'I write the text and put the name on the list.',
      call('apply_patch', {
        files: [
          { path, content: `# ${path}\n` },
          { path: 'src/list.js', edits: [{ start_line: 1, content }] },
        ],
      }),
    ),
    ...(end === undefined ? [] : [end]),
  ];
}

describe('tasks that do not depend on each other', () => {
  it('run side by side, and the second patch is verified again on the first one', async () => {
    stage.files['test/other.test.js'] = "require('node:test')('stands', () => {});\n";
    stage.files['package.json'] = '{}\n';
    stage.tasks = tasks.map(task => ({
      ...task,
      verify: 'node --test test/other.test.js',
      turns: [...writingTurns(task.path).slice(0, -1), prove, done],
    }));
    stage.prepare();
    // neither goes on until both are at work: one after the other would wait for ever
    const wait = barrier(2, 2);
    stage.onRequest = async ({ body }) => void (await wait(body));
    const { code, out, err } = await stage.run();
    expect(code, err).toBe(0);
    expect(stage.statuses()).toEqual(['one COMPLETED', 'two COMPLETED']);
    expect(manifest()).toEqual(stage.statuses());
    expect(stage.subjects()).toHaveLength(2);
    for (const { path } of tasks) expect(stage.show(path)).toBe(`# ${path}\n`);
    expect(err).toMatch(/^ *one: Round 1$/m);
    expect(err).toMatch(/^ *two: Round 1$/m);
    const again = stage.git('log', '--format=%H', `main..${stage.branch}`).trim().split('\n');
    expect(new Set(stage.state().tasks.map(t => t.commit))).toEqual(new Set(again));
    expect(stage.state().tasks.map(t => t.attempts)).toEqual([1, 1]);
    const ledgers = [...`${out}${err}`.matchAll(/ledger: +(\S+)/g)].map(m =>
      readFileSync(m[1] ?? '', 'utf8'),
    );
    expect(ledgers.filter(text => text.includes('"tool":"reapply"'))).toHaveLength(1);
  });

  it('conflict when they change the same lines, and the second one runs again on the first', async () => {
    stage.files['src/list.js'] = 'export const names = [];\n';
    stage.tasks = tasks;
    stage.prepare();
    const wait = barrier(2, 2);
    stage.onRequest = async ({ task, body }) => {
      await wait(body);
      return signingTurns(pathOf(task), body)[roundOf(body)];
    };
    const { code, err } = await stage.run();
    expect(code, err).toBe(0);
    expect(stage.statuses()).toEqual(['one COMPLETED', 'two COMPLETED']);
    const attempts = stage.state().tasks.map(t => t.attempts);
    expect(attempts.sort()).toEqual([1, 2]);
    expect(err).toMatch(
      /(one|two) conflicts with a parallel task \(BASE_CONFLICT\); it runs again/,
    );
    expect(stage.show('src/list.js')).toMatch(/\['(one', 'two|two', 'one)', \]/);
    expect(stage.subjects()).toHaveLength(2);
    expect(manifest()).toEqual(stage.statuses());
  });
});
