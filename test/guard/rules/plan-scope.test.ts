/** The rows of PLAN_SCOPE. */
import { describe, expect, it } from 'vitest';
import { planScope } from '../../../src/guard/rules/plan-scope.ts';
import {
  at,
  type Given,
  judge,
  limited,
  missing,
  planned,
  playRows,
  read,
  write,
} from './cases.ts';

playRows(planScope, 'abstain PLAN_SCOPE §4', [
  [
    'another file',
    [write('d.js', { change: 'replace', ranges: [] })],
    "d.js is not among the plan's affected files",
    { facts: { 'd.js': missing }, evidence: { navigatedFolders: new Set(['']) } },
  ],
  [
    'another spelling of a planned one',
    [write('b/./c.js', { change: 'replace', ranges: [] })],
    'pass',
    { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['']) } },
  ],
  [
    'a file outside of those that the task names',
    [write('a.js')],
    'a.js is outside lib/**, the only paths that this task may change',
    { evidence: { within: ['lib/**'] } },
  ],
  [
    'a plan outside of them',
    [{ kind: 'plan', files: ['a.js'], maxChangedLines: 1 }],
    'a.js is outside lib/**, the only paths that this task may change',
    { evidence: { within: ['lib/**'] } },
  ],
  ['a file inside of them', [write('a.js')], 'pass', { evidence: { within: ['*.js'] } }],
  [
    'another spelling of a file inside of them',
    [write('./a.js')],
    'pass',
    { evidence: { within: ['a.js'] } },
  ],
  ['a read outside of them', [read('a.js', 1)], 'pass', { evidence: { within: ['lib/**'] } }],
  [
    'a patch beside an approved plan, which only a plan can go beyond',
    [write('a.js')],
    'pass',
    { evidence: { approved: { affectedFiles: ['a.js'], maxChangedLines: 5 } } },
  ],
  ['as many lines as planned', [write('a.js', { added: '1\n2\n3\n4\n5' })], 'pass'],
  [
    'one line more',
    [write('a.js', { added: '1\n2\n3\n4\n5\n6' })],
    'the patch would change 6 lines; the plan allows at most 5',
  ],
  [
    'together with what is changed',
    [write('a.js', { added: '1\n2' })],
    'the patch would change 6 lines; the plan allows at most 5',
    { evidence: { changedLines: 4 } },
  ],
  [
    'several ranges of one file',
    [
      write('a.js', {
        added: '',
        ranges: [
          { startLine: 1, endLine: 2 },
          { startLine: 3, endLine: 4 },
        ],
      }),
    ],
    'the patch would change 6 lines; the plan allows at most 5',
    { evidence: { changedLines: 2 } },
  ],
  [
    'an insert takes no line away',
    [write('a.js', { added: '1', ranges: [{ startLine: 2, endLine: 1 }] })],
    'pass',
    { evidence: { changedLines: 4 } },
  ],
  [
    'lines of two files',
    [
      write('a.js', { added: '1\n2\n3' }),
      write('b/c.js', { change: 'replace', ranges: [], added: '1\n2\n3' }),
    ],
    'the patch would change 6 lines; the plan allows at most 5',
    { facts: { 'b/c.js': missing }, evidence: { navigatedFolders: new Set(['']) } },
  ],
  [
    'too many files',
    [write('a.js')],
    'the patch would change 2 files; at most 1 are allowed',
    { policy: limited({ patch_files: 1 }), evidence: { patchedFiles: new Set(['z.js']) } },
  ],
  [
    'the same file again',
    [write('./a.js')],
    'pass',
    { policy: limited({ patch_files: 1 }), evidence: { patchedFiles: new Set(['a.js']) } },
  ],
  [
    'a renamed file is one',
    [
      write('a.js', { change: 'delete', ranges: [], added: '' }),
      write('n.js', { change: 'replace', ranges: [], added: 'one\ntwo\nthree\n' }),
    ],
    'pass',
    {
      policy: limited({ patch_files: 1 }),
      facts: { 'n.js': missing },
      evidence: { plan: planned(['a.js', 'n.js'], 9), navigatedFolders: new Set(['']) },
    },
  ],
  [
    'a file that was renamed before is one',
    [write('a.js')],
    'pass',
    {
      policy: limited({ patch_files: 2 }),
      evidence: {
        patchedFiles: new Set(['y.js', 'z.js']),
        renames: [{ from: 'y.js', to: 'z.js' }],
      },
    },
  ],
  [
    'a renamed file whose text is replaced is no rename any more',
    [write('a.js', { ...at(1, 4), added: 'x' })],
    'the patch would change 2 files; at most 1 are allowed',
    {
      policy: limited({ patch_files: 1 }),
      evidence: {
        patchedFiles: new Set(['y.js', 'a.js']),
        renames: [{ from: 'y.js', to: 'a.js' }],
      },
    },
  ],
  [
    'as many files as allowed',
    [write('a.js')],
    'pass',
    { policy: limited({ patch_files: 2 }), evidence: { patchedFiles: new Set(['z.js']) } },
  ],
]);

describe('PLAN_SCOPE by itself', () => {
  it('amends an approved plan to less, never to more', () => {
    const approved = { affectedFiles: ['a.js', './b//c.js'], maxChangedLines: 5 };
    const amend = (files: readonly string[], maxChangedLines: number, given: Given = {}) =>
      judge(planScope, [{ kind: 'plan', files, maxChangedLines }], given);
    const bound = { evidence: { approved } };
    expect(amend(['x.js'], 5000)).toBeUndefined();
    expect(amend(['b/c.js', './a.js'], 5, bound)).toBeUndefined();
    expect(amend(['a.js'], 1, bound)).toBeUndefined();
    expect(amend(['a.js', 'x.js'], 1, bound)).toBe(
      'x.js is not in the approved plan; abstain if the approved plan is not enough',
    );
    expect(amend(['../a.js'], 1, bound)).toContain('../a.js is not in the approved plan');
    expect(amend(['a.js'], 6, bound)).toContain('at most 5 changed lines');
  });

  it('answers against a call of which nothing is known', () => {
    expect(judge(planScope, [write('a.js')], { evidence: { plan: undefined } })).toBe(
      'there is no plan yet',
    );
    const five = { plan: planned(['a.js'], 1) };
    expect(
      judge(planScope, [write('a.js', { added: '', ranges: [] })], {
        evidence: { ...five, changedLines: 1 },
      }),
    ).toBeUndefined();
  });
});
