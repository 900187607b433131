import { expect, it } from 'vitest';
import { parseOutcomes } from '../../../src/workflows/fleet/report.ts';

const outcome = (id: string, repository: string, more: object = {}) =>
  JSON.stringify({
    schema: 1,
    status: 'committed',
    code: 'PATCH_WRITTEN',
    message: 'm',
    repository,
    task: { id, trigger: 'schedule' },
    usage: { inputTokens: 1, outputTokens: 2 },
    delivered: {},
    ...more,
  });

it('outcomes are sorted by task and repository', () => {
  const { rows } = parseOutcomes([outcome('b', 'o/a'), outcome('a', 'o/z'), outcome('a', 'o/b')]);
  expect(rows.map(r => [r.task.id, r.repository])).toEqual([
    ['a', 'o/b'],
    ['a', 'o/z'],
    ['b', 'o/a'],
  ]);
});

it('files that are no outcome are counted and left out', () => {
  const texts = [
    '{',
    'null',
    outcome('a', 'o/a', { status: 'perfect' }),
    outcome('a', 'o/a', { code: 'not a code' }),
    outcome('a', 'o/a', { page: 'javascript:alert(1)' }),
    outcome('a', 'o/a', { schema: 2 }),
  ];
  expect(parseOutcomes(texts)).toEqual({ rows: [], unreadable: texts.length });
});
