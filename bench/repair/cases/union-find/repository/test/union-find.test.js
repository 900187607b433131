import assert from 'node:assert/strict';
import test from 'node:test';
import { countParts, Groups } from '../src/union-find.js';

const joined = (size, ...pairs) => {
  const groups = new Groups(size);
  for (const [a, b] of pairs) groups.join(a, b);
  return groups;
};

test('all are alone at first', () => assert.equal(new Groups(3).count, 3));
test('an element stands for itself', () => assert.equal(new Groups(3).find(2), 2));
test('two that were joined are together', () => {
  const groups = joined(3, [0, 1]);
  assert.equal(groups.find(0), groups.find(1));
});
test('others stay apart', () => {
  const groups = joined(3, [0, 1]);
  assert.notEqual(groups.find(0), groups.find(2));
});
test('joining twice says false', () => assert.equal(joined(2, [0, 1]).join(1, 0), false));
test('joining anew says true', () => assert.equal(joined(3, [0, 1]).join(1, 2), true));
test('two pairs become one group', () => {
  const groups = joined(4, [0, 1], [2, 3], [1, 3]);
  assert.equal(new Set([0, 1, 2, 3].map(x => groups.find(x))).size, 1);
});
test('a chain joined backwards', () => {
  const groups = joined(5, [3, 4], [2, 3], [1, 2], [0, 1]);
  assert.equal(groups.find(0), groups.find(4));
  assert.equal(groups.count, 1);
});
test('sizes add up', () => assert.equal(joined(5, [0, 1], [2, 3], [0, 3]).sizeOf(2), 4));
test('size of one alone', () => assert.equal(joined(5, [0, 1]).sizeOf(4), 1));
test('counts parts', () => assert.equal(countParts(6, [[0, 1], [1, 2], [4, 5]]), 3));
test('a circle counts once', () => assert.equal(countParts(4, [[0, 1], [1, 2], [2, 3], [3, 0]]), 1));
test('no elements', () => assert.equal(countParts(0, []), 0));
