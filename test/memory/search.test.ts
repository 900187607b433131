import { afterAll, describe, expect, it } from 'vitest';
import { openRunRecords } from '../../src/memory/run-records.ts';
import { openFullText } from '../../src/workspace/stores/full-text.ts';
import { adding, byOn, home, recordsAfter } from './making.ts';
import { now, records } from './searched.ts';

const index = openFullText();

const reviewCollector = openRunRecords({ home, by: byOn(30), records, index, nowMs: now });

const titles = (query: string) => reviewCollector.search(query).map(f => f.record.title);

afterAll(() => index.close());

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
    expect(Array.isArray(reviewCollector.search(query))).toBe(true);
  });

  it('puts a hit in the title before one in the body, and a fresh record before a stale one', () => {
    const text = (title: string, body: string, on: number) => adding(body, { title, by: byOn(on) });
    const three = recordsAfter([
      text('Deploy notes', 'about other things', 30),
      text('Things', 'how to deploy it', 30),
      text('Thinks', 'how to deploy it', -700),
    ]);
    const own = openFullText();
    const ranked = openRunRecords({ home, by: byOn(30), records: three, index: own, nowMs: now });
    expect(ranked.search('deploy').map(f => f.record.title)).toEqual([
      'Deploy notes',
      'Things',
      'Thinks',
    ]);
    own.close();
  });
});
