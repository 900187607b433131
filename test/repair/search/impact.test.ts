/** Places where no edit changes the failure are tried later, and then not at all. */
import { describe, expect, it } from 'vitest';
import type { CaseResult } from '../../../src/repair/runners/test-runner.ts';
import { openImpact } from '../../../src/repair/search/impact.ts';
import { candidate } from '../survivors.ts';

const at = (line: number, score = 1) => candidate({ start: 0, end: 1, text: 'x' }, { line, score });
const failing = (actual: string): CaseResult => ({
  id: 'a.test.js > works',
  file: 'a.test.js',
  status: 'failed',
  message: 'not equal',
  compared: { actual, expected: '3' },
});
const resultOf = (one: CaseResult) =>
  ({ cases: [one], ended: 'done', coverage: [], cpuMs: 1 }) as const;

/** The lines that are left, in their order, after edits of line 1 that end with one value. */
function linesAfter(tries: number, actual: string, before = '1') {
  const impact = openImpact([failing(before)]);
  for (let i = 0; i < tries; i++) impact.note(at(1), resultOf(failing(actual)));
  return impact.ranked([at(1), at(2, 0.5)]).map(c => c.line);
}

describe('the impact of edits', () => {
  it('puts places that change nothing behind the others, then leaves them out', () => {
    expect(linesAfter(3, '1')).toEqual([1, 2]);
    expect(linesAfter(4, '1')).toEqual([2, 1]);
    expect(linesAfter(16, '1')).toEqual([2]);
  });

  it('keeps a place where an edit changes the value', () => {
    expect(linesAfter(40, '2')).toEqual([1, 2]);
  });

  it('learns nothing from failures that show no value', () => {
    for (const blind of ['false', 'undefined', 'null', ''])
      expect(linesAfter(40, blind, blind)).toEqual([1, 2]);
  });

  it('tries a line first where an edit repaired what fails, but broke another case', () => {
    const impact = openImpact([failing('1')]);
    const repaired: CaseResult = { id: 'a.test.js > works', file: 'a.test.js', status: 'passed' };
    const broken: CaseResult = { ...failing('2'), id: 'a.test.js > other' };
    impact.note(at(2), { ...resultOf(repaired), cases: [repaired, broken] });
    expect(impact.ranked([at(1), at(2, 0.5)]).map(c => c.line)).toEqual([2, 1]);
  });

  it('tries a line first where an edit repairs everything, because its alternatives are there', () => {
    const impact = openImpact([failing('1')]);
    const repaired: CaseResult = { id: 'a.test.js > works', file: 'a.test.js', status: 'passed' };
    impact.note(at(2), resultOf(repaired));
    expect(impact.ranked([at(1), at(2, 0.5)]).map(c => c.line)).toEqual([2, 1]);
  });

  it('tells insertions from other edits of a line', () => {
    const impact = openImpact([failing('1')]);
    for (let i = 0; i < 40; i++) impact.note(at(1), resultOf(failing('1')));
    const inserted = { ...at(1), edits: [{ start: 0, end: 0, text: 'x' }] };
    expect(impact.ranked([at(1), inserted])).toEqual([inserted]);
  });
});
