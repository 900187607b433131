/** The cases in what real runners print, with the places of the project that they name. */
import { describe, expect, it } from 'vitest';
import {
  countPassed,
  openRunReader,
  readFailures,
} from '../../../src/repair/runners/read-cases.ts';
import type { RunnerContext, RunnerView } from '../../../src/repair/runners/runner-context.ts';

const paths = [
  'src/price.js',
  'test/price.test.js',
  'shop/price.go',
  'shop/price_test.go',
  'price.py',
  'test_price.py',
  'one/index.js',
  'other/index.js',
];

/** Reads an output of the command in a copy at `/w`. */
async function read(
  output: string,
  words: readonly string[] = [],
  failing: readonly string[] = [],
) {
  const context = { report: '', files: async () => paths, isTest: (p: string) => /test/.test(p) };
  const view = { run: async () => ({ output: '/w\n' }) } as unknown as RunnerView;
  const reader = await openRunReader(context as unknown as RunnerContext, words);
  return reader({ exitCode: 1, output }, view, failing);
}

const jest = [
  'FAIL test/price.test.js',
  '  ● price › adds',
  '',
  '    Expected: 3',
  '    Received: 2',
  '',
  '      at total (src/price.js:4:9)',
  '      at Object.<anonymous> (test/price.test.js:5:1)',
  '',
  'Test Suites: 1 failed, 1 total',
  'Tests:       1 failed, 2 passed, 3 total',
  '',
].join('\n');

const vitest = [
  ' ❯ test/price.test.js (3 tests | 1 failed) 5ms',
  '⎯⎯⎯ Failed Tests 1 ⎯⎯⎯',
  '',
  ' FAIL  test/price.test.js > price > adds',
  'AssertionError: expected 2 to be 3',
  ' ❯ total src/price.js:4:9',
  ' ❯ test/price.test.js:5:1',
  '',
  ' Test Files  1 failed (1)',
  '      Tests  1 failed | 2 passed (3)',
  '',
].join('\n');

const go = [
  '--- FAIL: TestTotal (0.00s)',
  '    price_test.go:9: got 2, want 3',
  'FAIL',
  'FAIL\texample.com/shop\t0.002s',
  'FAIL',
  '',
].join('\n');

const pytest = [
  '____ test_adds ____',
  '    def test_adds():',
  '>       assert total([1, 2]) == 3',
  'test_price.py:5: AssertionError',
  '=== short test summary info ===',
  'FAILED test_price.py::test_adds - assert 4 == 3',
  '=== 1 failed, 2 passed in 0.01s ===',
  '',
].join('\n');

describe('a failing case', () => {
  it.each([
    ['jest', jest, 'test/price.test.js', ['src/price.js:4', 'test/price.test.js:5'], 2],
    ['vitest', vitest, 'test/price.test.js', ['src/price.js:4', 'test/price.test.js:5'], 2],
    ['pytest', pytest, 'test_price.py', ['test_price.py:5'], 2],
  ])('of %s has its file and places', async (_, output, file, places, passed) => {
    const cases = await read(output);
    const failed = cases.filter(c => c.status === 'failed');
    expect(failed.map(c => c.file)).toEqual([file]);
    expect(failed[0]?.frames?.map(f => `${f.path}:${f.line}`)).toEqual(places);
    expect(countPassed(cases)).toBe(passed);
  });

  it('of go has the file of its package', async () => {
    const cases = await read(go);
    const found = cases.find(c => c.id === 'example.com/shop > TestTotal');
    expect(found).toMatchObject({
      status: 'failed',
      file: 'shop/price_test.go',
      frames: [{ path: 'shop/price_test.go', line: 9 }],
    });
    expect(found?.message).toContain('got 2, want 3');
  });

  it('has no place where several files have the name', async () => {
    const [failed] = await read(jest.replace('src/price.js', 'index.js'));
    expect(failed?.frames?.map(f => f.path)).toEqual(['test/price.test.js']);
  });
});

it('a plain script is one case, by its exit code', async () => {
  const output = 'file:///w/test/price.test.js:3\nAssertionError: 2 == 3\n';
  expect(await read(output, ['node', 'test/price.test.js'])).toEqual([
    {
      id: 'test/price.test.js',
      file: 'test/price.test.js',
      status: 'failed',
      message: output,
      frames: [{ path: 'test/price.test.js', line: 3 }],
    },
  ]);
  expect(await read(output, ['make', 'check'])).toEqual([]);
});

describe('a runner that prints only what fails', () => {
  it('shows that the failing cases pass now, and how many there are', () => {
    const passed = jest
      .slice(jest.indexOf('Test Suites'))
      .replace('1 failed, 2 passed', '3 passed')
      .replace('1 failed', '1 passed');
    const [failed = ''] = readFailures(jest, []).map(c => c.id);
    expect(failed).toContain('adds');
    expect(readFailures(passed, [failed])).toEqual([
      { id: failed, status: 'passed' },
      { id: 'number of tests: 3', status: 'passed' },
    ]);
  });

  it('shows nothing if it did not get to its summary', () => {
    expect(readFailures('Segmentation fault\n', ['of two'])).toEqual([]);
  });
});
