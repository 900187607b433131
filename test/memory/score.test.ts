import { afterAll, describe, expect, it } from 'vitest';
import type { Change } from '../../src/memory/change.ts';
import { isNegated } from '../../src/memory/record.ts';
import { openRunRecords } from '../../src/memory/run-records.ts';
import { findForgettable, forgettable, scoreRecord } from '../../src/memory/score.ts';
import { openFullText } from '../../src/workspace/stores/full-text.ts';
import { adding, byOn, confirming, day, home, only, recordsAfter } from './making.ts';
import { now, records } from './searched.ts';

const scoreAt = (changes: readonly Change[], n: number) =>
  scoreRecord(only(recordsAfter(changes)), Date.parse(day(n)));
const patternOn = (n: number) => confirming(n);
const id = only(recordsAfter([patternOn(0)])).id;
const use = (n: number, of = id): Change => ({ op: 'use', workspace: home, id: of, by: byOn(n) });
const fail = (n: number): Change => ({ op: 'fail', workspace: home, id, by: byOn(n) });

describe('decay', () => {
  // trust × 2^(−age/A) × 2^(−idle/I), worked out by hand
  it.each([
    ['a constraint on its day', [adding('x', { kind: 'constraint' })], 0, 1],
    [
      'a constraint nobody looked at for half a year',
      [adding('x', { kind: 'constraint' })],
      180,
      0.3552,
    ],
    ['a note after a month', [adding('x')], 30, Math.SQRT1_2],
    ['a note after a year', [adding('x')], 365, 0.0147],
    ['a pattern on its day: one verification is half a proof', [patternOn(0)], 0, 0.5],
    ['a pattern after 90 days', [patternOn(0)], 90, 0.0625],
    ['a pattern confirmed twice', [patternOn(0), patternOn(0)], 0, 0.75],
    [
      'a pattern confirmed each month for a year',
      [...Array(12).keys()].map(m => patternOn(m * 30)),
      330,
      0.9998,
    ],
    [
      'the same, then left alone for half a year',
      [...Array(12).keys()].map(m => patternOn(m * 30)),
      510,
      0.0156,
    ],
  ] as const)('%s', (_name, changes, n, expected) => {
    expect(scoreAt(changes, n)).toBeCloseTo(expected, 4);
  });

  it('age counts on, however often a record is looked up', () => {
    const looked = [patternOn(0), ...[30, 60, 90].map(n => use(n))];
    expect(scoreAt(looked, 90)).toBeCloseTo(0.25, 4);
    expect(scoreAt([patternOn(0)], 90)).toBeCloseTo(0.0625, 4);
  });

  it('never rises by itself, and never leaves its bounds', () => {
    for (const changes of [[adding('x')], [patternOn(0), use(10)], [patternOn(0), fail(5)]]) {
      const scores = [...Array(40).keys()].map(m => Math.abs(scoreAt(changes, 10 + m * 15)));
      for (const [i, s] of scores.entries()) expect(s).toBeLessThanOrEqual(scores[i - 1] ?? 1);
    }
  });

  it('a clock that goes back makes nothing worth more than it was', () => {
    expect(scoreAt([adding('x')], -100)).toBe(1);
  });
});

describe('negation', () => {
  // what happened on which day, and what the pattern is worth then
  it.each([
    ['a failure turns it into a warning', [patternOn(0), fail(10)], 10, -1],
    ['the warning fades by its own half-life', [patternOn(0), fail(10)], 190, -0.5],
    [
      'a later verification takes the warning back',
      [patternOn(0), fail(10), patternOn(20)],
      20,
      0.75,
    ],
    [
      'a failure after many verifications counts all the same',
      [patternOn(0), patternOn(1), patternOn(2), fail(3)],
      3,
      -1,
    ],
    [
      'an older failure that arrives late changes nothing',
      [patternOn(0), patternOn(20), fail(10)],
      20,
      0.75,
    ],
    ['looking it up does not wash it', [patternOn(0), fail(10), use(20)], 20, -(2 ** (-10 / 180))],
  ] as const)('%s', (_name, changes, n, expected) => {
    const record = only(recordsAfter(changes));
    expect(isNegated(record)).toBe(expected < 0);
    expect(scoreRecord(record, Date.parse(day(n)))).toBeCloseTo(expected, 4);
  });

  it('a problem contradicts a note until new words answer it', () => {
    const note = only(recordsAfter([adding('Deploys go out on Fridays.')]));
    const issue: Change = {
      op: 'issue',
      workspace: home,
      id: note.id,
      text: 'Fridays are frozen',
      metadata: '',
      by: byOn(5),
    };
    const flagged = recordsAfter([issue], new Map([[note.id, note]]));
    expect(scoreRecord(only(flagged), Date.parse(day(5)))).toBe(-1);
    const update: Change = {
      op: 'update',
      workspace: home,
      id: note.id,
      seen: 2,
      body: 'Deploys go out on Mondays.',
      by: byOn(6),
    };
    const answered = only(recordsAfter([update], flagged));
    expect(answered).toMatchObject({ version: 3, issues: [] });
    expect(scoreRecord(answered, Date.parse(day(6)))).toBeGreaterThan(0.9);
  });
});

describe('forgetting', () => {
  it('takes the least worth when there are too many, strong warnings not among them', () => {
    const notes = [...Array(20).keys()].map(n => adding(`note ${n}`, { by: byOn(n * 10) }));
    const records = recordsAfter([...notes, patternOn(0), fail(195)]);
    const gone = findForgettable(records, Date.parse(day(200)), 16);
    expect(gone.map(g => records.get(g)?.body)).toEqual([
      'note 0',
      'note 1',
      'note 2',
      'note 3',
      'note 4',
    ]);
    expect(findForgettable(records, Date.parse(day(200)), 21)).toEqual([]);
  });

  it('what is left of an unused pattern after half a year is not offered any more', () => {
    expect(scoreAt([patternOn(0)], 100)).toBeLessThan(forgettable);
  });
});

describe('search', () => {
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
      const text = (title: string, body: string, on: number) =>
        adding(body, { title, by: byOn(on) });
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
});
