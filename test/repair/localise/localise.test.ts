/** Suspicion of lines, by the published formula. */
import { describe, expect, it } from 'vitest';
import {
  hasCode,
  localise,
  ochiai,
  refusedHeaders,
  withDeclaredValues,
} from '../../../src/repair/localise/localise.ts';
import type { CaseResult, Coverage } from '../../../src/repair/runners/test-runner.ts';

const passed = (name: string): CaseResult => ({
  id: `t.js > ${name}`,
  file: 't.js',
  status: 'passed',
});
const failed = (name: string, more: Partial<CaseResult> = {}): CaseResult => ({
  ...passed(name),
  status: 'failed',
  ...more,
});
const ran = (name: string | undefined, lines: readonly number[]): Coverage => ({
  id: name === undefined ? undefined : `t.js > ${name}`,
  file: 't.js',
  files: { 'src/a.js': lines },
});
const mayChange = (path: string) => path.startsWith('src/');

describe('localisation', () => {
  it('is Ochiai', () => {
    expect(ochiai({ ef: 2, ep: 0, failed: 2 })).toBe(1);
    expect(ochiai({ ef: 0, ep: 3, failed: 2 })).toBe(0);
    expect(ochiai({ ef: 1, ep: 3, failed: 4 })).toBe(0.25);
  });

  it('puts the line first that only the failing case ran', () => {
    const suspects = localise({
      cases: [passed('a'), passed('b'), failed('c')],
      coverage: [ran('a', [1, 2]), ran('b', [1]), ran('c', [1, 2, 3])],
      mayChange,
    });
    expect(suspects.map(s => s.line)).toEqual([3, 2, 1]);
    for (const [i, score] of [1, Math.SQRT1_2, 1 / Math.sqrt(3)].entries())
      expect(suspects[i]?.score).toBeCloseTo(score);
  });

  it('suspects no test, and the line that threw more than its neighbours', () => {
    const frames = [
      { path: 't.js', line: 9 },
      { path: 'src/a.js', line: 2 },
    ];
    const suspects = localise({
      cases: [passed('a'), failed('c', { frames })],
      coverage: [ran('a', [1, 2]), ran('c', [1, 2])],
      mayChange,
    });
    expect(suspects.map(s => [s.path, s.line])).toEqual([
      ['src/a.js', 2],
      ['src/a.js', 1],
    ]);
  });

  it('suspects a declared value as much as the lines that use it, and itself no more', () => {
    const textOf = new Map([['a.js', 'const mark = /a/;\nconst other = 1;\nuse(mark);\n']]);
    const declared = new Map([
      [
        'a.js',
        [
          { name: 'mark', first: 1, last: 1 },
          { name: 'other', first: 2, last: 2 },
        ],
      ],
    ]);
    const suspects = [0.1, 0.1, 0.8].map((score, i) => ({ path: 'a.js', line: i + 1, score }));
    const found = withDeclaredValues(suspects, declared, textOf);
    expect(found.map(s => s.score > 0.1)).toEqual([true, false, true]);
    expect(found[0]?.score).toBeLessThan(0.8);
  });

  it('suspects the header of a function whose call Python refused', () => {
    const text =
      'def make(a):\n    pass\n\nclass Point:\n    def make(self, x, y):\n        pass\n';
    const suspects = (message: string) =>
      refusedHeaders([failed('c', { message })], new Map([['src/a.py', text]])).map(s => s.line);
    const missing = "() missing 1 required positional argument: 'y'";
    expect(suspects(`TypeError: make${missing}`)).toEqual([1]);
    expect(suspects(`TypeError: Point.make${missing}`)).toEqual([5]);
    expect(suspects("TypeError: Point.make() got an unexpected keyword argument 'z'")).toEqual([5]);
    expect(suspects('TypeError: other() takes 1 positional argument')).toEqual([]);
    expect(suspects('make() is wrong')).toEqual([]);
  });

  it('holds a case that never ended to have run what its file ran', () => {
    const suspects = localise({
      cases: [passed('a'), failed('c')],
      coverage: [ran(undefined, [1]), ran('a', [2])],
      mayChange,
    });
    expect(suspects.map(s => s.line).sort()).toEqual([1, 2]);
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
