import assert from 'node:assert/strict';
import test from 'node:test';
import { Trie } from '../src/word-trie.js';

const trie = (...words) => {
  const made = new Trie();
  for (const word of words) made.add(word);
  return made;
};

test('an empty set has nothing', () => assert.equal(trie().has('a'), false));
test('an empty set does not have the empty word', () => assert.equal(trie().has(''), false));
test('the empty word can be added', () => assert.equal(trie('').has(''), true));
test('has a word', () => assert.equal(trie('tea', 'ten').has('ten'), true));
test('has not another word', () => assert.equal(trie('tea').has('tex'), false));
test('a beginning is no word', () => assert.equal(trie('tea').has('te'), false));
test('a beginning that was added is a word', () => assert.equal(trie('tea', 'te').has('te'), true));
test('a longer text is no word', () => assert.equal(trie('tea').has('teas'), false));
test('completes', () => assert.deepEqual(trie('ten', 'tea', 'to', 'in').complete('te'), ['tea', 'ten']));
test('completes a whole word', () => assert.deepEqual(trie('in', 'inn').complete('in'), ['in', 'inn']));
test('completes nothing', () => assert.deepEqual(trie('in').complete('x'), []));
test('completes all', () => assert.deepEqual(trie('b', 'a').complete(''), ['a', 'b']));
