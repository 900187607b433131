import { describe, expect, it } from 'vitest';
import { openTitleFiles, readFailures } from '../../../../src/repair/runners/adapters/report.ts';

describe('the file that the name of a case begins with', () => {
  const fileOf = openTitleFiles([
    'test/price.test.js',
    'test/unit/price.spec.ts',
    'test/unit/__tests__/test-words.js',
    'other/unit/tax.js',
    'test/unit/tax.js',
  ]);

  it.each([
    ['unit › price › adds', 'test/unit/price.spec.ts'],
    ['test › price › adds › all', 'test/price.test.js'],
    ['words › adds', 'test/unit/__tests__/test-words.js'],
    ['price › adds', undefined],
    ['unit › tax › adds', undefined],
    ['test › unit › tax › adds', 'test/unit/tax.js'],
    ['words', undefined],
    ['adds › words', undefined],
  ])('%s: %s', (name, file) => expect(fileOf(name)).toBe(file));
});

describe('a runner that prints only what fails', () => {
  const failed =
    '\n   FAIL  "of two"\n    Expected values to be strictly equal:\n\n  Total:     3\n  Passed:    2\n  Skipped:   0\n';
  const passed = '\n  Total:     3\n  Passed:    3\n  Skipped:   0\n';

  it('shows that the failing cases pass now, and how many there are', () => {
    expect(readFailures(failed, [])).toEqual([
      { id: 'of two', status: 'failed' },
      { id: 'number of tests: 3', status: 'passed' },
    ]);
    expect(readFailures(passed, ['of two'])).toEqual([
      { id: 'of two', status: 'passed' },
      { id: 'number of tests: 3', status: 'passed' },
    ]);
    expect(readFailures(passed.replaceAll('3', '2'), ['of two']).map(c => c.id)).toEqual([
      'of two',
      'number of tests: 2',
    ]);
  });

  it('shows nothing if its failures are not all named', () => {
    expect(readFailures(failed.replace('FAIL', 'fail'), [])).toEqual([]);
    expect(readFailures('nothing ran', ['of two'])).toEqual([]);
  });
});
