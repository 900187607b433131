import assert from 'node:assert/strict';
import test from 'node:test';
import { matches, select } from '../src/wildcard.js';

test('an empty pattern fits the empty name', () => assert.equal(matches('', ''), true));
test('an empty pattern fits no other', () => assert.equal(matches('', 'a'), false));
test('literal text', () => assert.equal(matches('abc', 'abc'), true));
test('other text', () => assert.equal(matches('abc', 'abd'), false));
test('a longer name', () => assert.equal(matches('abc', 'abcd'), false));
test('a star', () => assert.equal(matches('*.js', 'index.js'), true));
test('a star for nothing', () => assert.equal(matches('a*b', 'ab'), true));
test('two stars', () => assert.equal(matches('a*b*c', 'axxbyyc'), true));
test('stars that do not fit', () => assert.equal(matches('a*b*c', 'axxcyyb'), false));
test('a question mark', () => assert.equal(matches('v?.md', 'v1.md'), true));
test('a question mark is not nothing', () => assert.equal(matches('v?', 'v'), false));
test('an escaped star', () => assert.equal(matches('a\\*', 'a*'), true));
test('an escaped star is no star', () => assert.equal(matches('a\\*', 'ab'), false));
test('selects', () => assert.deepEqual(select(['a.js', 'b.ts', 'c.md'], ['*.js', '?.md']), ['a.js', 'c.md']));
