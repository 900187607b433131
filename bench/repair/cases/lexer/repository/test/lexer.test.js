import assert from 'node:assert/strict';
import test from 'node:test';
import { tokenize } from '../src/lexer.js';

const texts = source => tokenize(source).map(token => token.text);
const kinds = source => tokenize(source).map(token => token.kind);

test('nothing', () => assert.deepEqual(tokenize(''), []));
test('blanks alone', () => assert.deepEqual(tokenize('   '), []));
test('a number', () => assert.deepEqual(tokenize('42'), [{ kind: 'number', text: '42', at: 0 }]));
test('a fraction', () => assert.deepEqual(texts('3.14'), ['3.14']));
test('a fraction that ends in its point', () => assert.deepEqual(texts('3.+1'), ['3.', '+', '1']));
test('a second point is a mark', () => assert.deepEqual(texts('1.2.3'), ['1.2', '.', '3']));
test('a version has two numbers', () => assert.deepEqual(kinds('10.0.1'), ['number', 'mark', 'number']));
test('two points in a row', () => assert.deepEqual(texts('1..5'), ['1.', '.', '5']));
test('a name with digits', () => assert.deepEqual(texts('x1_y + 2'), ['x1_y', '+', '2']));
test('a number before a name', () => assert.deepEqual(kinds('2x'), ['number', 'name']));
test('marks', () => assert.deepEqual(texts('(a*b)'), ['(', 'a', '*', 'b', ')']));
test('positions', () => assert.deepEqual(tokenize('a  + 7').map(t => t.at), [0, 3, 5]));
test('a point alone', () => assert.deepEqual(kinds('.5'), ['mark', 'number']));
