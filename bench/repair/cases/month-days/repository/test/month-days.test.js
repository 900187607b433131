import assert from 'node:assert/strict';
import test from 'node:test';
import { dayOfYear, daysInMonth, isLeapYear, isValidDate } from '../src/month-days.js';

test('a common year', () => assert.equal(isLeapYear(2023), false));
test('every fourth year', () => assert.equal(isLeapYear(2024), true));
test('not every hundredth', () => assert.equal(isLeapYear(1900), false));
test('but every four hundredth', () => assert.equal(isLeapYear(2000), true));
test('not 2100', () => assert.equal(isLeapYear(2100), false));
test('a long month', () => assert.equal(daysInMonth(2023, 12), 31));
test('a short month', () => assert.equal(daysInMonth(2023, 9), 30));
test('February', () => assert.equal(daysInMonth(2023, 2), 28));
test('February of a leap year', () => assert.equal(daysInMonth(2024, 2), 29));
test('no such month', () => assert.throws(() => daysInMonth(2024, 13), RangeError));
test('the first day', () => assert.equal(dayOfYear(2024, 1, 1), 1));
test('the last day', () => assert.equal(dayOfYear(2023, 12, 31), 365));
test('the last day of a leap year', () => assert.equal(dayOfYear(2024, 12, 31), 366));
test('a day that is not', () => assert.equal(isValidDate(1900, 2, 29), false));
test('a day that is', () => assert.equal(isValidDate(2024, 2, 29), true));
