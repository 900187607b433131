/** What is known of failing tests. */
import { describe, expect, it } from 'vitest';
import { collectFailingTests } from '../../../src/repair/tasks/failing-tests.ts';
import { matchTask } from '../../../src/repair/tasks/match-task.ts';
import { failing, known, task } from '../failing.ts';

describe('what is known of failing tests', () => {
  it('names cases with and without their suites, files, symbols, and words that tell', () => {
    expect(known.names).toEqual(['a discount is taken off in percent']);
    expect(known.files).toEqual(['test/price.test.js', 'src/price.js']);
    expect([...known.symbols]).toEqual(
      expect.arrayContaining(['orderTotal', 'shipsFree', 'total']),
    );
    expect([...known.words].sort()).toEqual(['1800', '1980', 'discount', 'percent']);
    const nested = { ...failing, id: 'test/price.test.js > total > is the sum' };
    expect(collectFailingTests([nested], new Map()).names).toEqual([
      'is the sum',
      'total > is the sum',
    ]);
  });

  it('takes an everyday word for a symbol only where it is written as code', () => {
    const median = collectFailingTests(
      [{ ...failing, id: 'test_median.py > MedianTest > test_even', message: '' }],
      new Map([['median.py', 'def median(values):\n    return 0\n']]),
    );
    const about = (words: string) => matchTask(task(words), median).matches;
    expect(about('median() is wrong')).toBe(true);
    expect(about('`median` is wrong')).toBe(true);
    expect(about('The median is wrong for even numbers')).toBe(true);
    expect(about('test_even fails')).toBe(true);
    expect(about('The grass of the median strip is wrong')).toBe(false);
  });

  it('speaks of names and types where the tests do', () => {
    const name = collectFailingTests(
      [{ ...failing, id: 'test/a.test.js > a full name', message: '' }],
      new Map([['src/a.js', 'export const fullName = () => 1;\n']]),
    );
    expect(matchTask(task('Fix the name that fullName returns'), name).matches).toBe(true);
  });
});
