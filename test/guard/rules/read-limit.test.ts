/** The rows of READ_LIMIT. */
import { describe, expect, it } from 'vitest';
import { readLimit } from '../../../src/guard/rules/read-limit.ts';
import { at, file, judge, limited, playRows, read, write } from './cases.ts';

playRows(readLimit, 'violation READ_LIMIT §3.1', [
  [
    'one too many',
    [read('a.js', 1, 501)],
    'a.js: 501 lines requested in one round; at most 500 are allowed',
  ],
  ['just enough', [read('a.js', 101, 600)], 'pass'],
  [
    'ranges of one file together, in another spelling too',
    [read('a.js', 600, 849), read('./a.js', 1, 251)],
    'a.js: 501 lines requested in one round; at most 500 are allowed',
  ],
  ['lines in two ranges count once', [read('a.js', 1, 300), read('a.js', 201, 500)], 'pass'],
  ['one range inside another', [read('a.js', 1, 500), read('a.js', 20, 30)], 'pass'],
  [
    'another file has its own lines',
    [read('a.js', 1, 500), read('c.js', 1, 500)],
    'pass',
    { facts: { 'c.js': file }, evidence: { navigatedFiles: new Set(['a.js', 'c.js']) } },
  ],
  [
    'with the lines that the round has read',
    [read('a.js', 10, 507)],
    'a.js: 501 lines requested in one round; at most 500 are allowed',
    { evidence: { readThisRound: new Map([['a.js', new Set([1, 2, 3, 10])]]) } },
  ],
  [
    'without the lines that it asks for again',
    [read('a.js', 3, 502)],
    'pass',
    { evidence: { readThisRound: new Map([['a.js', new Set([3, 4])]]) } },
  ],
  ['no range', [read('a.js')], 'pass'],
  [
    'a tighter law',
    [read('a.js', 1, 3)],
    'a.js: 3 lines requested in one round; at most 2 are allowed',
    { policy: limited({ read_lines: 2 }) },
  ],
  ['a write is no read', [write('a.js', at(1, 4))], 'pass', { call: { nextPhase: 'PATCH' } }],
]);

describe('READ_LIMIT by itself', () => {
  it('leaves the rest to others', () => {
    expect(judge(readLimit, [{ kind: 'navigate', path: 'a.js' }])).toBeUndefined();
  });
});
