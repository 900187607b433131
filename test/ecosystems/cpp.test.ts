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
      'Ok:                 2   \nExpected Fail:      1   \nFail:               1   \nUnexpected Pass:    1   \nSkipped:            1   \nTimeout:            1   \n',
      'meson: 5 ran, 3 failed',
    ],
  ]);
});
