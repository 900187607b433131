import assert from 'node:assert/strict';
import test from 'node:test';
import { parseIni } from '../src/ini-file.js';

test('an empty file', () => assert.deepEqual(parseIni(''), { '': {} }));
test('a setting', () => assert.deepEqual(parseIni('a=1'), { '': { a: '1' } }));
test('blanks round the sign', () => assert.deepEqual(parseIni('  a =  x y '), { '': { a: 'x y' } }));
test('comments', () => assert.deepEqual(parseIni('; one\n# two\n\na=1'), { '': { a: '1' } }));
test('sections', () => {
  assert.deepEqual(parseIni('[net]\nport=80\n[disk]\nsize=5'), {
    '': {},
    net: { port: '80' },
    disk: { size: '5' },
  });
});
test('a section that comes again', () => {
  assert.deepEqual(parseIni('[a]\nx=1\n[b]\n[a]\ny=2'), { '': {}, a: { x: '1', y: '2' }, b: {} });
});
test('an equals sign in the value', () => assert.deepEqual(parseIni('url=/find?q=1'), { '': { url: '/find?q=1' } }));
test('a value of equals signs', () => assert.deepEqual(parseIni('line===='), { '': { line: '===' } }));
test('an empty value', () => assert.deepEqual(parseIni('a='), { '': { a: '' } }));
test('quotes come off', () => assert.deepEqual(parseIni('a=" x "'), { '': { a: ' x ' } }));
test('one quote stays', () => assert.deepEqual(parseIni('a="'), { '': { a: '"' } }));
test('no sign', () => assert.throws(() => parseIni('a=1\nhello'), /line 2 is no setting/));
test('no name', () => assert.throws(() => parseIni('=1'), SyntaxError));
