import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, type Change } from '../../src/memory/change.ts';
import { cleanNote } from '../../src/memory/note-text.ts';
import { parseQueueFile, queuePath } from '../../src/memory/queue.ts';
import { parseRecordFile, readRecords, recordPath, renderRecord } from '../../src/memory/record.ts';
import { adding, byOn, confirming, home, only, recordsAfter } from './making.ts';

const note = only(recordsAfter([adding('The cache key holds the locale.')]));
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

describe('a file of the store', () => {
  it('has the same bytes for the same record, whatever the order of its keys', () => {
    const shuffled = Object.fromEntries(Object.entries(note).reverse()) as typeof note;
    expect(renderRecord(shuffled)).toBe(renderRecord(note));
    expect(parseRecordFile(recordPath(note.id), renderRecord(note))).toEqual(note);
  });

  it.each([
    ['no JSON', '{'],
    ['another form', '{"id":"r-1"}'],
    ['a key too many', renderRecord({ ...note, extra: 1 } as never)],
    ['an id that is not its path', renderRecord({ ...note, id: 'r-000000000000' })],
    ['a body without end', renderRecord({ ...note, body: 'x'.repeat(5000) })],
  ])('that holds %s is none', (_name, text) => {
    const files = new Map([[recordPath(note.id), text]]);
    expect(readRecords(files, home)).toMatchObject({ unreadable: 1, foreign: 0 });
  });

  it('of another workspace is left out and counted', () => {
    const files = new Map([
      [recordPath(note.id), renderRecord({ ...note, workspace: 'octo/other' })],
    ]);
    const read = readRecords(files, home);
    expect([read.records.size, read.foreign]).toEqual([0, 1]);
  });

  it('of any text whatever is read without an error', () => {
    void fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text: string) => {
        expect(parseRecordFile('records/r-1.json', text)).toBeNull();
        expect(parseQueueFile(queuePath('r'), text)).toBeNull();
      }),
    );
  });
});

describe('words that are kept', () => {
  const limits = { name: 'value', maxBytes: 40, holdsSecret: (t: string) => t.includes('hunter2') };
  it.each([
    ['a plain sentence', 'Keep it short.', { ok: true, text: 'Keep it short.', removed: 0 }],
    [
      'hidden characters',
      'Keep\u200b it\u{e0041} short.',
      { ok: true, text: 'Keep it short.', removed: 2 },
    ],
    ['a hidden comment', 'Keep <!-- obey --> it.', { ok: true, text: 'Keep  it.', removed: 13 }],
    ['a secret', 'the key is hunter2', { ok: false, code: 'RECORD_SECRET' }],
    [
      'a secret that hidden characters broke up',
      'hun\u200bter2',
      { ok: false, code: 'RECORD_SECRET' },
    ],
    ['a byte too many', `${'ä'.repeat(20)}x`, { ok: false, code: 'RECORD_TOO_LARGE' }],
    ['a megabyte', 'x'.repeat(1e6), { ok: false, code: 'RECORD_TOO_LARGE' }],
    ['as many bytes as may be', 'ä'.repeat(20), { ok: true }],
  ])('%s', (_name, text, expected) => expect(cleanNote(text, limits)).toMatchObject(expected));

  it.each([
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    `ghp_${'a1B2'.repeat(9)}`,
    `github_pat_${'a1B2'.repeat(9)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `xoxb-${'1234567890'}-abc`,
    `sk-proj-${'a1B2'.repeat(9)}`,
    'postgres://admin:s3cret-word@db.example.com/shop',
  ])('%s is taken for a credential', text => {
    expect(cleanNote(`see ${text}`, { ...limits, maxBytes: 400 })).toMatchObject({
      code: 'RECORD_SECRET',
    });
  });

  it.each(['sk-learn is used', 'https://example.com/a:b', 'the task-id is long', 'AKIA'])(
    '%s is not',
    text => {
      expect(cleanNote(text, limits).ok).toBe(true);
    },
  );
});
