import { describe, expect, it } from 'vitest';
import { failingTestsOf } from '../../src/repair/failing-tests.ts';
import { matchTask } from '../../src/repair/match-task.ts';
import { failing, issue, known, matches, task } from './tasks.ts';

describe('what is known of failing tests', () => {
  it('names cases with and without their suites, files, symbols, and words that tell', () => {
    expect(known.names).toEqual(['a discount is taken off in percent']);
    expect(known.files).toEqual(['test/price.test.js', 'src/price.js']);
    expect([...known.symbols]).toEqual(
      expect.arrayContaining(['orderTotal', 'shipsFree', 'total']),
    );
    expect([...known.words].sort()).toEqual(['1800', '1980', 'discount', 'percent']);
    const nested = { ...failing, id: 'test/price.test.js > total > is the sum' };
    expect(failingTestsOf([nested], new Map()).names).toEqual(['is the sum', 'total > is the sum']);
  });

  it('takes an everyday word for a symbol only where it is written as code', () => {
    const median = failingTestsOf(
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
    const name = failingTestsOf(
      [{ ...failing, id: 'test/a.test.js > a full name', message: '' }],
      new Map([['src/a.js', 'export const fullName = () => 1;\n']]),
    );
    expect(matchTask(task('Fix the name that fullName returns'), name).matches).toBe(true);
  });
});

describe('a long text', () => {
  it.each(['`', 'a', '.', '"', 'expected ', 'without changing ', 'make ', '```\n', '(', ' ', '\n'])(
    'of %j is read to its end',
    part => {
      const long = part.repeat(20_000 / part.length);
      expect(matches(task(long))).toBe(false);
      expect(matches(issue(long))).toBe(false);
      failingTestsOf([failing], new Map([['src/price.js', part.repeat(300_000 / part.length)]]));
    },
  );

  it('may hide nothing behind its end', () => {
    const hidden = `Make the failing tests pass. ${'It is broken. '.repeat(2000)} Rename shipsFree.`;
    expect(matches(task(hidden))).toBe(false);
  });
});
