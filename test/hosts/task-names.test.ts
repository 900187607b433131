import { expect, it } from 'vitest';
import { untilOf } from '../../src/hosts/github/parse/verbs.ts';
import { branchOf, taskId } from '../../src/hosts/planned-task.ts';

it('the same text in the same place is the same task', () => {
  expect(taskId('fix-12', 'do it')).toMatch(/^fix-12-[0-9a-f]{8}$/);
  expect(taskId('fix-12', 'do it')).toBe(taskId('fix-12', 'do it'));
  expect(taskId('fix-12', 'do it')).not.toBe(taskId('fix-12', 'do that'));
});

it('a branch is named by its task, or by a digest of a name that no branch can have', () => {
  const settings = { branchPrefix: 'photon/' };
  expect(branchOf({ id: 'fix-12-1a2b3c4d' }, settings)).toBe('photon/fix-12-1a2b3c4d');
  for (const id of ['../main', 'a b', 'x'.repeat(61), ''])
    expect(branchOf({ id }, settings)).toMatch(/^photon\/[0-9a-f]{16}$/);
});

it.each([
  ['plan', 'no', 'plan'],
  ['ask', 'required', 'answer'],
  ['review', 'no', 'review'],
  ['fix', 'required', 'approval'],
  ['fix', 'no', null],
] as const)('/photon %s with approval %s runs until: %s', (verb, approve, until) => {
  expect(untilOf(verb, { approve } as Parameters<typeof untilOf>[1])).toBe(until);
});
