import { describe, expect, it } from 'vitest';
import {
  addEvidence,
  addRefusal,
  beginRound,
  countCall,
  initialEvidence,
  type StartOfEvidence,
  withSkills,
} from '../../src/guard/evidence.ts';
import type { SkillGrant } from '../../src/guard/policy/skill-grant.ts';

const lines = (startLine: number, endLine: number) => ({ lines: [{ startLine, endLine }] });

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
    expect(initialEvidence(start)).toMatchObject({
      phase: 'INPUT',
      plan: undefined,
      approved: undefined,
    });
    const approved = { affectedFiles: ['a'], maxChangedLines: 5 } as unknown as NonNullable<
      StartOfEvidence['approved']
    >;
    expect(initialEvidence({ ...start, approved })).toMatchObject({
      phase: 'PLAN',
      approved,
      plan: approved,
    });
  });

  it('forgets the lines that left the conversation, and those alone', () => {
    const read = addEvidence(initialEvidence(start), { kind: 'read', path: 'a', ...lines(1, 6) });
    const gone = [
      { startLine: 2, endLine: 3 },
      { startLine: 6, endLine: 9 },
    ];
    const after = addEvidence(read, { kind: 'forgotten', path: 'a', lines: gone });
    expect([...(after.known.get('a')?.keys() ?? [])]).toEqual([1, 4, 5]);
    const both = addEvidence(after, { kind: 'forgotten', path: 'b', lines: gone });
    expect([...(both.known.get('b')?.keys() ?? ['none'])]).toEqual([]);
    expect([...(both.known.get('a')?.keys() ?? [])]).toEqual([1, 4, 5]);
  });

  it('has the renames of the last patch, none when it names none', () => {
    const patch = { kind: 'patched', known: [], patchDigest: 'p' } as const;
    const renames = [{ from: 'a', to: 'b' }];
    const moved = addEvidence(initialEvidence(start), {
      ...patch,
      patchedFiles: ['a', 'b'],
      renames,
      changedLines: 1,
    });
    expect(moved.renames).toEqual(renames);
    const next = addEvidence(moved, { ...patch, patchedFiles: ['a'], changedLines: 2 });
    expect(next.renames).toEqual([]);
    expect(next.changedLines).toBe(2);
  });

  it('names the skills behind a refusal by their limits, and by no other rule', () => {
    const active = withActive(
      grant('one', ['grep']),
      grant('two', ['read']),
      grant('three', ['grep']),
    );
    const limited = addRefusal(active, { code: 'SKILL_GUARD', tool: 'grep' });
    expect([...limited.refused]).toEqual(['SKILL_GUARD', 'SKILL_GUARD one', 'SKILL_GUARD three']);
    const both = addRefusal(limited, { code: 'PATH_SKILL_', tool: 'grep' });
    expect([...both.refused].slice(3)).toEqual(['PATH_SKILL_']);
  });

  it('counts an activation only for a skill that was not active', () => {
    const permit = (...skills: SkillGrant[]) =>
      ({ kind: 'permitted', tools: ['grep'], skills }) as const;
    const once = addEvidence(initialEvidence(start), permit(grant('one', [])));
    const more = addEvidence(once, permit(grant('one', []), grant('two', [])));
    const again = addEvidence(addEvidence(more, permit()), permit(grant('one', [])));
    expect([...again.skillUse]).toEqual([
      ['one', { activations: 2, rounds: 0, calls: 0 }],
      ['two', { activations: 1, rounds: 0, calls: 0 }],
    ]);
    expect([...again.permittedTools]).toEqual(['grep']);
    expect(again.activeSkills.map(s => s.name)).toEqual(['one']);
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

describe('evidence', () => {
  const start = initialEvidence({
    taskPaths: ['t.js'],
    coreTools: ['plan'],
    allowedSkills: ['s'],
    unreadySkills: {},
    verificationWaived: true,
  });

  it('begins with what the start gives and nothing else', () => {
    expect(start).toEqual({
      phase: 'INPUT',
      thought: '',
      isBrief: true,
      repeats: false,
      repetitionRefused: false,
      outlined: new Set(),
      plan: undefined,
      patchDigest: '',
      changedLines: 0,
      verified: undefined,
      verificationWaived: true,
      approved: undefined,
      within: undefined,
      navigatedFiles: new Set(['t.js']),
      navigatedFolders: new Set(),
      seenFiles: new Set(),
      unresolved: new Set(),
      refused: new Set(),
      known: new Map(),
      readThisRound: new Map(),
      patchedFiles: new Set(),
      renames: [],
      permittedTools: new Set(['plan']),
      allowedSkills: new Set(['s']),
      unreadySkills: new Map(),
      activeSkills: [],
      skillUse: new Map(),
      skillsOfTask: 0,
    });
  });

  it('adds up, and never changes what it was', () => {
    const before = structuredClone(start);
    const plan = { affectedFiles: ['a'], maxChangedLines: 1 };
    let now = addEvidence(start, { kind: 'planned', ...plan });
    now = addEvidence(now, { kind: 'navigated', files: ['a'], folders: ['f'] });
    now = addEvidence(now, { kind: 'navigated', files: ['b'], folders: ['g'] });
    now = addEvidence(now, { kind: 'unresolved', name: 'u' });
    now = addEvidence(now, { kind: 'unresolved', name: 'v' });
    now = addEvidence(now, { kind: 'resolved', name: 'u' });
    now = addEvidence(now, { kind: 'read', path: 'a', ...lines(2, 2) });
    now = addEvidence(now, { kind: 'read', path: 'a', ...lines(1, 2) });
    now = addEvidence(now, { kind: 'read', path: 'b', ...lines(1, 1) });
    now = addEvidence(now, { kind: 'verified', patchDigest: 'p', passed: true });
    now = addEvidence(now, { kind: 'permitted', tools: ['grep'], skills: [] });
    expect(now).toMatchObject({ plan, verified: { patchDigest: 'p', passed: true } });
    expect([...now.navigatedFiles, ...now.navigatedFolders]).toEqual(['t.js', 'a', 'b', 'f', 'g']);
    expect([...now.unresolved]).toEqual(['v']);
    const read = new Map([
      ['a', new Set([1, 2])],
      ['b', new Set([1])],
    ]);
    expect(now.known).toEqual(read);
    expect(now.readThisRound).toEqual(read);
    expect(beginRound(now, 'next').readThisRound).toEqual(new Map());
    expect([...now.permittedTools]).toEqual(['grep']);
    expect(now.activeSkills).toEqual([]);
    const patched = addEvidence(now, {
      kind: 'patched',
      known: [{ path: 'a' }, { path: 'c', ...lines(1, 1) }],
      patchDigest: 'q',
      patchedFiles: ['a', 'c'],
      changedLines: 7,
    });
    expect(patched.known).toEqual(
      new Map([
        ['b', new Set([1])],
        ['c', new Set([1])],
      ]),
    );
    expect([...patched.navigatedFiles]).toEqual(['t.js', 'a', 'b', 'c']);
    expect(patched).toMatchObject({ patchDigest: 'q', changedLines: 7 });
    expect([...patched.patchedFiles]).toEqual(['a', 'c']);
    expect(start).toEqual(before);
    expect(now.known.has('a')).toBe(true);
  });
});
