/** Suspicion of lines, by who ran them. */
import { describe, expect, it } from 'vitest';
import { hasCode, localise } from '../../../src/repair/localise/localise.ts';
import type { CaseResult, Lines } from '../../../src/repair/runners/test-runner.ts';

const failed = (frames: CaseResult['frames'] = []): CaseResult => ({
  id: 'c',
  file: 't.js',
  status: 'failed',
  frames,
});
const linesOf = (...lines: readonly number[]): Lines =>
  new Map(['src/a.js', 't.js'].map(path => [path, new Set(lines)]));
const mayChange = (path: string) => path.startsWith('src/');

describe('localisation', () => {
  it('puts the line first that only the failing case ran, and leaves out what only others ran', () => {
    const ran = { failing: linesOf(1, 2, 3), others: linesOf(1, 2, 4) };
    const suspects = localise({ failed: [failed()], ran, mayChange });
    expect(suspects.map(s => [s.path, s.line])).toEqual([
      ['src/a.js', 3],
      ['src/a.js', 1],
      ['src/a.js', 2],
    ]);
  });

  it('suspects no test, and the line that threw more than its neighbours', () => {
    const frames = [
      { path: 't.js', line: 9 },
      { path: 'src/a.js', line: 2 },
      { path: 'src/a.js', line: 1 },
    ];
    const ran = { failing: linesOf(1, 2), others: linesOf(1, 2) };
    const suspects = localise({ failed: [failed(frames)], ran, mayChange });
    expect(suspects.map(s => s.line)).toEqual([2, 1]);
    const unknown = { failing: new Map(), others: new Map() };
    expect(localise({ failed: [failed(frames)], ran: unknown, mayChange })).toHaveLength(1);
  });
});

it.each([
  ['  return total;', true],
  ['  #total = 0;', true],
  ['# a note', false],
  ['  // a note', false],
  ['  """Interest of a savings account."""', false],
  ["r'''Words", false],
  ['"text" + name', true],
])('knows whether %j has code: %s', (line, has) => {
  expect(hasCode(line)).toBe(has);
});
