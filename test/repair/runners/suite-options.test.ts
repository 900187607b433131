import { describe, expect, it } from 'vitest';
import { ranOutOfTime, readSuiteRun } from '../../../src/repair/runners/suite-options.ts';

describe('a real run', () => {
  it('counts what uvu, ava and tap print', async () => {
    const uvu =
      '\u001b[31m\n\u001b[39m  Total:     5\u001b[31m\n  Passed:    4\u001b[39m\n  Skipped:   1\n';
    expect(await readSuiteRun('uvu', uvu)).toEqual({ points: { passed: 4, failed: 1 } });
    const ava =
      '\n  ✘ [fail]: price › adds\n  ✔ price › none\n  - [skip] price › later\n\n  1 test failed\n  1 test skipped\n';
    expect(await readSuiteRun('ava', ava)).toEqual({ points: { passed: 1, failed: 1 } });
    const tap =
      '# Subtest: test/a.js\n    # Subtest: one\nok 1 - test/a.js\n# { total: 3, pass: 2, fail: 1 }\n';
    const points = { passed: 2, failed: 1 };
    expect(await readSuiteRun('tap', tap)).toEqual({ points, files: ['test/a.js'] });
    const nothing = (['uvu', 'ava', 'tap'] as const).map(s =>
      readSuiteRun(s, 'Cannot find module'),
    );
    expect(await Promise.all(nothing)).toEqual([null, null, null]);
  });

  it('knows that ava or tap ended a test that takes too long', () => {
    expect(ranOutOfTime('ava', '\n  ✘ Timed out while running tests\n')).toBe(true);
    expect(ranOutOfTime('tap', '    1..1\nnot ok 2 - timeout!\n')).toBe(true);
    expect(ranOutOfTime('tap', 'not ok 2 - a timeout!\n')).toBe(false);
    expect(ranOutOfTime('uvu', 'not ok 2 - timeout!\n')).toBe(false);
  });
});
