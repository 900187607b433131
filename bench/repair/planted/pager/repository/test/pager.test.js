import assert from 'node:assert/strict';
import test from 'node:test';
import { pageCount, pageOf, shownPages, summary } from '../src/pager.js';

const letters = [...'abcdefg'];

test('counts pages', () => assert.equal(pageCount(21, 10), 3));
test('one page at least', () => assert.equal(pageCount(0, 10), 1));
test('the first page', () => assert.deepEqual(pageOf(letters, 1, 3).items, ['a', 'b', 'c']));
test('the last page', () =>
  assert.deepEqual(pageOf(letters, 3, 3), { page: 3, last: 3, items: ['g'] }));
test('a page behind the end', () => assert.equal(pageOf(letters, 9, 3).page, 3));
test('a page before the start', () => assert.equal(pageOf(letters, 0, 3).page, 1));
test('all pages of a short list', () => assert.deepEqual(shownPages(2, 3), [1, 2, 3]));
test('gaps on both sides', () => assert.deepEqual(shownPages(5, 9), [1, null, 4, 5, 6, null, 9]));
test('at the end', () => assert.deepEqual(shownPages(9, 9), [1, null, 8, 9]));
test('summary', () => assert.equal(summary(35, 2, 10), '11–20 of 35'));
test('summary of the last page', () => assert.equal(summary(35, 4, 10), '31–35 of 35'));
test('summary of nothing', () => assert.equal(summary(0, 1, 10), 'nothing found'));
