import assert from 'node:assert/strict';
import test from 'node:test';
import { folderSizes, largest, parseSize, sizeText } from '../src/file-size.js';

const files = { 'a/x': 100, 'a/b/y': 2000, 'c/z': 500, top: 9 };

test('bytes', () => assert.equal(sizeText(512), '512 B'));
test('kilobytes', () => assert.equal(sizeText(1536), '1.5 KB'));
test('many kilobytes', () => assert.equal(sizeText(20 * 1024), '20 KB'));
test('megabytes', () => assert.equal(sizeText(5 * 1024 * 1024), '5.0 MB'));
test('parses bytes', () => assert.equal(parseSize('300'), 300));
test('parses kilobytes', () => assert.equal(parseSize('1.5 KB'), 1536));
test('parses a letter', () => assert.equal(parseSize('2m'), 2 * 1024 * 1024));
test('parses no nonsense', () => assert.ok(Number.isNaN(parseSize('much'))));
test('folders', () => assert.deepEqual(folderSizes(files), { a: 2100, 'a/b': 2000, c: 500 }));
test('largest', () => assert.deepEqual(largest(files, 2), ['a: 2.1 KB', 'a/b: 2.0 KB']));
