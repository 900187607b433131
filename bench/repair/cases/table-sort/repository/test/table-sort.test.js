import assert from 'node:assert/strict';
import test from 'node:test';
import { sortTable } from '../src/table-sort.js';

const rows = [
  { id: 1, city: 'Oslo', size: 3 },
  { id: 2, city: 'Bonn', size: 3 },
  { id: 3, city: 'Oslo', size: 1 },
  { id: 4, city: '', size: 2 },
  { id: 5, city: 'Bonn', size: null },
];
const ids = columns => sortTable(rows, columns).map(row => row.id);

test('no columns keep the order', () => assert.deepEqual(ids([]), [1, 2, 3, 4, 5]));
test('by text, empty last', () => assert.deepEqual(ids(['city']), [2, 5, 1, 3, 4]));
test('by number, null last', () => assert.deepEqual(ids(['size']), [3, 4, 1, 2, 5]));
test('descending text, empty still last', () => assert.deepEqual(ids(['-city']), [1, 3, 2, 5, 4]));
test('descending number, null still last', () => assert.deepEqual(ids(['-size']), [1, 2, 4, 3, 5]));
test('two columns', () => assert.deepEqual(ids(['city', 'size']), [2, 5, 3, 1, 4]));
test('two columns, second descending', () => assert.deepEqual(ids(['city', '-id']), [5, 2, 3, 1, 4]));
test('no rows', () => assert.deepEqual(sortTable([], ['x']), []));
test('the input is left alone', () => {
  sortTable(rows, ['city']);
  assert.deepEqual(rows.map(row => row.id), [1, 2, 3, 4, 5]);
});
