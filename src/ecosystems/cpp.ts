/** C and C++. */
import { sum } from '../base/plural.ts';
import type { Ecosystem } from './ecosystem.ts';
import { numberAfter } from './shared/output.ts';
import type { ProjectFolder } from './shared/project-files.ts';
import { type Commands, plainRow } from './shared/tool-row.ts';

const cmakeTests = /^[ \t]*(?:enable_testing|include[ \t]*\([ \t]*CTest)\b/im;

/** An option for tests that is off: `option(APP_BUILD_TESTS "Build tests" OFF)`, or one that depends on others. */
const cmakeOption =
  /^[ \t]*(?:option|cmake_dependent_option)[ \t]*\(\s*((?:\w+_)?(?:BUILD|ENABLE|WITH)_(?:UNIT_?)?TEST(?:S|ING)?|(?!DISABLE|NO_|SKIP)[A-Z0-9]+_(?:UNIT)?TESTS?(?:_ENABLED)?)\s+"[^"]*"(?:\s+OFF|\s*\))/gim;

const scripts = /^(?:[^/]+\/){0,2}CMakeLists\.txt$|^(?:[^/]+\/){0,2}[^/]+\.cmake$/;
const maxScripts = 40;

const isIncluded = (path = '') => path.endsWith('.cmake');

async function findCmake(folder: ProjectFolder): Promise<Commands | undefined> {
  if (!folder.has('CMakeLists.txt')) return undefined;
  const below = folder.paths.filter(path => scripts.test(path)).slice(0, maxScripts);
  const read = async (path: string) => ((await folder.read(path)) ?? '').replace(/#.*$/gm, '');
  const texts = await Promise.all(['CMakeLists.txt', ...below].map(read));
  // only where the top enables tests does ctest find those of folders
  if (!texts.some((text, i) => (i === 0 || isIncluded(below[i - 1])) && cmakeTests.test(text)))
    return undefined;
  const options = [...texts.join('\n').matchAll(cmakeOption)].map(([, name]) => ` -D${name}=ON`);
  const setup = `cmake -S . -B build${[...new Set(options)].join('')} && cmake --build build`;
  return {
    command: 'ctest --test-dir build --output-on-failure',
    setup,
    because: 'CMakeLists.txt',
  };
}

export const cpp: Ecosystem = {
  name: 'C, C++',
  detection: {
    manifests: /^(?:CMakeLists\.txt|meson\.build|configure(?:\.ac)?)$/,
    sources: { 'C, C++': /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/ },
    tools: [
      {
        tool: 'ctest',
        shownBy:
          '`CMakeLists.txt` with `enable_testing()` or `include(CTest)`, with its options for tests',
        find: findCmake,
      },
      plainRow({
        tool: 'meson',
        shownBy: '`meson.build` that defines a test or enters another folder',
        signs: [['meson.build', /^[ \t]*(?:test|subdir)[ \t]*\(/m]],
        command: 'meson test -C build',
        setup: 'meson setup build',
      }),
      plainRow({
        tool: 'autotools',
        shownBy: '`configure`, or `configure.ac` with `Makefile.am`',
        signs: ['configure', 'configure.ac'],
        also: ['Makefile.am', 'Makefile.in'],
        command: 'make check',
        setup: 'autoreconf -fi && ./configure',
        setups: { configure: './configure' },
      }),
    ],
  },
  paths: {
    '@check-config': [/(^|\/)\.clang-(format|tidy)$/i],
    '@manifests': [/(^|\/)(vcpkg\.json|conanfile\.(txt|py))$/],
  },
  testCode: { exits: [/\b(?:_exit|_Exit|quick_exit)\s*\(\s*0\s*\)/] },
  influence: { builds: [/(^|\/)(CMakeLists\.txt|meson\.build|[^/]*\.(mk|cmake))$/] },
  commands: { starts: [/^ctest\b/, /^(?:meson|ninja)\b.* test\b/] },
  runners: [
    {
      runner: 'ctest',
      failure: /^ *\d+\/\d+ Test +#\d+: (\S+) \.*\*\*\*Failed/,
      line: /^\d+% tests passed, \d+ tests? failed out of \d+/,
      outsideCases: /^ *\d+\/\d+ Test +#\d+: .*\*\*\*Skipped /,
      count: text => ({
        ran: numberAfter(text, 'failed out of'),
        failed: numberAfter(text, 'tests passed, '),
      }),
      nothing: [/^No tests were found!!!$/],
    },
    {
      runner: 'googletest',
      failure: /^(\S+:\d+: Failure)$/,
      line: /^\[={10}\] \d+ tests? from \d+ test (?:suites?|cases?) ran\./,
      outsideCases: /^\[ {2}SKIPPED \] \S+ \(\d+ ms\)$/,
      count: text => ({
        ran: numberAfter(text, '\\] '),
        failed: numberAfter(text, '\\[ {2}FAILED {2}\\] '),
      }),
    },
    {
      runner: 'meson',
      failure: /^ *\d+\/\d+ (\S.*?) +FAIL\b/,
      line: /^Ok: +\d+ *$/,
      count: text => {
        const words = ['Ok', 'Fail', 'Unexpected Pass', 'Timeout'];
        const counted = words.map(word => numberAfter(text, `(?<=^|\\n)${word}: +`));
        return { ran: sum(counted), failed: sum(counted.slice(1)) };
      },
      nothing: [/^No tests defined\.$/],
    },
    {
      runner: 'automake',
      failure: /^FAIL: (\S.*)$/,
      line: /^# TOTAL: +\d+$/,
      count: text => {
        const count = (word: string) =>
          Number(new RegExp(`^# ${word}: +(\\d+)$`, 'm').exec(text)?.[1]);
        return { ran: count('TOTAL') - count('SKIP'), failed: count('FAIL') };
      },
    },
  ],
};
