/** The rows of CLARIFY_UNFOUNDED. */
import { describe, expect, it } from 'vitest';
import { clarifyUnfounded } from '../../../src/guard/rules/clarify-unfounded.ts';
import { asks, file, type Given, grant, judge, playRows } from './cases.ts';

const names = (...all: string[]) => all.map(name => ({ name }));
const conflict = (...all: string[]) => [
  asks('conflicting_constraints', { constraints: names(...all) }),
];
/** These files were found, and are so. */
const led = (paths: readonly string[], facts: Given['facts'] = {}): Given => ({
  evidence: { navigatedFiles: new Set(paths) },
  facts,
});
/** A question whose choices destroy these files. */
const destroying = (...destroys: string[][]) => [asks('destructive_paths', { destroys })];

playRows(clarifyUnfounded, 'abstain CLARIFY_UNFOUNDED §9', [
  ['one way', destroying(['a.js']), 'the question offers fewer than two choices'],
  [
    'a way that destroys nothing',
    destroying(['a.js'], []),
    'choice 2 names no file that it destroys; if it destroys none, take it and do not ask',
    led(['a.js']),
  ],
  [
    'a file that is not there',
    destroying(['a.js'], ['gone.js']),
    'choice 2: gone.js is not a tracked file',
    led(['a.js', 'gone.js'], { 'gone.js': { kind: 'missing', tracked: false, lines: [] } }),
  ],
  [
    'a path that leads out',
    destroying(['a.js'], ['../b.js']),
    'choice 2: ../b.js is not a tracked file',
    led(['a.js']),
  ],
  [
    'two ways, one of which destroys an image',
    destroying(['a.js'], ['b.png']),
    'pass',
    led(['a.js', 'b.png'], { 'b.png': { kind: 'binary', tracked: true, lines: [] } }),
  ],
  [
    'a file that this run did not find',
    destroying(['a.js'], ['b.js']),
    'choice 2: nothing in this run led to b.js',
    led(['a.js'], { 'b.js': file }),
  ],
  [
    'the same files twice',
    destroying(['a.js', './b.js'], ['b.js', 'a.js']),
    'two choices destroy the same files',
    led(['a.js', 'b.js'], { 'b.js': file }),
  ],
  [
    'two ways that destroy different files',
    destroying(['a.js'], ['b.js']),
    'pass',
    led(['a.js', 'b.js'], { 'b.js': file }),
  ],
  ['no constraint', conflict(), 'the question names fewer than two different constraints'],
  [
    'one constraint under two names',
    conflict('READ_LIMIT', 'read_lines'),
    'the question names fewer than two different constraints',
  ],
  [
    'a constraint that is not there',
    conflict('READ_LIMIT', 'good taste'),
    '"good taste" is not a constraint in force',
  ],
  [
    'a rule that only asks for a step',
    conflict('READ_LIMIT', 'STALE_READ'),
    '"STALE_READ" is not a constraint in force',
    { evidence: { refused: new Set(['STALE_READ']) } },
  ],
  [
    'a quote that the skill does not state',
    [
      asks('conflicting_constraints', {
        constraints: [...names('READ_LIMIT'), { skill: 'code-modify', quote: 'other' }],
      }),
    ],
    '"code-modify: …" is not a constraint in force',
    { evidence: { activeSkills: [{ ...grant({}), constraints: ['stated'] }] } },
  ],
  [
    'constraints that refused nothing',
    conflict('within', 'approved_plan'),
    'none of these constraints refused a call of this run',
    {
      evidence: {
        within: ['src/**'],
        approved: { affectedFiles: ['a.js'], maxChangedLines: 1 },
        refused: new Set(['SKILL_GUARD', 'SKILL_GUARD code-modify']),
      },
    },
  ],
  [
    'a refusal of another skill',
    conflict('code-modify', 'patch_files'),
    'none of these constraints refused a call of this run',
    {
      evidence: {
        activeSkills: [grant({ guards: { create: false } })],
        refused: new Set(['SKILL_GUARD', 'SKILL_GUARD other']),
      },
    },
  ],
  [
    'the limits of a skill and what it states',
    [
      asks('conflicting_constraints', {
        constraints: [...names('code-modify'), { skill: 'code-modify', quote: 'stated' }],
      }),
    ],
    'pass',
    {
      evidence: {
        activeSkills: [{ ...grant({ guards: { create: false } }), constraints: ['stated'] }],
        refused: new Set(['SKILL_GUARD', 'SKILL_GUARD code-modify']),
      },
    },
  ],
  [
    'the approved plan and the files of the task',
    conflict('within', 'approved_plan'),
    'pass',
    {
      evidence: {
        within: ['src/**'],
        approved: { affectedFiles: ['a.js'], maxChangedLines: 1 },
        refused: new Set(['PLAN_SCOPE']),
      },
    },
  ],
  ['no symbol', [asks('unresolved_symbol')], 'the question names no symbol'],
  [
    'a symbol that was not looked for under this name',
    [asks('unresolved_symbol', { symbol: 'f' })],
    'no lookup of exactly "f" in this run found nothing',
    { evidence: { unresolved: new Set(['g', 'function f(']) } },
  ],
  [
    'a symbol that was missed',
    [asks('unresolved_symbol', { symbol: 'f' })],
    'pass',
    { evidence: { unresolved: new Set(['g', 'f']) } },
  ],
]);

describe('CLARIFY_UNFOUNDED by itself', () => {
  it('asks for grounds whatever the other claims are', () => {
    expect(
      judge(clarifyUnfounded, [{ kind: 'undo' }, asks('destructive_paths')]),
    ).not.toBeUndefined();
  });
});
