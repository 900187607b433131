import assert from 'node:assert/strict';
import test from 'node:test';
import { longestCommon, similarity } from '../src/longest-common.js';

const common = (a, b) => longestCommon([...a], [...b]).join('');

test('nothing at all', () => assert.equal(common('', ''), ''));
test('one is empty', () => assert.equal(common('abc', ''), ''));
test('the same', () => assert.equal(common('abc', 'abc'), 'abc'));
test('nothing in common', () => assert.equal(common('abc', 'xyz'), ''));
test('one left out', () => {
  assert.equal(common('abc', 'ac'), 'ac');
  assert.equal(common('ab', 'a'), 'a');
});
test('one put in', () => assert.equal(common('ac', 'abc'), 'ac'));
test('put in at the end', () => assert.equal(common('ab', 'abxyz'), 'ab'));
test('put in at the start', () => assert.equal(common('ab', 'xyzab'), 'ab'));
test('as in the textbook', () => assert.equal(common('AGGTAB', 'GXTXAYB'), 'GTAB'));
test('as in another textbook', () => assert.equal(common('abcbdab', 'bdcaba').length, 4));
test('both ways the same length', () => {
  assert.equal(common('xmjyauz', 'mzjawxu').length, 4);
  assert.equal(common('mzjawxu', 'xmjyauz').length, 4);
});
test('words', () => assert.deepEqual(longestCommon(['a', 'big', 'cat'], ['a', 'cat', 'sat']), ['a', 'cat']));
test('equal lists are alike', () => assert.equal(similarity(['x'], ['x']), 1));
test('empty lists are alike', () => assert.equal(similarity([], []), 1));
test('half alike', () => assert.equal(similarity(['a', 'b'], ['b', 'c']), 0.5));
