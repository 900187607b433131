import assert from 'node:assert/strict';
import test from 'node:test';
import { fill, missingIn, pathsOf, valueAt } from '../src/text-template.js';

const data = { user: { name: 'ada lovelace', age: 36 }, city: null };

test('a path', () => assert.equal(valueAt(data, 'user.name'), 'ada lovelace'));
test('a path to nowhere', () => assert.equal(valueAt(data, 'city.name.first'), undefined));
test('fills', () => assert.equal(fill('Age: {{user.age}}!', data), 'Age: 36!'));
test('fills twice', () => assert.equal(fill('{{ user.age }}/{{user.age}}', data), '36/36'));
test('a filter', () => assert.equal(fill('{{user.name|upper}}', data), 'ADA LOVELACE'));
test('two filters', () => assert.equal(fill('{{user.name|short|title}}', data), 'Ada Lovel…'));
test('a default', () => assert.equal(fill('{{user.job : none}}', data), 'none'));
test('no default', () => assert.equal(fill('<{{user.job}}>', data), '<>'));
test('paths', () => assert.deepEqual(pathsOf('{{b}} {{a|upper}} {{b:x}}'), ['a', 'b']));
test('missing', () =>
  assert.deepEqual(missingIn('{{user.name}} {{zip}} {{tel:none}}', data), ['zip']));
