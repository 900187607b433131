/** What the header of a record keeps of a run. */
import { expect, it } from 'vitest';
import { parseRecord, renderHeader } from '../../src/audit/record.ts';
import type { Task } from '../../src/base/task.ts';

const task: Task = {
  id: 'local-1',
  trigger: 'local',
  repository: '',
  baseRef: '',
  hiddenRemoved: 0,
  prompt: 'Fix the total.',
  context: [],
  askedBy: 'mona',
};

it('holds the inputs of the run, without keys', () => {
  const given = { 'test-command': 'npm test', model: '', 'api-key': 'sk-1', 'max-rounds': '7' };
  const header = renderHeader('20261127-1', task, given);
  expect(header).not.toContain('sk-1');
  expect(parseRecord(header).inputs).toEqual({ 'test-command': 'npm test', 'max-rounds': '7' });
});
