import assert from 'node:assert/strict';
import test from 'node:test';
import { shortestPath } from '../src/dijkstra.js';

const roads = {
  a: { b: 7, c: 9, f: 14 },
  b: { c: 10, d: 15 },
  c: { d: 11, f: 2 },
  d: { e: 6 },
  f: { e: 9 },
  x: { a: 1 },
};

test('a node to itself', () => assert.deepEqual(shortestPath(roads, 'a', 'a'), { distance: 0, path: ['a'] }));
test('one road', () => assert.deepEqual(shortestPath(roads, 'a', 'b'), { distance: 7, path: ['a', 'b'] }));
test('a detour is shorter', () => {
  assert.deepEqual(shortestPath(roads, 'a', 'f'), { distance: 11, path: ['a', 'c', 'f'] });
});
test('three roads', () => {
  assert.deepEqual(shortestPath(roads, 'a', 'e'), { distance: 20, path: ['a', 'c', 'f', 'e'] });
});
test('through the middle', () => assert.equal(shortestPath(roads, 'a', 'd').distance, 20));
test('from another start', () => assert.equal(shortestPath(roads, 'b', 'e').distance, 21));
test('no way back', () => assert.equal(shortestPath(roads, 'e', 'a'), null));
test('an unknown goal', () => assert.equal(shortestPath(roads, 'a', 'z'), null));
test('an unknown start', () => assert.equal(shortestPath(roads, 'z', 'a'), null));
test('a chain adds up', () => {
  assert.deepEqual(shortestPath({ p: { q: 1 }, q: { r: 2 }, r: { s: 3 } }, 'p', 's'), {
    distance: 6,
    path: ['p', 'q', 'r', 's'],
  });
});
