import assert from 'node:assert/strict';
import test from 'node:test';
import { plain, slugify, uniqueSlug } from '../src/slug.js';

test('plain letters', () => assert.equal(plain('éàñ'), 'ean'));
test('special letters', () => assert.equal(plain('straße'), 'strasse'));
test('an empty title', () => assert.equal(slugify(''), ''));
test('marks alone', () => assert.equal(slugify('?!'), ''));
test('lower case stays', () => assert.equal(slugify('green tea'), 'green-tea'));
test('capitals become small', () => assert.equal(slugify('Green Tea'), 'green-tea'));
test('all capitals', () => assert.equal(slugify('README 2'), 'readme-2'));
test('marks at both ends', () => assert.equal(slugify('  (hello, world)! '), 'hello-world'));
test('an ampersand', () => assert.equal(slugify('Crème & Tea!'), 'creme-and-tea'));
test('stops at the limit', () => assert.equal(slugify('one two three', 8), 'one-two'));
test('exactly the limit', () => assert.equal(slugify('one two three', 7), 'one-two'));
test('one long word is cut', () => assert.equal(slugify('abcdefgh', 5), 'abcde'));
test('a free slug', () => assert.equal(uniqueSlug('tea', ['milk']), 'tea'));
test('a taken slug', () => assert.equal(uniqueSlug('tea', ['tea', 'tea-2']), 'tea-3'));
