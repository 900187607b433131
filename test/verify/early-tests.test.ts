import { describe, expect, it } from 'vitest';
import { earlyFailures, selectEarly } from '../../src/verify/early-tests.ts';
import type { TestRun } from '../../src/verify/judge/test-run.ts';
import { changeOf } from './changes.ts';
import { openScripted } from './scripted-runs.ts';

const ran = (about: Partial<TestRun> & { readonly ms?: number; readonly limit?: 'time' } = {}) =>
  ({
    run: { durationMs: about.ms ?? 60_000, limit: about.limit ?? null },
    cases: undefined,
    failures: [],
    ...about,
  }) as unknown as TestRun;

const texts: Readonly<Record<string, string>> = {
  'package.json':
    '{"scripts":{"test":"eslint . && tsc && vitest run --coverage --reporter dot --project unit"}}',
  'src/a.ts': '',
  'test/a.test.js': "import { a } from '../src/a.ts';",
  'test/b.test.js': "import { b } from '../src/b.js';",
  'test/c.test.js': '',
  'pkg/a.py': '',
  'tests/test_a.py': 'from pkg.a import x\n',
  'tests/test_b.py': 'import os\n',
};

const select = (command: string, changed: readonly string[], before = ran()) =>
  selectEarly(
    before,
    changed.map(path => ({
      path,
      before: undefined,
      after: { mode: '100644', bytes: Buffer.from(texts[path] ?? '') },
    })),
    { command, paths: async () => Object.keys(texts), read: async path => texts[path] },
  );
const inPath = 'PATH="$PWD/node_modules/.bin:$PATH"';

describe('the tests that run first', () => {
  it.each([
    ['node --test', ['src/a.ts'], 'node --test test/a.test.js'],
    [
      'node --import tsx --test test/',
      ['test/c.test.js'],
      'node --import tsx --test test/c.test.js',
    ],
    ['jest --ci --coverage', ['src/a.ts'], 'jest --ci --findRelatedTests src/a.ts'],
    ['npx vitest run', ['src/a.ts', 'README.md'], 'vitest related src/a.ts --run'],
    ['python -m pytest -q -k fast', ['pkg/a.py'], 'python -m pytest -q -k fast tests/test_a.py'],
    ['pytest tests', ['tests/test_b.py'], 'pytest tests/test_b.py'],
  ] as const)('of %s with a patch of %j: %s', async (command, changed, line) => {
    expect(await select(command, changed)).toBe(`${inPath} ${line}`);
  });

  it('run after the build, and without the checks of the source and the coverage', async () => {
    expect(await select('npm test', ['src/a.ts'])).toBe(
      `${inPath} sh -c tsc && ${inPath} vitest related src/a.ts --run --project unit`,
    );
  });

  it.each([
    [
      'vitest run',
      ['test/b.test.js > suite > name'],
      'vitest related test/b.test.js src/a.ts --run',
    ],
    ['pytest', ['tests/test_b.py::test_x'], 'pytest tests/test_b.py'],
  ])('of %s are those that failed before, too', async (command, failures, line) => {
    expect(await select(command, ['src/a.ts'], ran({ failures }))).toBe(`${inPath} ${line}`);
  });

  it.each([
    ['vitest run test/unit', ['src/a.ts']],
    ['mocha', ['src/a.ts']],
    ['make test', ['src/a.ts']],
    ['node --test && node --test web', ['src/a.ts']],
    ['node --test', ['README.md']],
    ['pytest tests/test_a.py::test_x', ['pkg/a.py']],
  ] as const)('are not selected for %s with a patch of %j', async (command, changed) => {
    expect(await select(command, changed)).toBeUndefined();
  });

  it('are not selected for a suite that takes less than five seconds', async () => {
    expect(await select('node --test', ['src/a.ts'], ran({ ms: 4_999 }))).toBeUndefined();
  });
});

it.each([
  [false, ran(), ran({ failures: ['a'] }), ['a']],
  [false, ran(), ran({ failures: undefined }), []],
  [false, ran(), ran({ failures: ['a'], limit: 'time' }), []],
  [true, ran({ failures: ['a'] }), ran({ failures: ['a', 'b'] }), ['b']],
  [true, ran({ failures: undefined }), ran({ failures: ['a'] }), []],
] as const)(
  'compared or not (%s), only named cases count as failures',
  (isCompared, before, early, expected) => {
    expect(earlyFailures(isCompared, before, early)).toEqual(expected);
  },
);

it('an early failure is no verdict: with the same patch again, the whole suite runs', async () => {
  const commands: string[] = [];
  const casesOf = (_isBase: boolean, line: string) => {
    // a canary is a run of its own
    if (!/\/t[0-9a-f]{10}_/.test(line)) commands.push(line);
    return { a: !line.includes('test/a.test.js') };
  };
  const verifier = openScripted(casesOf, {
    durationMs: 6_000,
    command: 'node --test',
    timeoutMs: 60_000,
    readBase: async (path: string) => texts[path],
    paths: async () => Object.keys(texts),
  });
  const patch = [changeOf('src/a.ts', 'x', 'y')];
  const part = `${inPath} node --test test/a.test.js`;

  const early = await verifier.verify(patch, 'digest', true);
  expect(early).toMatchObject({ code: 'VERIFY_FAILED', verification: { passed: false } });
  expect(early.message).toContain('The whole suite has not run.');
  expect(commands).toEqual(['node --test', part]);
  expect((await verifier.verify(patch, 'digest', true)).verification.passed).toBe(true);
  expect(commands).toEqual(['node --test', part, 'node --test']);
  // where a failure would end the run, the whole suite alone decides
  expect((await verifier.verify(patch, 'other', false)).verification.passed).toBe(true);
  expect(commands.filter(line => line === part)).toHaveLength(1);
});
