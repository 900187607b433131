import { expect, it } from 'vitest';
import { makeBranchName } from '../../src/hosts/planned-task.ts';

it('a branch is named by its task, or by a digest of a name that no branch can have', () => {
  const settings = { branchPrefix: 'photon/' };
  expect(makeBranchName({ id: 'fix-12-1a2b3c4d' }, settings)).toBe('photon/fix-12-1a2b3c4d');
  for (const id of ['../main', 'a b', 'x'.repeat(61), ''])
    expect(makeBranchName({ id }, settings)).toMatch(/^photon\/[0-9a-f]{16}$/);
});
