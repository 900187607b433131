/** `npm run eval` on a small repository with a past: what is a task, what a run is told, how it is judged. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareEvaluations, type Evaluation, findInterval } from '../../bench/eval/result.ts';
import { chooseTasks, cleanMessage, type EvalTask, promptText } from '../../bench/eval/task.ts';
import { judgeEnding } from '../../bench/eval/verdict.ts';
import { makeHistory } from '../doubles/history.ts';
import { discard, makeFolder, root } from '../harness.ts';
import { playsVariants } from '../seed.ts';

const task: EvalTask = {
  id: 'a',
  title: 'Round',
  message: 'Round prices to cents.',
  tests: [],
  fix: [],
  failing: ['whole cents'],
  passing: [],
};

describe('what a run is told', () => {
  it('is nothing that points to the fix', () => {
    const message =
      'Round prices (#12)\n\nReverts 1f2e3d4c5b6a7988, see https://example.org/fix.\n\n```js\nreturn 1;\n```\n\nFixes: octo-org/shop#13';
    expect(cleanMessage(message)).toBe('Round prices\n\nReverts , see');
  });

  it('is one sentence, and a quotation of the message, of the failing tests, or of both', () => {
    expect(promptText(task, 'both')).toBe(
      'Make the failing tests pass.\n\n> These tests fail:\n> - whole cents\n>\n> Round prices to cents.',
    );
    expect(promptText(task, 'subject')).not.toContain('whole cents');
    expect(promptText(task, 'tests')).not.toContain('Round prices');
    expect(promptText(task, 'hidden')).toMatch(/^Make the change .*\n\n> Round prices to cents\.$/);
  });
});

describe('the figures', () => {
  it('choose the same tasks for the same seed', () => {
    const tasks = ['a', 'b', 'c', 'd', 'e'].map(id => ({ id }));
    expect(chooseTasks(tasks, 3, '1')).toEqual(chooseTasks(tasks.toReversed(), 3, '1'));
    expect(chooseTasks(tasks, 3, '1')).toHaveLength(3);
  });

  it('have intervals that hold for small numbers', () => {
    expect(findInterval(0, 0)).toEqual({ share: 0, low: 0, high: 1 });
    expect(findInterval(10, 10).high).toBe(1);
    expect(findInterval(5, 10).low).toBeCloseTo(0.2366, 3);
  });

  it('compare two configurations on the tasks that both played', () => {
    const played = (ids: Readonly<Record<string, 'solved' | 'wrong'>>): Evaluation => ({
      configuration: 'x',
      looked: 3,
      found: 3,
      results: Object.entries(ids).map(([id, verdict]) => ({
        ...{ id, verdict, title: '', code: '', note: '', cost: 0, durationMs: 1, rounds: 1 },
        ...{ refusals: {}, confined: true, patch: '' },
      })),
    });
    const first = played({ a: 'solved', b: 'solved', c: 'wrong' });
    const second = played({ a: 'solved', b: 'wrong', d: 'solved' });
    expect(compareEvaluations(first, second)).toMatchObject({
      tasks: 2,
      bothSolved: ['a'],
      onlyFirst: ['b'],
      onlySecond: [],
    });
  });

  it.each([
    ['rolled_back', undefined, 'failed'],
    ['abstained', undefined, 'abstained'],
    ['written', { solved: true, note: '' }, 'solved'],
    ['written', { solved: false, note: 'x' }, 'wrong'],
  ] as const)('count a run that ended %s with %j as %s', (status, judged, verdict) => {
    expect(judgeEnding(status, judged)).toBe(verdict);
  });
});

describe('an evaluation', () => {
  it.runIf(playsVariants)(
    'finds four tasks, and the known fix solves them',
    () => {
      const folder = makeFolder();
      try {
        const ids = makeHistory(join(folder, 'shop'));
        const args = ['--repo', join(folder, 'shop'), '--out', join(folder, 'out'), '--oracle'];
        const index = join(root, 'bench/eval/index.ts');
        const ended = spawnSync(process.execPath, [index, ...args], { encoding: 'utf8' });
        expect(ended.status, ended.stderr).toBe(0);
        const text = readFileSync(join(folder, 'out', 'eval.json'), 'utf8');
        const { looked, found, results } = JSON.parse(text) as Evaluation;
        // the first commit has no base
        expect([looked, found]).toEqual([7, 4]);
        expect(Object.fromEntries(results.map(r => [r.id, r.verdict]))).toEqual(
          Object.fromEntries(Object.values(ids).map(id => [id, 'solved'])),
        );
        expect(ended.stderr).toContain('no task: its tests are flaky');
      } finally {
        discard(folder);
      }
    },
    600_000,
  );
});
