import assert from 'node:assert/strict';
import test from 'node:test';
import { catalogueName, freeName, initials, joinNames, shortList } from '../src/name-list.js';

test('three names', () => assert.equal(joinNames(['Ada', 'Bo', 'Cy']), 'Ada, Bo and Cy'));
test('one name', () => assert.equal(joinNames(['Ada']), 'Ada'));
test('another word', () => assert.equal(joinNames(['Ada', 'Bo'], 'or'), 'Ada or Bo'));
test('a short list', () => assert.equal(shortList(['Ada', 'Bo']), 'Ada and Bo'));
test('a long list', () =>
  assert.equal(shortList(['Ada', 'Bo', 'Cy', 'Di', 'Ed']), 'Ada, Bo, Cy and 2 others'));
test('one other', () => assert.equal(shortList(['Ada', 'Bo', 'Cy'], 2), 'Ada, Bo and 1 other'));
test('initials', () => assert.equal(initials('ada lovelace'), 'AL'));
test('one initial', () => assert.equal(initials('Ada'), 'A'));
test('no name', () => assert.equal(initials(''), '?'));
test('catalogue', () => assert.equal(catalogueName('Ada Lovelace'), 'Lovelace, Ada'));
test('catalogue with a small word', () =>
  assert.equal(catalogueName('Ludwig van Beethoven'), 'van Beethoven, Ludwig'));
test('a free name', () => assert.equal(freeName('bo', ['ada']), 'bo'));
test('a taken name', () => assert.equal(freeName('bo', ['bo', 'bo-2', 'ada']), 'bo-3'));
