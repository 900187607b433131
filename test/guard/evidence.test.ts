import { describe, expect, it } from 'vitest';
import {
  beginRound,
  countCall,
  initialEvidence,
  type StartOfEvidence,
  withSkills,
} from '../../src/guard/evidence.ts';
import type { SkillGrant } from '../../src/guard/skill-grant.ts';

const start: StartOfEvidence = {
  taskPaths: ['a'],
  coreTools: ['grep'],
  allowedSkills: ['one'],
  unreadySkills: { two: 'needs node' },
  verificationWaived: false,
};
const grant = (name: string, tools: readonly string[]) => ({ name, tools }) as SkillGrant;
const withActive = (...activeSkills: SkillGrant[]) => ({ ...initialEvidence(start), activeSkills });

describe('the evidence of a run', () => {
  it('begins at its input without a plan, and in PLAN with an approved one', () => {
    expect(initialEvidence(start)).toMatchObject({ phase: 'INPUT', plan: null, approved: null });
    const approved = { affectedFiles: ['a'], maxChangedLines: 5 } as unknown as NonNullable<
      StartOfEvidence['approved']
    >;
    expect(initialEvidence({ ...start, approved })).toMatchObject({
      phase: 'PLAN',
      approved,
      plan: { ...approved, entrySymbols: [], scope: '' },
    });
  });

  it('counts a call for each active skill that grants its tool', () => {
    const before = withActive(
      grant('one', ['grep']),
      grant('two', ['read']),
      grant('three', ['grep']),
    );
    const once = countCall(before, 'grep');
    const twice = countCall(once, 'grep');
    expect([...twice.skillUse]).toEqual([
      ['one', { activations: 0, rounds: 0, calls: 2 }],
      ['three', { activations: 0, rounds: 0, calls: 2 }],
    ]);
    expect(before.skillUse.size).toBe(0);
  });

  it('is the same use when no active skill grants the tool', () => {
    const before = withActive(grant('two', ['read']));
    expect(countCall(before, 'grep').skillUse).toBe(before.skillUse);
    expect(beginRound(withActive(), 'x').skillUse.size).toBe(0);
  });

  it('counts a round for each active skill', () => {
    const after = beginRound(withActive(grant('one', []), grant('two', [])), 'why');
    expect(after.thought).toBe('why');
    expect([...after.skillUse.values()]).toEqual([
      { activations: 0, rounds: 1, calls: 0 },
      { activations: 0, rounds: 1, calls: 0 },
    ]);
  });

  it('stands under the skills that were read again', () => {
    const active = [grant('new', ['read'])];
    const after = withSkills(initialEvidence(start), {
      allowedSkills: ['new'],
      unreadySkills: { old: 'gone' },
      tools: ['read'],
      active,
    });
    expect(after.activeSkills).toBe(active);
    expect([...after.allowedSkills]).toEqual(['new']);
    expect([...after.unreadySkills]).toEqual([['old', 'gone']]);
    expect([...after.permittedTools]).toEqual(['read']);
  });
});
