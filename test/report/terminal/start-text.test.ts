/** What a run at the terminal starts from, and what it does not see. */
import { expect, it } from 'vitest';
import { renderStart } from '../../../src/report/terminal/start-text.ts';

const clean = {
  folder: 'shop',
  branch: 'main',
  commit: 'abcdef0123456789',
  changed: [],
  untracked: [],
};

it('a clean checkout is one line, with or without a branch', () => {
  expect(renderStart(clean)).toBe('photon run · shop · main at abcdef0\n');
  expect(renderStart({ ...clean, branch: '' })).toBe('photon run · shop · abcdef0\n');
});

it('unsaved work is named, at most five files of each kind', () => {
  const many = ['1', '2', '3', '4', '5', '6', '7'];
  expect(renderStart({ ...clean, changed: ['a.js'], untracked: many }).split('\n')).toEqual([
    'photon run · shop · main at abcdef0',
    'note: 1 file differs from the commit: a.js. The run does not see these changes.',
    'note: untracked: 1, 2, 3, 4, 5 and 2 more. Commands can see these files; the patch is made without them.',
    '',
  ]);
  expect(renderStart({ ...clean, changed: ['a', 'b'] })).toContain('2 files differ from');
});
