/** What speaks for a candidate beside its kind decides when it is tried. */
import { expect, it } from 'vitest';
import type { Candidate } from '../../../src/repair/candidates/candidates.ts';
import { likeliestFirst } from '../../../src/repair/search/likely.ts';
import { survivor } from '../survivors.ts';

const lines = ['const rate = 1;', 'const limit = "old";', 'const shown = vat(rate);', 'other();'];
const edit = (line: number, score: number, text = 'x'): Candidate => ({
  ...survivor(text).candidate,
  line,
  score,
});
const candidates = [
  edit(4, 0.9),
  edit(1, 0.8),
  edit(2, 0.7),
  edit(3, 0.65),
  edit(4, 0.62, '"new"'),
];
const nothing = {
  task: 'Make the failing tests pass.',
  compared: [],
  recent: new Map(),
  textOf: new Map([['a.js', lines.join('\n')]]),
};
/** The place in the list of the candidate that comes first. */
const firstOf = (more: object) => {
  const [first] = likeliestFirst(candidates, { ...nothing, ...more });
  return candidates.findIndex(c => c.line === first?.line && c.edits === first.edits);
};

it('the likeliest candidates are those of a late change, of the values that were compared, and of the words of the task', () => {
  expect(likeliestFirst(candidates, nothing)).toEqual(candidates);
  expect(firstOf({ recent: new Map([['a.js', new Set([3])]]) })).toBe(3);
  expect(firstOf({ compared: [{ actual: '"old"', expected: '"nothing"' }] })).toBe(2);
  expect(firstOf({ compared: [{ actual: '"none"', expected: '"new"' }] })).toBe(4);
  expect(firstOf({ task: 'The limit is wrong: fix it.' })).toBe(2);
});
