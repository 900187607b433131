/** Records in the files of the store. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueueFile, queuePath } from '../../src/memory/queue.ts';
import { parseRecordFile, readRecords, recordPath, renderRecord } from '../../src/memory/record.ts';
import { home } from './making.ts';
import { note } from './notes.ts';

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
        expect(parseRecordFile('records/r-1.json', text)).toBeUndefined();
        expect(parseQueueFile(queuePath('r'), text)).toBeUndefined();
      }),
    );
  });
});
