import { describe, expect, it } from 'vitest';
import { cpp } from '../../src/ecosystems/cpp.ts';
import { countCases, findTools } from './project.ts';

describe('C and C++', () => {
  it('is tested by the build that defines tests', async () => {
    const builds = {
      'CMakeLists.txt': 'project(a)\nenable_testing()\n',
      'meson.build': "test('unit', exe)\n",
      'configure.ac': '',
      'Makefile.am': '',
    };
    expect(await findTools(cpp, builds)).toEqual([
      'ctest: ctest --test-dir build --output-on-failure (cmake -S . -B build && cmake --build build) by CMakeLists.txt',
      'meson: meson test -C build (meson setup build) by meson.build',
      'autotools: make check (autoreconf -fi && ./configure) by configure.ac',
    ]);
    expect(await findTools(cpp, { 'CMakeLists.txt': 'project(a)\n', configure: '' })).toEqual([]);
  });

  countCases([
    [
      '1/3 Test #1: a .........***Skipped   0.01 sec\n80% tests passed, 1 tests failed out of 5\n',
      'ctest: 4 ran, 1 failed',
    ],
    [
      '[==========] 3 tests from 2 test suites ran. (1 ms total)\n[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n',
      'googletest: 3 ran, 1 failed',
    ],
    [
      'Ok:                 3   \nExpected Fail:      0   \nFail:               1   \n',
      'meson: 4 ran, 1 failed',
    ],
    ['# TOTAL: 5\n# PASS:  3\n# SKIP:  1\n# XFAIL: 0\n# FAIL:  1\n', 'automake: 4 ran, 1 failed'],
  ]);
});
