import { afterAll, describe, expect, it } from 'vitest';
import { selectAdvice } from '../../src/memory/advice.ts';
import type { Change } from '../../src/memory/change.ts';
import { idOf } from '../../src/memory/change.ts';
import { openNotebook } from '../../src/memory/notebook.ts';
import { openFullText } from '../../src/workspace/stores/full-text.ts';
import { adding, byOn, confirming, day, home, recordsAfter } from './making.ts';

const now = Date.parse(day(30));
const index = openFullText();
afterAll(() => index.close());

const notes = [
  adding('Retries of the payment client are bounded to three.', {
    title: 'Payment retries',
    tags: ['payment'],
  }),
  adding('The importer drops rows without a currency.', { title: 'Importer and currencies' }),
  adding('orderTotal rounds once, at the end.', { title: 'Rounding' }),
  adding('A payment is mentioned here once among many other words on logging and tracing.', {
    title: 'Logging',
  }),
  adding('Umläute in Namen: Straße, café.', { title: 'Names' }),
  adding('Never change files below vendor/.', { title: 'Vendor', kind: 'constraint' }),
];
const records = recordsAfter(notes);
const book = openNotebook({ home, by: byOn(30), records, index, nowMs: now });
const titles = (query: string) => book.search(query).map(f => f.record.title);

describe('a search', () => {
  it.each([
    ['payment retries', ['Payment retries', 'Logging']],
    ['payments', ['Payment retries', 'Logging']],
    ['currency', ['Importer and currencies']],
    ['total', ['Rounding']],
    ['OrderTotal', ['Rounding']],
    ['rounding', ['Rounding']],
    ['strasse cafe', ['Names']],
    ['nothing of the kind', []],
  ])('%s', (query, expected) => expect(titles(query)).toEqual(expected));

  it.each([
    '"',
    '*',
    'a AND b OR NOT',
    'NEAR(x, 5)',
    'title:payment',
    '-payment',
    "'; DROP TABLE note; --",
    '()',
    '\0',
    '',
    'x'.repeat(100_000),
    '🙂',
    'the of and',
  ])('of %j is no error', query => {
    expect(Array.isArray(book.search(query))).toBe(true);
  });

  it('puts a hit in the title before one in the body, and a fresh record before a stale one', () => {
    const text = (title: string, body: string, on: number) => adding(body, { title, by: byOn(on) });
    const three = recordsAfter([
      text('Deploy notes', 'about other things', 30),
      text('Things', 'how to deploy it', 30),
      text('Thinks', 'how to deploy it', -700),
    ]);
    const own = openFullText();
    const ranked = openNotebook({ home, by: byOn(30), records: three, index: own, nowMs: now });
    expect(ranked.search('deploy').map(f => f.record.title)).toEqual([
      'Deploy notes',
      'Things',
      'Thinks',
    ]);
    own.close();
  });

  it('finds what the run itself has changed', () => {
    const change = adding('Zebra stripes are drawn by the shader.', { by: byOn(30) });
    expect(titles('zebra')).toEqual([]);
    expect(book.apply(change)).toMatchObject({ ok: true, changed: true });
    expect(titles('zebra')).toHaveLength(1);
    const [id] = [idOf(change)];
    const rewritten: Change = {
      op: 'update',
      workspace: home,
      id,
      seen: 1,
      body: 'Okapi',
      title: 'Okapi',
      by: byOn(30),
    };
    expect(book.apply(rewritten).ok).toBe(true);
    expect([titles('zebra'), titles('okapi')]).toEqual([[], ['Okapi']]);
  });
});

describe('the changes of a run', () => {
  it('are bounded in number and bytes', () => {
    const own = openFullText();
    const open = () => openNotebook({ home, by: byOn(30), records, index: own, nowMs: now });
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

describe('the advice of the first prompt', () => {
  const draw = (query: string, maxBytes = 1500, nowMs = now) =>
    selectAdvice(records, book.search(query), { nowMs, maxBytes });

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
      { op: 'fail', workspace: home, id: idOf(confirming(28)), by: byOn(29) },
    ]);
    const own = openFullText();
    const failed = openNotebook({ home, by: byOn(30), records: pattern, index: own, nowMs: now });
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
