import { describe, expect, it } from 'vitest';
import { zig } from '../../src/ecosystems/zig.ts';
import { countCases, findTools } from './project.ts';

describe('Zig', () => {
  it('is tested by a build with a step of tests, after its packages are fetched', async () => {
    const build = { 'build.zig': 'const t = b.step("test", "Run tests");\n' };
    const test = 'zig build test --summary all';
    expect(await findTools(zig, build)).toEqual([`zig: ${test} () by build.zig`]);
    expect(await findTools(zig, { ...build, 'build.zig.zon': '.{}' })).toEqual([
      `zig: ${test} (zig build --fetch) by build.zig`,
    ]);
    expect(await findTools(zig, { 'build.zig': 'const run = b.step("run", "");\n' })).toEqual([]);
  });

  countCases([
    ['Build Summary: 3/3 steps succeeded; 7/7 tests passed\n', 'zig: 7 ran, 0 failed'],
    [
      'Build Summary: 2/3 steps succeeded; 1 failed; 4/7 tests passed; 1 skipped; 2 failed\n',
      'zig: 6 ran, 2 failed',
    ],
  ]);
});
