import { describe, expect, it } from 'vitest';
import { statesOn } from '../../src/agent/context/prompt.ts';
import { lastPhase, nextPhase, stepIn, transitions } from '../../src/agent/limits/phases.ts';
import { initialEvidence } from '../../src/guard/evidence.ts';
import { phases, statuses } from '../../src/outcome.ts';

const steps = ['plan', 'navigate', 'read', 'patch', 'verify', 'finish', 'abort'] as const;

/** The table once more, a row a phase, a column a step: what constitution §2 allows. */
const allowed = `
          plan      navigate  read  patch  verify  finish  abort
INPUT     PLAN      -         -     -      -       -       ROLLBACK
PLAN      PLAN      NAVIGATE  READ  -      -       COMMIT  ROLLBACK
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
      expect(nextPhase(from, step), step).toBe(cells[i] === '-' ? null : cells[i]);
    expect(nextPhase(from, null)).toBe(from);
  });

  it('has a row for every phase and no other step', () => {
    expect(rows.map(r => r[0])).toEqual([...phases]);
    expect(Object.keys(transitions)).toEqual([...phases]);
    const named = Object.values(transitions).flatMap(row => Object.keys(row));
    expect([...new Set(named)].sort()).toEqual([...steps].sort());
  });
});

describe('the state that a phase turns on', () => {
  it.each([
    ['INPUT', 'planning'],
    ['PLAN', 'planning'],
    ['NAVIGATE', 'navigating'],
    ['READ', 'reading'],
    ['PATCH', 'executing'],
    ['VERIFY', 'evaluating'],
    ['COMMIT', null],
    ['ROLLBACK', null],
  ] as const)('%s: %s', (phase, state) => {
    expect([...statesOn(phase, ['own'], false)]).toEqual([...(state ? [state] : []), 'own']);
    expect([...statesOn(phase, [], true)].at(-1)).toBe('paging');
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
    expect(stepIn({ ...start, ...more }, null)).toBe(null);
  });
});

describe('the last phase', () => {
  it.each(statuses)('of a run that ended %s', status => {
    const kept = ['committed', 'no_change', 'answered'].includes(status);
    for (const phase of phases) expect(lastPhase(status, phase)).toBe(kept ? phase : 'ROLLBACK');
  });
});
