import assert from 'node:assert/strict';
import test from 'node:test';
import { borders, countApart, findAll } from '../src/text-search.js';

test('borders of nothing', () => assert.deepEqual(borders(''), []));
test('borders', () => assert.deepEqual(borders('abacabab'), [0, 0, 1, 0, 1, 2, 3, 2]));
test('borders of equal characters', () => assert.deepEqual(borders('aaaa'), [0, 1, 2, 3]));
test('an empty pattern', () => assert.deepEqual(findAll('abc', ''), []));
test('an empty text', () => assert.deepEqual(findAll('', 'a'), []));
test('at the start', () => assert.deepEqual(findAll('abc', 'ab'), [0]));
test('at the end', () => assert.deepEqual(findAll('xxab', 'ab'), [2]));
test('the whole text', () => assert.deepEqual(findAll('abab', 'abab'), [0]));
test('nowhere', () => assert.deepEqual(findAll('abababc', 'abd'), []));
test('overlapping', () => assert.deepEqual(findAll('aaaa', 'aa'), [0, 1, 2]));
test('falls back in the pattern', () => assert.deepEqual(findAll('aabaabaaab', 'aabaaa'), [3]));
test('counts apart', () => assert.equal(countApart('aaaaa', 'aa'), 2));
test('counts none', () => assert.equal(countApart('abc', 'x'), 0));
