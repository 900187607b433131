import { describe, expect, it } from 'vitest';
import { pathClasses } from '../../src/ecosystems/tests/path-classes.ts';
import type { Claim, PathFacts } from '../../src/guard/claim.ts';
import type { EvidenceEvent } from '../../src/guard/evidence.ts';
import type { SkillGrant } from '../../src/guard/policy/skill-grant.ts';
import { caseOfTrace, eventOfTrace, traceCase, traceEvent } from '../../src/guard/trace.ts';
import { caseOf, claims, evidence, facts, policy, stored } from './judged.ts';

const active: SkillGrant = {
  name: 's',
  tools: ['x'],
  budgets: { calls: 2 },
  guards: { paths: ['@tests'], create: false, maxLines: 3 },
};

describe('the trace of a call', () => {
  it('holds names and numbers, and no text of files, commands or the model', () => {
    const trace = stored(traceCase(caseOf(claims, facts), []));
    expect(trace).toStrictEqual({
      exists: true,
      problems: 2,
      secret: false,
      claims: [
        { kind: 'navigate', path: 'a' },
        { kind: 'read', path: 'a' },
        { kind: 'read', path: 'a', range: [2, 9] },
        { kind: 'write', path: 'a', change: 'edit', ranges: [[3, 2]], lines: 2 },
        { kind: 'write', path: 'b', change: 'delete', ranges: [], lines: 0 },
        { kind: 'write', path: 'c', change: 'replace', ranges: [], lines: 0, from: 'b' },
        { kind: 'plan', files: ['a', 'c'], maxChangedLines: 9 },
        { kind: 'undo' },
        { kind: 'redirect', path: 'x.log' },
        { kind: 'run', permitted: true },
        { kind: 'skill', name: 's' },
        { kind: 'skill-file', skill: 's', file: 'a.md', range: [1, 9] },
        { kind: 'skill-file', skill: 's', file: 'b.md' },
        { kind: 'commit' },
        {
          kind: 'clarify',
          reason: 'unresolved_symbol',
          symbol: 'f',
          destroys: [],
          constraints: [],
        },
        {
          kind: 'clarify',
          reason: 'destructive_paths',
          destroys: [['a'], []],
          constraints: [{ name: 'within' }, { skill: 's', quote: 'digest' }],
        },
        { kind: 'destroy', path: 'a' },
      ],
      facts: [
        { path: 'a', kind: 'file', tracked: true, lines: 2 },
        { path: 'b', kind: 'missing', tracked: false, lines: 0, through: 'l', leadsTo: 'd' },
      ],
      events: [],
    });
    expect(JSON.stringify(trace)).not.toContain('private');
  });

  it('says that a write holds a secret, in its text or its path, and no other claim', () => {
    const write = (path: string, added: string): Claim => ({
      kind: 'write',
      path,
      change: 'replace',
      ranges: [],
      added,
    });
    expect(
      traceCase(caseOf([write('a', 'x'), write('a', 'my s3cret')], {}, 's3cret'), []).secret,
    ).toBe(true);
    expect(traceCase(caseOf([write('s3cret', 'x')], {}, 's3cret'), []).secret).toBe(true);
    expect(traceCase(caseOf([{ kind: 'read', path: 's3cret' }], {}, 's3cret'), []).secret).toBe(
      false,
    );
  });

  it('stands for the same case again, text apart', () => {
    const trace = stored(traceCase(caseOf(claims, facts), []));
    const again = caseOfTrace(
      trace,
      { tool: 'u', nextPhase: undefined },
      { evidence, policy, pathClasses },
    );
    expect(again.call).toEqual({
      tool: 'u',
      nextPhase: undefined,
      exists: true,
      argumentProblems: ['a problem', 'a problem'],
      claims: claims.map(c => {
        if (c.kind === 'read') {
          const { symbol: _symbol, ...rest } = c;
          return rest;
        }
        if (c.kind === 'write') return { ...c, added: c.added === '' ? '' : 'x\nx' };
        return c.kind === 'run' ? { ...c, commands: [] } : c;
      }),
    });
    expect(again.facts).toEqual(
      new Map<string, PathFacts>([
        ['a', { kind: 'file', tracked: true, lines: ['', ''] }],
        ['b', { kind: 'missing', tracked: false, through: 'l', leadsTo: 'd', lines: [] }],
      ]),
    );
    expect(again.holdsSecret('anything')).toBe(false);
    expect(
      caseOfTrace(
        { ...trace, secret: true },
        { tool: 'u', nextPhase: undefined },
        { evidence, policy, pathClasses },
      ).holdsSecret(''),
    ).toBe(true);
    expect(again.evidence).toBe(evidence);
    expect(again.policy).toBe(policy);
  });
});

describe('the trace of an event', () => {
  const blank = (numbers: readonly number[]) => new Map(numbers.map(n => [n, '']));
  /** An event and what is left of it; one alone stays as it is. */
  const events: readonly (readonly [EvidenceEvent, EvidenceEvent?])[] = [
    [
      {
        kind: 'planned',
        plan: {
          entrySymbols: ['private', 'b'],
          affectedFiles: ['a'],
          scope: 'private',
          maxChangedLines: 3,
        },
      },
      {
        kind: 'planned',
        plan: { entrySymbols: ['', ''], affectedFiles: ['a'], scope: '', maxChangedLines: 3 },
      },
    ],
    [{ kind: 'navigated', files: ['a'], folders: [''] }],
    [{ kind: 'unresolved', name: 'f' }],
    [{ kind: 'resolved', name: 'f' }],
    [
      {
        kind: 'read',
        path: 'a',
        lines: new Map([
          [3, 'private'],
          [1, 'x'],
          [2, 'y'],
          [7, 'z'],
        ]),
      },
      { kind: 'read', path: 'a', lines: blank([1, 2, 3, 7]) },
    ],
    [
      {
        kind: 'patched',
        known: new Map([
          ['a', new Map([[1, 'private']])],
          ['b', undefined],
        ]),
        patchDigest: 'p',
        patchedFiles: ['a', 'b'],
        changedLines: 4,
      },
      {
        kind: 'patched',
        known: new Map([
          ['a', blank([1])],
          ['b', undefined],
        ]),
        patchDigest: 'p',
        patchedFiles: ['a', 'b'],
        changedLines: 4,
      },
    ],
    [
      {
        kind: 'patched',
        known: new Map([['b', new Map([[1, 'private']])]]),
        patchDigest: 'p',
        patchedFiles: ['a', 'b'],
        renames: [{ from: 'a', to: 'b' }],
        changedLines: 1,
      },
      {
        kind: 'patched',
        known: new Map([['b', blank([1])]]),
        patchDigest: 'p',
        patchedFiles: ['a', 'b'],
        renames: [{ from: 'a', to: 'b' }],
        changedLines: 1,
      },
    ],
    [{ kind: 'forgotten', path: 'a', lines: [{ startLine: 2, endLine: 4 }] }],
    [{ kind: 'verified', verified: { patchDigest: 'p', passed: true } }],
    [{ kind: 'permitted', tools: ['x'], skills: [active] }],
  ];
  it.each(events.map(([event, again = event]) => [event, again] as const))('%j', (event, again) => {
    const trace = stored({ ...traceCase(caseOf([]), []), events: [traceEvent(event)] });
    expect(JSON.stringify(trace)).not.toContain('private');
    expect(eventOfTrace(trace.events[0] ?? expect.fail())).toEqual(again);
    expect(traceCase(caseOf([]), [event]).events).toEqual(trace.events);
  });

  it('keeps known lines as the fewest ranges, in order', () => {
    const lines = new Map([
      [5, 'x'],
      [1, 'x'],
      [2, 'x'],
      [4, 'x'],
    ]);
    expect(traceEvent({ kind: 'read', path: 'a', lines })).toEqual({
      kind: 'read',
      path: 'a',
      lines: [
        [1, 2],
        [4, 5],
      ],
    });
  });
});
