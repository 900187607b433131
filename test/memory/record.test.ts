/** Records in the files of the store. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, hashJson } from '../../src/base/digest.ts';
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

it('canonical JSON has sorted keys at every depth, and lists in their order', () => {
  const text = canonicalJson({ b: [2, { d: 1, c: undefined, a: null }], a: 'x' });
  expect(text).toBe(
    '{\n  "a": "x",\n  "b": [\n    2,\n    {\n      "a": null,\n      "d": 1\n    }\n  ]\n}\n',
  );
});

it('a digest is the same for the same data, and differs for other data', () => {
  expect(hashJson({ a: 1, b: 2 })).toBe(hashJson({ b: 2, a: 1 }));
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
  // sha256 of "{}\n"
  expect(hashJson({})).toBe('ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356');
});
