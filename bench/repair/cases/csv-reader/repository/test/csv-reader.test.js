import assert from 'node:assert/strict';
import test from 'node:test';
import { parseCsv, parseRecords } from '../src/csv-reader.js';

test('an empty text', () => assert.deepEqual(parseCsv(''), []));
test('one line with its end', () => assert.deepEqual(parseCsv('a,b\n'), [['a', 'b']]));
test('one line without an end', () => assert.deepEqual(parseCsv('a,b'), [['a', 'b']]));
test('one field without an end', () => assert.deepEqual(parseCsv('a'), [['a']]));
test('two lines, Windows ends', () => assert.deepEqual(parseCsv('a,b\r\nc,d\r\n'), [['a', 'b'], ['c', 'd']]));
test('empty fields', () => assert.deepEqual(parseCsv(',,\n'), [['', '', '']]));
test('an empty last field without an end', () => assert.deepEqual(parseCsv('a,'), [['a', '']]));
test('a comma in quotes', () => assert.deepEqual(parseCsv('"a,b",c\n'), [['a,b', 'c']]));
test('a quote in quotes', () => assert.deepEqual(parseCsv('"say ""hi"""\n'), [['say "hi"']]));
test('a line end in quotes', () => assert.deepEqual(parseCsv('"a\nb",c\n'), [['a\nb', 'c']]));
test('records', () => {
  assert.deepEqual(parseRecords('name,age\nIda,40\nBo,20\n'), [
    { name: 'Ida', age: '40' },
    { name: 'Bo', age: '20' },
  ]);
});
test('records with a short row', () => assert.deepEqual(parseRecords('a,b\n1\n'), [{ a: '1', b: '' }]));
test('no records', () => assert.deepEqual(parseRecords('a,b\n'), []));
