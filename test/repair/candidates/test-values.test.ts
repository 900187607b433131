/** What failing tests show: values, and names that do not exist. */
import { describe, expect, it } from 'vitest';
import {
  collectCompared,
  collectMissing,
  likeness,
} from '../../../src/repair/candidates/test-values.ts';

const failed = (message: string) => ({
  id: 'a.test.js > works',
  file: 'a.test.js',
  status: 'failed' as const,
  message,
});

describe('what failing tests show', () => {
  it('is the compared values, or those in a message', () => {
    const compared = { actual: '0', expected: '-0' };
    const messages = ["AssertionError: assert 'a' == 'b'", "AssertionError: 'c' != 'd'", 'boom'];
    expect(collectCompared([{ ...failed('no'), compared }, ...messages.map(failed)])).toEqual([
      compared,
      { actual: 'a', expected: 'b' },
      { actual: 'c', expected: 'd' },
    ]);
  });

  it('is the names that an interpreter did not find', () => {
    const messages = [
      "AttributeError: 'Query' object has no attribute 'mrege'",
      "NameError: name 'itmes' is not defined",
      'TypeError: list.entires is not a function',
      'ReferenceError: opts is not defined',
    ];
    expect(collectMissing(messages.map(failed))).toEqual(
      new Set(['mrege', 'itmes', 'entires', 'opts']),
    );
  });

  it('says how alike two names are', () => {
    expect(likeness('_proto_', '__proto__')).toBeCloseTo(14 / 16);
    expect(likeness('abc', 'xyz')).toBe(0);
  });
});
