import { describe, expect, it } from 'vitest';
import {
  findDifference,
  type ManifestTask,
  parseTable,
  renderTable,
  tableHead,
} from '../../src/workflows/manifest-table.ts';

const tasks: readonly ManifestTask[] = [
  {
    id: 'one',
    status: 'COMPLETED',
    outputs: [
      { description: 'a | b\\n', path: 'docs/a.md' },
      { description: 'two\nlines', path: 'docs/b|c.md' },
    ],
  },
  { id: 'two', status: 'PENDING', outputs: [] },
];

describe('the table', () => {
  it('has a row for each output, and one for a task without outputs', () => {
    expect(renderTable(tasks)).toEqual([
      ...tableHead,
      '| one | a \\| b\\\\n | docs/a.md | COMPLETED |',
      '| one | two\\nlines | docs/b\\|c.md | COMPLETED |',
      '| two |  |  | PENDING |',
    ]);
  });

  it('is read back without loss', () => {
    expect(parseTable(renderTable(tasks))).toEqual(tasks);
  });

  it.each([
    ['a status that there is not', '| one |  |  | DONE |'],
    ['another spacing', '|one |  |  | PENDING |'],
    ['a cell more', '| one |  |  | PENDING | x |'],
    ['text', 'one'],
  ])('with %s is none', (_, row) => expect(parseTable([...tableHead, row])).toBeUndefined());
});

describe('a difference', () => {
  const [one, two] = tasks as readonly [ManifestTask, ManifestTask];

  it('is named by the row that is stale or missing', () => {
    expect(findDifference([one], tasks)).toBe('it lacks "| two |  |  | PENDING |"');
    expect(findDifference(tasks, [one])).toBe('it lists "| two |  |  | PENDING |"');
    expect(findDifference(undefined, tasks)).toBe('its table cannot be read');
  });

  it('is none between a task that runs and one that waits', () => {
    expect(findDifference([one, two], [one, { ...two, status: 'RUNNING' }])).toBeUndefined();
    expect(findDifference([one, { ...two, status: 'RUNNING' }], [one, two])).toBeUndefined();
    expect(findDifference([one, two], [one, { ...two, status: 'FAILED' }])).not.toBeUndefined();
  });
});
