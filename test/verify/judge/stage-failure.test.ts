import { describe, expect, it } from 'vitest';
import { findWorseStage } from '../../../src/verify/judge/stage-failure.ts';
import type { StageRun } from '../../../src/verify/judge/test-run.ts';

const stage = (exitCode: number, output = '', explained = false) =>
  ({ name: 'npm run lint', exitCode, output, explained }) as StageRun;

describe('a stage', () => {
  it('that fails with the patch alone is worse', () => {
    const worse = '"npm run lint" fails with the patch, and not without it.';
    expect(findWorseStage([stage(0)], [stage(1)])).toBe(worse);
    expect(findWorseStage([], [stage(1)])).toBe(worse);
  });

  it('that fails with a line of its own is worse, and the line is named', () => {
    const found = findWorseStage(
      [stage(1, 'a.js: unused\n')],
      [stage(1, 'a.js: unused\nb.js: odd\n')],
    );
    expect(found).toBe('"npm run lint" fails in another way than without the patch: b.js: odd');
  });

  it('that prints a line more often is worse', () => {
    expect(findWorseStage([stage(1, 'odd\n')], [stage(1, 'odd\nodd\n')])).toContain(': odd');
  });

  it('is not worse by other numbers, or in another folder', () => {
    const before = stage(1, '/tmp/one/src/a.js:10 unused (1.5 s)\n');
    expect(
      findWorseStage([before], [stage(1, '/home/two/src/a.js:12 unused (2.25 s)\n')]),
    ).toBeUndefined();
  });

  it('that passes, or whose failure the cases explain, is not looked at', () => {
    expect(findWorseStage([stage(0)], [stage(0, 'odd\n')])).toBeUndefined();
    expect(findWorseStage([stage(0)], [stage(1, 'odd\n', true)])).toBeUndefined();
  });
});
