import { describe, expect, it } from 'vitest';
import {
  findRoute,
  lastPhase,
  nextPhase,
  stepIn,
  transitions,
} from '../../../src/agent/limits/phases.ts';
import { phases, statuses } from '../../../src/base/outcome.ts';
import type { ClaimFacts, PathFacts } from '../../../src/guard/claim.ts';
import { initialEvidence } from '../../../src/guard/evidence.ts';

const steps = ['plan', 'navigate', 'read', 'patch', 'verify', 'finish', 'abort'] as const;

/** The table once more, a row a phase, a column a step: what constitution §2 allows. */
const allowed = `
          plan      navigate  read  patch  verify  finish  abort
INPUT     PLAN      -         -     -      -       -       ROLLBACK
PLAN      PLAN      NAVIGATE  -     -      -       COMMIT  ROLLBACK
NAVIGATE  NAVIGATE  NAVIGATE  READ  PATCH  VERIFY  COMMIT  ROLLBACK
READ      READ      NAVIGATE  READ  PATCH  VERIFY  COMMIT  ROLLBACK
PATCH     PATCH     NAVIGATE  READ  PATCH  VERIFY  COMMIT  ROLLBACK
VERIFY    VERIFY    NAVIGATE  READ  PATCH  VERIFY  COMMIT  ROLLBACK
COMMIT    -         -         -     -      -       -       ROLLBACK
ROLLBACK  -         -         -     -      -       -       -
`;

const rows = allowed
  .trim()
  .split('\n')
  .slice(1)
  .map(row => row.trim().split(/\s+/));

describe('the transition table', () => {
  it.each(rows)('%s', (phase, ...cells) => {
    const from = phases.find(p => p === phase) ?? expect.fail();
    for (const [i, step] of steps.entries())
      expect(nextPhase(from, step), step).toBe(cells[i] === '-' ? undefined : cells[i]);
    expect(nextPhase(from, undefined)).toBe(from);
  });

  it('has a row for every phase and no other step', () => {
    expect(rows.map(r => r[0])).toEqual([...phases]);
    expect(Object.keys(transitions)).toEqual([...phases]);
    const named = Object.values(transitions).flatMap(row => Object.keys(row));
    expect([...new Set(named)].sort()).toEqual([...steps].sort());
  });
});

describe('a finish', () => {
  const start = initialEvidence({
    taskPaths: [],
    coreTools: [],
    allowedSkills: [],
    unreadySkills: {},
    verificationWaived: false,
  });
  const failed = { patchDigest: 'p', verified: { patchDigest: 'p', passed: false } };
  it.each([
    ['nothing is changed', {}, 'finish'],
    ['the patch passed', { ...failed, verified: { patchDigest: 'p', passed: true } }, 'finish'],
    ['the patch failed', failed, 'abort'],
    [
      'the patch failed, and the tests are waived',
      { ...failed, verificationWaived: true },
      'finish',
    ],
    ['another patch failed', { ...failed, patchDigest: 'q' }, 'finish'],
    ['the patch was not verified', { patchDigest: 'p' }, 'finish'],
    [
      'an empty patch failed',
      { patchDigest: '', verified: { patchDigest: '', passed: false } },
      'finish',
    ],
  ] as const)('when %s', (_name, more, step) => {
    expect(stepIn({ ...start, ...more }, 'finish')).toBe(step);
    expect(stepIn({ ...start, ...more }, 'patch')).toBe('patch');
    expect(stepIn({ ...start, ...more }, undefined)).toBe(undefined);
  });
});

describe('the way of a call', () => {
  const plan = { affectedFiles: ['a.js'], maxChangedLines: 9 };
  const known = new Map([['a.js', new Set([1])]]);
  const start = initialEvidence({
    taskPaths: ['a.js', 'to.js'],
    coreTools: [],
    allowedSkills: [],
    unreadySkills: {},
    verificationWaived: false,
  });
  const file = { kind: 'file', tracked: true, lines: 1 } as const;
  const facts = new Map<string, PathFacts>([
    ['a.js', file],
    ['b.js', file],
    ['new.js', { ...file, kind: 'missing' }],
    ['to.js', { ...file, kind: 'missing' }],
  ]);
  const read = { kind: 'read', path: 'a.js' } as const;
  const skillFile = { kind: 'skill-file', skill: 's', file: 'a.md' } as const;
  const write = (path: string): ClaimFacts => ({
    kind: 'write',
    path,
    change: 'replace',
    ranges: [],
    lines: 0,
  });
  it.each([
    ['a read after the plan', 'PLAN', 'read', [read], ['NAVIGATE', 'READ']],
    ['a read after navigation', 'NAVIGATE', 'read', [read], ['READ']],
    ['a file of a skill', 'PLAN', 'read', [skillFile], []],
    ['a new file', 'NAVIGATE', 'patch', [write('new.js')], ['PATCH']],
    ['a file that was read', 'NAVIGATE', 'patch', [write('./a.js')], ['READ', 'PATCH']],
    ['a file that was not read', 'NAVIGATE', 'patch', [write('b.js')], undefined],
    [
      'a new file and one that was read',
      'NAVIGATE',
      'patch',
      [write('new.js'), write('a.js')],
      ['READ', 'PATCH'],
    ],
    ['an unread file after another read', 'READ', 'patch', [write('b.js')], ['PATCH']],
    ['an undo after navigation', 'NAVIGATE', 'patch', [{ kind: 'undo' }], ['PATCH']],
    ['an unread file after the plan', 'PLAN', 'patch', [write('b.js')], undefined],
    ['a file read before the plan', 'PLAN', 'patch', [write('a.js')], ['NAVIGATE', 'PATCH']],
    ['a named new file after the plan', 'PLAN', 'patch', [write('to.js')], ['NAVIGATE', 'PATCH']],
    ['a new file after the plan', 'PLAN', 'patch', [write('to.js'), write('new.js')], undefined],
    ['no step', 'PLAN', undefined, [], []],
  ] as const)('%s', (_name, phase, step, claims, route) => {
    const evidence = { ...start, phase, known, plan };
    expect(findRoute(step ?? undefined, { claims, facts, evidence })).toEqual(route);
  });

  it('is a part of planning for a look before the plan, but for a file of a skill alone', () => {
    const call = { facts, evidence: start };
    expect(findRoute('read', { ...call, claims: [read] })).toEqual(['PLAN']);
    expect(findRoute('navigate', { ...call, claims: [] })).toEqual(['PLAN']);
    expect(findRoute('read', { ...call, claims: [skillFile] })).toEqual([]);
  });
});

describe('the last phase', () => {
  it.each(statuses)('of a run that ended %s', status => {
    const kept = !['rolled_back', 'abstained', 'needs_clarification', 'failed'].includes(status);
    for (const phase of phases) expect(lastPhase(status, phase)).toBe(kept ? phase : 'ROLLBACK');
  });
});
