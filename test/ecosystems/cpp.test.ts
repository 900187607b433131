import { describe, expect, it } from 'vitest';
import { cpp } from '../../src/ecosystems/cpp.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';
import { findTools } from './project.ts';

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

  it.each([
    [
      '1/3 Test #1: a .........***Skipped   0.01 sec\n80% tests passed, 1 tests failed out of 5\n',
      { runner: 'ctest', ran: 4, failed: 1 },
    ],
    [
      '[==========] 3 tests from 2 test suites ran. (1 ms total)\n[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n',
      { runner: 'googletest', ran: 3, failed: 1 },
    ],
    [
      'Ok:                 3   \nExpected Fail:      0   \nFail:               1   \n',
      { runner: 'meson', ran: 4, failed: 1 },
    ],
    [
      '# TOTAL: 5\n# PASS:  3\n# SKIP:  1\n# XFAIL: 0\n# FAIL:  1\n',
      { runner: 'automake', ran: 4, failed: 1 },
    ],
  ])('counts the cases of %j', (output, counts) => {
    expect(readSummaries(`some output\n${output}`)).toEqual([counts]);
  });
});
