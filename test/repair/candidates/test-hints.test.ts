/** The values that a test compared show which text the program should have written. */
import { describe, expect, it } from 'vitest';
import {
  collectHints,
  findDifferences,
  likeness,
  textsFor,
} from '../../../src/repair/candidates/test-hints.ts';

const failed = (message: string) => ({
  id: 'a.test.js > works',
  file: 'a.test.js',
  status: 'failed' as const,
  message,
});
const from = (actual: string, expected: string) => ({
  compared: [{ actual, expected }],
  texts: [],
});

describe('hints of failing tests', () => {
  it('are the compared values, or those in a message', () => {
    const compared = { actual: '0', expected: '-0' };
    const messages = ["AssertionError: assert 'a' == 'b'", "AssertionError: 'c' != 'd'", 'boom'];
    const hints = collectHints([{ ...failed('no'), compared }, ...messages.map(failed)], new Map());
    expect(hints.compared).toEqual([
      compared,
      { actual: 'a', expected: 'b' },
      { actual: 'c', expected: 'd' },
    ]);
  });

  it('are the literals and the names of the tests', () => {
    const { texts } = collectHints(
      [],
      new Map([['a.test.js', "equal(f('-'), `a b`); x.__proto__"]]),
    );
    expect(texts).toEqual(expect.arrayContaining(['-', 'a b', '__proto__']));
  });

  it('are the literals near the line that fails, the rare ones first', () => {
    const text = "get('a=1');\nget('__proto__=1');\n";
    const frames = [
      { path: 'src/a.js', line: 1 },
      { path: 'a.test.js', line: 2 },
    ];
    const { near } = collectHints([{ ...failed('no'), frames }], new Map([['a.test.js', text]]));
    expect(near?.slice(0, 3)).toEqual(['a=1', '__proto__=1', '__proto__']);
  });

  it('are the names that an interpreter did not find', () => {
    const messages = [
      "AttributeError: 'Query' object has no attribute 'mrege'",
      "NameError: name 'itmes' is not defined",
      'TypeError: list.entires is not a function',
      'ReferenceError: opts is not defined',
    ];
    expect(collectHints(messages.map(failed), new Map()).missing).toEqual(
      new Set(['mrege', 'itmes', 'entires', 'opts']),
    );
  });

  it('are what an empty text lacks', () => {
    expect(textsFor('', from('[Function]', '[Function (anonymous)]'))).toEqual([' (anonymous)']);
  });

  it('apply every difference that lies in a text', () => {
    expect(findDifferences({ actual: '"a":1,"b":2', expected: '"a": 1,"b": 2' })).toEqual([
      { start: 4, end: 4, text: ' ' },
      { start: 10, end: 10, text: ' ' },
    ]);
    expect(textsFor(':', from('"a":1,"b":2', '"a": 1,"b": 2'))).toEqual([': ']);
    expect(textsFor('0', from('0', '-0'))).toEqual(['-0']);
    expect(textsFor('[Obj]', from('{ a: [Obj] }', '{ a: [Object] }'))).toEqual(['[Object]']);
  });

  it('leave out a text that the actual value does not hold, or that is right', () => {
    expect(textsFor('x', from('0', '-0'))).toEqual([]);
    expect(textsFor('a', from('a b', 'a c'))).toEqual([]);
  });

  it('stay within bounds for long values', () => {
    const long = 'ab'.repeat(1000);
    expect(findDifferences({ actual: `x${long}y`, expected: `z${long}` })).toEqual([
      { start: 0, end: 2002, text: `z${long}` },
    ]);
    expect(textsFor('a', from(long, 'b'.repeat(900))).length).toBeLessThanOrEqual(13);
  });

  it('say how alike two texts are', () => {
    expect(likeness('_proto_', '__proto__')).toBeCloseTo(14 / 16);
    expect(likeness('abc', 'xyz')).toBe(0);
  });
});
