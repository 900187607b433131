import { expect, it } from 'vitest';
import { leftText, quotedText } from '../../../src/report/pull-request/sections.ts';

it('says that nothing was written where nothing was left', () => {
  expect(leftText()).toBe('Nothing was written to the repository.');
});

it('names each branch, each pull request with what became of it, and what nobody could read', () => {
  const left = {
    branches: [{ name: 'photon/task-1', commit: 'abc123' }],
    pulls: [
      { number: 3, change: 'opened', state: 'open' },
      { number: 4, change: 'opened', state: 'closed' },
      { number: 5, change: 'closed', state: 'closed' },
      { number: 6, change: 'updated', state: 'open' },
    ],
    unread: ['the branch photon/task-2'],
  } as const;
  expect(leftText(left, name => `<${name}>`)).toBe(
    [
      'The branch <photon/task-1> holds the commit <abc123> of this run.',
      'This run opened pull request #3.',
      'This run opened pull request #4, which is closed now.',
      'This run closed pull request #5.',
      'This run updated pull request #6, which is open now.',
      'Photon cannot tell whether this run changed <the branch photon/task-2>: look there on GitHub.',
    ].join(' '),
  );
});

it('a reason of several lines is prose that wraps, and a listing stays as it is', () => {
  expect(quotedText('It repairs failing tests only.\nNo skill was used.')).toBe(
    '> It repairs failing tests only.\n>\n> No skill was used.',
  );
  for (const listing of ['One line.\n  - a', 'One line.\n/merge', 'a\n'.repeat(7)])
    expect(quotedText(listing)).toMatch(/^```/);
});
