/** What the first prompt says of the records. */
import { afterAll, describe, expect, it } from 'vitest';
import { getRecordId } from '../../src/memory/change.ts';
import { selectAdvice } from '../../src/memory/open-memory.ts';
import { openRunRecords } from '../../src/memory/run-records.ts';
import { openFullText } from '../../src/workspace/stores/full-text.ts';
import { byOn, confirming, day, home, recordsAfter } from './making.ts';
import { now, records } from './searched.ts';

const index = openFullText();

const reviewCollector = openRunRecords({ home, by: byOn(30), records, index, nowMs: now });

afterAll(() => index.close());

describe('the advice of the first prompt', () => {
  const draw = (query: string, maxBytes = 1500, nowMs = now) =>
    selectAdvice(records, reviewCollector.search(query), { nowMs, maxBytes });

  it('has every constraint, then what the task is about', () => {
    const { text } = draw('Bound the retries of each payment');
    expect(text.split('\n').map(l => / (note|constraint) v1: (\w+)/.exec(l)?.[2])).toEqual([
      'Vendor',
      'Payment',
      'Logging',
    ]);
  });

  it('says that a failed pattern warns', () => {
    const pattern = recordsAfter([
      confirming(28),
      { op: 'fail', workspace: home, id: getRecordId(confirming(28)), by: byOn(29) },
    ]);
    const own = openFullText();
    const failed = openRunRecords({ home, by: byOn(30), records: pattern, index: own, nowMs: now });
    const { text } = selectAdvice(pattern, failed.search('discount'), {
      nowMs: now,
      maxBytes: 1500,
    });
    expect(text).toMatch(
      /^- WARNING \(a run that followed it failed verification \(2026-01-30\)\) p-/,
    );
    own.close();
  });

  it.each([0, 60, 150, 400, 1500])('stays within %i bytes, whole lines only', maxBytes => {
    const { text, ids } = draw('payment importer orderTotal names', maxBytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    expect(text === '' ? 0 : text.split('\n').length).toBe(ids.length);
  });

  it('leaves out what time has forgotten', () => {
    expect(draw('payment', 1500, Date.parse(day(1200))).ids).toEqual([]);
  });
});
