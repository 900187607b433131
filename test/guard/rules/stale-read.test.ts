/** The rows of STALE_READ. */
import { describe, expect, it } from 'vitest';
import { staleRead } from '../../../src/guard/rules/stale-read.ts';
import { at, file, judge, known, missing, planned, playRows, write } from './cases.ts';

playRows(staleRead, 'abstain STALE_READ §3.3', [
  [
    'a line that was not read',
    [write('a.js', at(3, 3))],
    'not read in their current state: a.js:3-3',
    { evidence: { known: new Map([['a.js', known(1, 2, 4)]]) } },
  ],
  [
    'the span of what was not read',
    [write('a.js', { ...at(1, 4), added: '' })],
    'not read in their current state: a.js:2-4',
    { evidence: { known: new Map([['a.js', known(1, 3)]]) } },
  ],
  [
    'a file that was not read',
    [write('a.js')],
    'not read in their current state: a.js:2-2',
    { evidence: { known: new Map() } },
  ],
  [
    'all at once',
    [
      write('a.js', {
        ranges: [
          { startLine: 1, endLine: 1 },
          { startLine: 3, endLine: 3 },
        ],
      }),
    ],
    'not read in their current state: a.js:1-1, a.js:3-3',
    { evidence: { known: new Map() } },
  ],
  [
    'lines past the end are not its matter',
    [write('a.js', at(4, 9))],
    'pass',
    { evidence: { plan: planned(['a.js'], 50) } },
  ],
  [
    'an insert by a line that was read',
    [write('a.js', at(3, 2))],
    'pass',
    { evidence: { known: new Map([['a.js', known(3)]]) } },
  ],
  [
    'an insert at the end',
    [write('a.js', at(5, 4))],
    'pass',
    { evidence: { known: new Map([['a.js', known(4)]]) } },
  ],
  [
    'an insert between lines that were not',
    [write('a.js', at(3, 2))],
    'not read in their current state: a.js:2-3',
    { evidence: { known: new Map([['a.js', known(1, 4)]]) } },
  ],
  [
    'an insert behind a last line that was not read',
    [write('a.js', at(5, 4))],
    'not read in their current state: a.js:4-5',
    { evidence: { known: new Map([['a.js', known(1, 2)]]) } },
  ],
  [
    'an insert before a first line that was not read',
    [write('a.js', at(1, 0))],
    'not read in their current state: a.js:0-1',
    { evidence: { known: new Map([['a.js', known(3)]]) } },
  ],
  [
    'an insert into an empty file',
    [write('a.js', at(1, 0))],
    'pass',
    { facts: { 'a.js': { ...file, lines: [] } }, evidence: { known: new Map() } },
  ],
  [
    'a whole file',
    [write('a.js', { change: 'replace', ranges: [] })],
    'not read in their current state: a.js:4-4',
    { evidence: { known: new Map([['a.js', known(1, 2, 3)]]) } },
  ],
  ['a whole file that was read', [write('a.js', { change: 'replace', ranges: [] })], 'pass'],
  [
    'a deletion',
    [write('a.js', { change: 'delete', ranges: [], added: '' })],
    'not read in their current state: a.js:1-4',
    { evidence: { known: new Map() } },
  ],
  [
    'a new file',
    [write('b/c.js', { change: 'replace', ranges: [] })],
    'pass',
    { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['b']) } },
  ],
  [
    'an empty line that was not read',
    [write('a.js', at(1, 1))],
    'not read in their current state: a.js:1-1',
    { facts: { 'a.js': { ...file, lines: [''] } }, evidence: { known: new Map() } },
  ],
]);

describe('STALE_READ by itself', () => {
  it('answers against a call of which nothing is known', () => {
    expect(judge(staleRead, [write('../x')])).toBe('not read in their current state: ../x');
    expect(judge(staleRead, [write('unknown.js')])).toBe(
      'not read in their current state: unknown.js',
    );
    // an edit of a file that is not there holds no line that was read
    const gone = { facts: { 'gone.js': { ...missing, lines: ['x'] } } };
    expect(judge(staleRead, [write('gone.js', at(1, 1))], gone)).toMatch(/gone\.js:1-1/);
    expect(judge(staleRead, [write('gone.js', { change: 'delete' })], gone)).toMatch(/gone\.js/);
    expect(
      judge(staleRead, [write('a.js', { change: 'replace', ranges: [] })], {
        evidence: { known: new Map() },
      }),
    ).toMatch(/a\.js:1-4/);
    expect(judge(staleRead, [write('gone.js', { change: 'replace' })], gone)).toBeUndefined();
  });
});
