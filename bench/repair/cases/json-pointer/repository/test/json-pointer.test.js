import assert from 'node:assert/strict';
import test from 'node:test';
import { formatPointer, lookUp, parsePointer } from '../src/json-pointer.js';

const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, '~1': 9, deep: { list: [{ x: null }] } };

test('the whole document', () => assert.equal(lookUp(document, ''), document));
test('a list', () => assert.deepEqual(lookUp(document, '/foo'), ['bar', 'baz']));
test('an element', () => assert.equal(lookUp(document, '/foo/1'), 'baz'));
test('an empty name', () => assert.equal(lookUp(document, '/'), 0));
test('a slash in a name', () => assert.equal(lookUp(document, '/a~1b'), 1));
test('a tilde in a name', () => assert.equal(lookUp(document, '/m~0n'), 8));
test('a tilde before a one', () => assert.equal(lookUp(document, '/~01'), 9));
test('deep', () => assert.equal(lookUp(document, '/deep/list/0/x'), null));
test('nothing there', () => assert.equal(lookUp(document, '/deep/none'), undefined));
test('no leading zeros', () => assert.equal(lookUp(document, '/foo/01'), undefined));
test('into a text', () => assert.equal(lookUp(document, '/foo/0/length'), undefined));
test('not a pointer', () => assert.throws(() => parsePointer('foo'), SyntaxError));
test('writes escapes', () => assert.equal(formatPointer(['a/b', 'm~n']), '/a~1b/m~0n'));
test('there and back', () => assert.deepEqual(parsePointer(formatPointer(['~1', '~0', '/~'])), ['~1', '~0', '/~']));
