import { describe, expect, it } from 'vitest';
import { findRenames } from '../../src/guard/renames.ts';

const file = (path: string, text: string) => ({ path, lines: text.split(' ') });

describe('a rename', () => {
  it.each<[string, string[], string[], string[]]>([
    ['the same lines', ['a: 1 2 3'], ['b: 1 2 3'], ['a > b']],
    ['half of the lines', ['a: 1 2 3 4'], ['b: 1 2 x y'], ['a > b']],
    ['less than half', ['a: 1 2 3 4'], ['b: 1 x y z'], []],
    ['a copy of a part', ['a: 1 2 3 4 5'], ['b: 1 2'], []],
    ['repeated lines count as often as they are there', ['a: 1 2 3 4'], ['b: 1 1 1 1'], []],
    ['the most similar one', ['a: 1 2 x', 'b: 1 2 3'], ['c: 1 2 3'], ['b > c']],
    ['each file once', ['a: 1 2'], ['b: 1 2', 'c: 1 2'], ['a > b']],
    ['nothing that goes', [], ['b: 1'], []],
  ])('%s', (_name, gone, made, expected) => {
    const parse = (rows: string[]) =>
      rows.map(row => file(row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 2)));
    const found = findRenames(parse(gone), parse(made));
    expect(found.map(r => `${r.from} > ${r.to}`)).toEqual(expected);
  });

  it('of empty files is none', () => {
    const empty = (path: string) => ({ path, lines: [] });
    expect(findRenames([empty('a')], [empty('b')])).toEqual([]);
  });

  it('is found among many files of many lines in bounded time', () => {
    const many = (name: string) =>
      Array.from({ length: 50 }, (_, i) => ({
        path: `${name}${i}`,
        lines: Array.from({ length: 1000 }, (_, l) => `${i} ${l} ${name === 'b' && l === 0}`),
      }));
    expect(findRenames(many('a'), many('b'))).toHaveLength(50);
  });
});
