import { describe, expect, it } from 'vitest';
import { applyChange, type Change } from '../../src/memory/change.ts';
import { adding, byOn, confirming, home, only, recordsAfter } from './making.ts';
import { note } from './notes.ts';

const there = new Map([[note.id, note]]);

const updating = (seen: number, body = 'It holds locale and currency.', run = 'run-9'): Change => ({
  op: 'update',
  workspace: home,
  id: note.id,
  seen,
  body,
  by: byOn(9, run),
});

describe('a change', () => {
  it('of the version that is there makes the next one', () => {
    const done = applyChange(there, updating(1), home);
    expect(done).toMatchObject({
      ok: true,
      changed: true,
      record: { version: 2, updated: { run: 'run-9' } },
    });
    expect(note.version).toBe(1);
  });

  it('of an older version is refused with the one that is there', () => {
    const moved = recordsAfter([updating(1)], there);
    const done = applyChange(moved, updating(1, 'Something else.', 'run-10'), home);
    expect(done).toMatchObject({ ok: false, code: 'RECORD_STALE' });
    expect(JSON.stringify(done)).toContain('is at version 2');
  });

  it.each([0.5, 2, 99])('of version %s, which never was, is refused', seen => {
    expect(applyChange(there, updating(seen), home)).toMatchObject({
      ok: false,
      code: 'RECORD_STALE',
    });
  });

  const every: readonly Change[] = [
    adding('x'),
    updating(1),
    { op: 'issue', workspace: home, id: note.id, text: 'x', metadata: '', by: byOn(1) },
    confirming(1),
    { op: 'use', workspace: home, id: note.id, by: byOn(1) },
    { op: 'fail', workspace: home, id: note.id, by: byOn(1) },
    { op: 'forget', workspace: home, id: note.id, by: byOn(1) },
  ];

  it.each(every.map(c => [c.op, c] as const))(
    '%s of another workspace is refused',
    (_op, change) => {
      for (const workspace of ['octo/other', 'OCTO/sample', 'octo/sample ', 'local'])
        expect(applyChange(there, { ...change, workspace }, home)).toMatchObject({
          ok: false,
          code: 'RECORD_WORKSPACE',
        });
      expect(applyChange(there, change, home).ok).toBe(true);
    },
  );

  it('adds the same words once, and words that were changed since anew', () => {
    const again = applyChange(
      there,
      adding('The cache key holds the locale.', { by: byOn(3) }),
      home,
    );
    expect(again).toMatchObject({ ok: true, changed: false, id: note.id });
    const moved = recordsAfter([updating(1)], there);
    const anew = recordsAfter([adding('The cache key holds the locale.')], moved);
    expect([...anew.keys()].sort()).toEqual([note.id, `${note.id}-2`].sort());
  });

  it('leaves patterns to the engine', () => {
    const pattern = only(recordsAfter([confirming(0)]));
    const change: Change = { ...updating(1), id: pattern.id } as Change;
    expect(applyChange(new Map([[pattern.id, pattern]]), change, home)).toMatchObject({
      code: 'RECORD_KIND',
    });
  });

  it('counts, uses and verdicts make no new version', () => {
    const pattern = only(recordsAfter([confirming(0), confirming(1)]));
    expect(pattern).toMatchObject({ version: 1, confirmed: 2, uses: 1 });
  });
});
