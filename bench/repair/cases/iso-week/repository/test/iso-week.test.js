import assert from 'node:assert/strict';
import test from 'node:test';
import { formatIsoWeek, isoWeek, isoWeekday } from '../src/iso-week.js';

test('a Monday', () => assert.equal(isoWeekday(new Date('2024-02-12T00:00:00Z')), 1));
test('a Sunday', () => assert.equal(isoWeekday(new Date('2024-02-18T00:00:00Z')), 7));
test('a Thursday in January', () => assert.deepEqual(isoWeek(2024, 1, 4), { year: 2024, week: 1 }));
test('a day in summer', () => assert.deepEqual(isoWeek(2008, 8, 29), { year: 2008, week: 35 }));
test('January of the year before', () => assert.deepEqual(isoWeek(2021, 1, 3), { year: 2020, week: 53 }));
test('December of the year after', () => assert.deepEqual(isoWeek(2024, 12, 30), { year: 2025, week: 1 }));
test('a week 53', () => assert.deepEqual(isoWeek(2020, 12, 31), { year: 2020, week: 53 }));
test('Monday and Sunday are of one week', () => {
  assert.deepEqual(isoWeek(2023, 5, 1), isoWeek(2023, 5, 7));
});
test('the next Monday is not', () => assert.deepEqual(isoWeek(2023, 5, 8), { year: 2023, week: 19 }));
test('as text', () => assert.equal(formatIsoWeek(2024, 2, 14), '2024-W07-3'));
test('as text, at a turn of the year', () => assert.equal(formatIsoWeek(2022, 1, 1), '2021-W52-6'));
test('as text, a Thursday', () => assert.equal(formatIsoWeek(2015, 1, 1), '2015-W01-4'));
