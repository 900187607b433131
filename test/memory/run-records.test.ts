/** The records as one run sees and changes them. */
import { afterAll, describe, expect, it } from 'vitest';
import { type Change, getRecordId } from '../../src/memory/change.ts';
import { openRunRecords } from '../../src/memory/run-records.ts';
import { openFullText } from '../../src/workspace/stores/full-text.ts';
import { adding, byOn, home } from './making.ts';
import { now, records } from './searched.ts';

const index = openFullText();

const reviewCollector = openRunRecords({ home, by: byOn(30), records, index, nowMs: now });

const titles = (query: string) => reviewCollector.search(query).map(f => f.record.title);

afterAll(() => index.close());

describe('the changes of a run', () => {
  it('are bounded in number and bytes', () => {
    const own = openFullText();
    const open = () => openRunRecords({ home, by: byOn(30), records, index: own, nowMs: now });
    const many = open();
    for (let n = 0; n < 10; n++) expect(many.apply(adding(`fact ${n}`)).ok).toBe(true);
    expect(many.apply(adding('fact 10'))).toMatchObject({ ok: false, code: 'RECORD_LIMIT' });
    expect(many.apply(adding('fact 3'))).toMatchObject({ ok: true, changed: false });
    const large = open();
    for (let n = 0; n < 5; n++) large.apply(adding(`${n}${'x'.repeat(3900)}`, { title: 't' }));
    expect(large.apply(adding(`5${'x'.repeat(3900)}`))).toMatchObject({ code: 'RECORD_LIMIT' });
    own.close();
  });
});

describe('a search', () => {
  it('finds what the run itself has changed', () => {
    const change = adding('Zebra stripes are drawn by the shader.', { by: byOn(30) });
    expect(titles('zebra')).toEqual([]);
    expect(reviewCollector.apply(change)).toMatchObject({ ok: true, changed: true });
    expect(titles('zebra')).toHaveLength(1);
    const [id] = [getRecordId(change)];
    const rewritten: Change = {
      op: 'update',
      workspace: home,
      id,
      seen: 1,
      body: 'Okapi',
      title: 'Okapi',
      by: byOn(30),
    };
    expect(reviewCollector.apply(rewritten).ok).toBe(true);
    expect([titles('zebra'), titles('okapi')]).toEqual([[], ['Okapi']]);
  });
});
