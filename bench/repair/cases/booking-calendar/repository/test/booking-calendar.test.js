import assert from 'node:assert/strict';
import test from 'node:test';
import { freeSlots, mergeBookings, minutes } from '../src/booking-calendar.js';

test('a time', () => assert.equal(minutes('09:30'), 570));
test('midnight', () => assert.equal(minutes('00:00'), 0));
test('no bookings', () => assert.deepEqual(mergeBookings([]), []));
test('one booking', () => assert.deepEqual(mergeBookings([[60, 120]]), [[60, 120]]));
test('apart, and put in order', () => assert.deepEqual(mergeBookings([[300, 400], [60, 120]]), [[60, 120], [300, 400]]));
test('overlapping', () => assert.deepEqual(mergeBookings([[60, 120], [90, 150]]), [[60, 150]]));
test('touching', () => assert.deepEqual(mergeBookings([[60, 120], [120, 150]]), [[60, 150]]));
test('one inside the other', () => assert.deepEqual(mergeBookings([[60, 240], [90, 120]]), [[60, 240]]));
test('inside, then one that overlaps', () => {
  assert.deepEqual(mergeBookings([[60, 240], [90, 120], [200, 300]]), [[60, 300]]);
});
test('the input is left alone', () => {
  const bookings = [[60, 120], [90, 150]];
  mergeBookings(bookings);
  assert.deepEqual(bookings, [[60, 120], [90, 150]]);
});
test('a free day', () => assert.deepEqual(freeSlots([], [480, 1020]), [[480, 1020]]));
test('free before and after', () => assert.deepEqual(freeSlots([[600, 660]], [480, 1020]), [[480, 600], [660, 1020]]));
test('a short break is no slot', () => {
  assert.deepEqual(freeSlots([[480, 600], [610, 1020]], [480, 1020], 15), []);
});
