import assert from 'node:assert/strict';
import test from 'node:test';
import { kindsOf, longestRepeat, problemsOf, strength } from '../src/password-check.js';

test('repeats', () => assert.equal(longestRepeat('abbbcc'), 3));
test('repeats of nothing', () => assert.equal(longestRepeat(''), 0));
test('kinds', () => assert.equal(kindsOf('aB3'), 3));
test('all kinds', () => assert.equal(kindsOf('aB3-'), 4));
test('a good one', () => assert.deepEqual(problemsOf('Tr0mbone'), []));
test('short', () => assert.deepEqual(problemsOf('aB3-'), ['short']));
test('simple', () => assert.deepEqual(problemsOf('lowercase'), ['simple']));
test('long ones may be simple', () => assert.deepEqual(problemsOf('correct horse battery'), []));
test('repeated characters', () => assert.deepEqual(problemsOf('aB3aaaaaa'), ['repeats']));
test('common', () => assert.deepEqual(problemsOf('LetMeIn1'), ['common']));
test('holds the name', () =>
  assert.deepEqual(problemsOf('Annika-77', { name: 'annika' }), ['name']));
test('no strength with a problem', () => assert.equal(strength('abc'), 0));
test('strength', () => assert.equal(strength('Tr0mbone'), 2));
test('more strength', () => assert.equal(strength('Tr0mbone-Tr4in'), 4));
