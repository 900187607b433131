import assert from 'node:assert/strict';
import test from 'node:test';
import { formatQuery, parseQuery } from '../src/query-string.js';

test('an empty query', () => assert.deepEqual(parseQuery(''), {}));
test('a question mark alone', () => assert.deepEqual(parseQuery('?'), {}));
test('two pairs', () => assert.deepEqual(parseQuery('?a=1&b=2'), { a: '1', b: '2' }));
test('a name that comes again', () => assert.deepEqual(parseQuery('b=2&b=3&b=4'), { b: ['2', '3', '4'] }));
test('no value', () => assert.deepEqual(parseQuery('flag&x='), { flag: '', x: '' }));
test('an equals sign in the value', () => assert.deepEqual(parseQuery('f=a=b'), { f: 'a=b' }));
test('a value without a name', () => assert.deepEqual(parseQuery('=x'), { '': 'x' }));
test('an encoded name', () => assert.deepEqual(parseQuery('a%20b=1'), { 'a b': '1' }));
test('an encoded value', () => assert.deepEqual(parseQuery('q=50%25'), { q: '50%' }));
test('plus is a blank', () => assert.deepEqual(parseQuery('q=red+fox'), { q: 'red fox' }));
test('an encoded plus stays', () => assert.deepEqual(parseQuery('q=1%2B1'), { q: '1+1' }));
test('other alphabets', () => assert.deepEqual(parseQuery('q=%C3%BC'), { q: 'ü' }));
test('writes a query', () => assert.equal(formatQuery({ a: '1 2', b: ['x', 'y&z'] }), 'a=1%202&b=x&b=y%26z'));
test('there and back', () => {
  const record = { name: 'Zoë & Co', tags: ['a+b', '100%'] };
  assert.deepEqual(parseQuery(formatQuery(record)), record);
});
