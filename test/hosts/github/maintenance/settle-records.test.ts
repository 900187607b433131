import { expect, it } from 'vitest';
import { repositoryWorkspace } from '../../../../src/hosts/github/maintenance/settle-records.ts';

it('the records of a repository are the same in whatever case its name is written', () => {
  expect(repositoryWorkspace('Octo/Hello')).toBe('octo/hello');
  expect(repositoryWorkspace('octo/hello')).toBe('octo/hello');
});
