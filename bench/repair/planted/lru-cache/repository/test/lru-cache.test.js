import assert from 'node:assert/strict';
import test from 'node:test';
import { countHits, enoughFor, openCache } from '../src/lru-cache.js';

test('stores', () => {
  const cache = openCache(2);
  cache.set('a', 1);
  assert.equal(cache.get('a'), 1);
});
test('has nothing at first', () => assert.equal(openCache(2).get('a'), undefined));
test('forgets the oldest', () => {
  const cache = openCache(2);
  for (const key of ['a', 'b', 'c']) cache.set(key, key);
  assert.deepEqual(cache.keys(), ['b', 'c']);
});
test('a read keeps an entry', () => {
  const cache = openCache(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  assert.deepEqual(cache.keys(), ['a', 'c']);
});
test('a write replaces', () => {
  const cache = openCache(2);
  cache.set('a', 1);
  cache.set('a', 2);
  assert.equal(cache.get('a'), 2);
  assert.deepEqual(cache.keys(), ['a']);
});
test('hits', () => assert.equal(countHits([...'abcabc'], 3), 3));
test('no hits', () => assert.equal(countHits([...'abcabc'], 2), 0));
test('enough', () => assert.equal(enoughFor([...'abcabc']), 3));
