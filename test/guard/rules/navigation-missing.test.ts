/** The rows of NAVIGATION_MISSING. */
import { describe, expect, it } from 'vitest';
import { navigationMissing } from '../../../src/guard/rules/navigation-missing.ts';
import { file, judge, missing, planned, playRows, read, strict, write } from './cases.ts';

playRows(navigationMissing, 'abstain NAVIGATION_MISSING §3.2', [
  [
    'a guess',
    [read('b.js', 1)],
    'no listing, search or lookup in this run returned b.js',
    { policy: strict, facts: { 'b.js': file } },
  ],
  ['a guess of another spelling of a known path', [read('./a.js', 1)], 'pass'],
  [
    'a write',
    [write('b.js')],
    'no listing, search or lookup in this run returned b.js',
    { policy: strict, facts: { 'b.js': file } },
  ],
  [
    'a new file below a folder that was listed',
    [write('b/c.js', { change: 'replace', ranges: [] })],
    'pass',
    { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['b']) } },
  ],
  [
    'a new file elsewhere',
    [write('b/c.js', { change: 'replace', ranges: [] })],
    'no listing, search or lookup in this run returned b/c.js',
    { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['b/c.js', 'x']) } },
  ],
  [
    'an old file of a folder that was listed',
    [read('b/c.js', 1)],
    'no listing, search or lookup in this run returned b/c.js',
    {
      facts: { 'b/c.js': file },
      evidence: { navigatedFolders: new Set(['b', '']), plan: planned([], 5) },
    },
  ],
  [
    'a file whose path an output or the map has shown',
    [read('b.js', 1)],
    'pass',
    { facts: { 'b.js': file }, evidence: { seenFiles: new Set(['b.js']) } },
  ],
  [
    'the same by the letter',
    [read('b.js', 1)],
    'no listing, search or lookup in this run returned b.js',
    { policy: strict, facts: { 'b.js': file }, evidence: { seenFiles: new Set(['b.js']) } },
  ],
  ['a file of the plan that is there', [read('b/c.js', 1)], 'pass', { facts: { 'b/c.js': file } }],
  [
    'listing needs no listing',
    [{ kind: 'navigate', path: 'b' }],
    'pass',
    { facts: { b: { ...missing, kind: 'folder' } } },
  ],
  [
    'a file that is there, when no lookup was made for it',
    [read('b.js', 1)],
    'no listing, search or lookup in this run returned b.js',
    { facts: { 'b.js': file } },
  ],
  [
    'a file that is not there, with those that are like it',
    [read('c/b.js', 1), read('x.js', 1)],
    'c/b.js does not exist; similar paths: b.js, d/b.js; x.js does not exist',
    { facts: { 'c/b.js': { ...missing, nearest: ['b.js', 'd/b.js'] }, 'x.js': missing } },
  ],
  [
    'a file that is not there, beside one that is',
    [read('a.js', 1), read('c/b.js', 1)],
    'pass',
    { facts: { 'c/b.js': missing } },
  ],
  [
    'the same in strict mode',
    [read('a.js', 1), read('c/b.js', 1)],
    'no listing, search or lookup in this run returned c/b.js',
    { policy: strict, facts: { 'c/b.js': missing } },
  ],
  [
    'a folder, whose names are shown',
    [read('src', 1)],
    'pass',
    { facts: { src: { ...missing, kind: 'folder' } } },
  ],
]);

describe('NAVIGATION_MISSING by itself', () => {
  it('answers against a call of which nothing is known', () => {
    expect(judge(navigationMissing, [read('../x')])).toBe(
      'no listing, search or lookup in this run returned ../x',
    );
    expect(
      judge(navigationMissing, [read('unknown.js')], {
        evidence: { navigatedFolders: new Set(['']) },
      }),
    ).toMatch(/unknown\.js/);
  });
});
