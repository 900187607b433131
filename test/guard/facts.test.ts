import { describe, expect, it } from 'vitest';
import type { Claim } from '../../src/guard/claim.ts';
import type { EvidenceEvent } from '../../src/guard/evidence.ts';
import { traceCase } from '../../src/guard/facts.ts';
import type { SkillGrant } from '../../src/guard/policy/skill-grant.ts';
import { caseOf, claims, facts, stored } from './judged.ts';

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
        { kind: 'read', path: 'a', range: { startLine: 2, endLine: 9 } },
        {
          kind: 'write',
          path: 'a',
          change: 'edit',
          ranges: [{ startLine: 3, endLine: 2, moved: [{ startLine: 1, endLine: 1 }] }],
          lines: 2,
        },
        { kind: 'write', path: 'd', change: 'delete', ranges: [], lines: 0 },
        { kind: 'write', path: 'c', change: 'replace', ranges: [], lines: 1, from: 'd' },
        { kind: 'plan', files: ['a', 'c'], maxChangedLines: 9 },
        { kind: 'undo' },
        { kind: 'redirect', path: 'x.log' },
        { kind: 'run', permitted: true },
        { kind: 'skill', name: 's' },
        { kind: 'skill-file', skill: 's', file: 'a.md', range: { startLine: 1, endLine: 9 } },
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
        { path: 'c', kind: 'missing', tracked: false, lines: 0 },
        { path: 'd', kind: 'file', tracked: true, lines: 1 },
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
});

describe('the trace of an event', () => {
  const range = { startLine: 1, endLine: 2 };
  const text = new Map([[1, 'private']]);
  const plan = { kind: 'planned', affectedFiles: ['a'], maxChangedLines: 3 } as const;
  /** An event and what is left of it; one alone stays as it is. */
  const events: readonly (readonly [EvidenceEvent, object?])[] = [
    [{ ...plan, text: { entrySymbols: ['private'], scope: 'private' } }, plan],
    [{ kind: 'navigated', files: ['a'], folders: [''] }],
    [{ kind: 'unresolved', name: 'f' }],
    [{ kind: 'resolved', name: 'f' }],
    [
      { kind: 'read', path: 'a', lines: [range], text },
      { kind: 'read', path: 'a', lines: [range] },
    ],
    [
      { kind: 'shown', path: 'a', lines: [range], text },
      { kind: 'shown', path: 'a', lines: [range] },
    ],
    [
      {
        kind: 'patched',
        known: [{ path: 'a', lines: [range] }, { path: 'b' }],
        patchDigest: 'p',
        patchedFiles: ['a', 'b'],
        renames: [{ from: 'a', to: 'b' }],
        changedLines: 4,
      },
    ],
    [{ kind: 'forgotten', path: 'a', lines: [range] }],
    [{ kind: 'verified', patchDigest: 'p', passed: true }],
    [{ kind: 'permitted', tools: ['x'], skills: [active] }],
  ];
  it.each(events.map(([event, kept = event]) => [event, kept] as const))('%j', (event, kept) => {
    const trace = stored(traceCase(caseOf([]), [event]));
    expect(JSON.stringify(trace)).not.toContain('private');
    expect(trace.events).toEqual([kept]);
  });
});

describe('what silences a check', () => {
  const trace = (added: string, path = 'a', states = facts) => {
    const claim = { kind: 'write', path, change: 'replace', ranges: [], added } as const;
    return stored(traceCase(caseOf([claim], states), [])).claims[0];
  };
  it.each([
    ['// eslint-disable-next-line no-var', 'eslint-disable'],
    ['// biome-ignore lint: x', 'biome-ignore'],
    ['// @ts-expect-error x', '@ts-ignore'],
    ['const x = y as any;', 'as any'],
    ['import os  # noqa: F401', '# noqa'],
    ['x = f()  # type: ignore[arg]', '# noqa'],
    ['# pylint: disable=x', 'pylint: disable'],
    ['x() // nolint:errcheck', '// nolint'],
    ['@SuppressWarnings("x")', 'noinspection'],
    ['#[allow(dead_code)]', '#[allow('],
    ['/* c8 ignore next */', 'istanbul ignore'],
    ["it.skip('x', f)", 'test.skip('],
    ["xit('x', f)", 'xit('],
    ['@pytest.mark.skip(reason="x")', 'pytest.mark.skip'],
    ['@Disabled', '@Disabled'],
    ['t.Skip("x")', 't.Skip('],
  ])('%s is found, and its name is in the ledger', (added, name) => {
    const claim = trace(`x\n${added}\ny`);
    expect(claim).toMatchObject({ lines: 3, suppresses: [name] });
    expect(JSON.stringify(claim)).not.toContain('errcheck');
  });

  it('what the file held before is nothing new, under any spelling of its path', () => {
    const marked: typeof facts = { m: { kind: 'file', tracked: true, lines: ['xit(1)'] } };
    expect(trace('xit(1)', './m', marked)).not.toHaveProperty('suppresses');
    expect(trace('xit(1)', './m', {})).toHaveProperty('suppresses', ['xit(']);
  });

  it('two markers stay two', () => {
    expect(trace('xit(1) // eslint-disable-line')).toHaveProperty('suppresses', [
      'eslint-disable',
      'xit(',
    ]);
  });

  it.each(['const many = 1;', 'skip();', 'ignore(x)', 'anything: number', '// disable it later'])(
    '%s is not',
    added => expect(trace(added)).not.toHaveProperty('suppresses'),
  );
});
