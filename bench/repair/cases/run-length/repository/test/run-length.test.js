import assert from 'node:assert/strict';
import test from 'node:test';
import { pack, saving, unpack } from '../src/run-length.js';

test('packs nothing', () => assert.equal(pack(''), ''));
test('packs one character', () => assert.equal(pack('a'), 'a'));
test('packs one run', () => assert.equal(pack('aaaa'), '4a'));
test('packs two runs', () => assert.equal(pack('aaabb'), '3a2b'));
test('single characters have no count', () => assert.equal(pack('abc'), 'abc'));
test('packs a mixture', () => assert.equal(pack('wwwbwwx'), '3wb2wx'));
test('packs a long run', () => assert.equal(pack('z'.repeat(12)), '12z'));
test('packs no digits', () => assert.throws(() => pack('a1'), TypeError));
test('unpacks', () => assert.equal(unpack('3a2bc'), 'aaabbc'));
test('unpacks a long count', () => assert.equal(unpack('12z'), 'z'.repeat(12)));
test('unpacks no loose count', () => assert.throws(() => unpack('a3'), SyntaxError));
test('there and back', () => assert.equal(unpack(pack('aabbbcddddd  e')), 'aabbbcddddd  e'));
test('saves half', () => assert.equal(saving('aaaa'), 0.5));
test('saves nothing', () => assert.equal(saving('ab'), 0));
