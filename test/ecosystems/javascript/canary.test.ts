import { expect, it } from 'vitest';
import { plantCanary } from '../../../src/ecosystems/javascript/canary.ts';

const token = 't0123456789';
const plant = (command: string, path: string, text = '') =>
  plantCanary({ words: command.split(' '), path, text, token });

it.each([
  ['node --test', 'test/a.test.js', 'node --test test/t0123456789_a.test.js'],
  [
    'node --test --test-reporter tap --import ./x.js test/*.js',
    'test/a.js',
    'node --import ./x.js --test test/t0123456789_a.js',
  ],
  [
    'mocha --require ts-node/register test',
    'test/a.spec.ts',
    'mocha --require ts-node/register test/t0123456789_a.spec.ts',
  ],
  ['vitest', 'src/a.test.ts', 'vitest run src/t0123456789_a.test.ts'],
  ['jest --ci', 'test_a.js', 'jest --ci --runTestsByPath test_t0123456789_a.js'],
])('%s runs the copy of %s alone', (command, path, words) =>
  expect(plant(command, path)?.words.join(' ')).toBe(words),
);

it.each([
  ['ava', 'test/a.js'],
  ['jest --rootDir lib', 'lib/a.test.js'],
  ['node --test', 'test/data.json'],
  ['node test/a.js', 'test/a.js'],
])('%s has none for %s', (command, path) => expect(plant(command, path)).toBeUndefined());

it.each([
  [
    'node --test',
    'a.test.js',
    "import { test } from 'node:test';",
    "import * as t0123456789Runner from 'node:test';",
  ],
  [
    'node --test',
    'a.test.js',
    "const { test } = require('node:test');",
    "const t0123456789Runner = require('node:test');",
  ],
  ['node --test', 'a.test.mjs', '', "import * as t0123456789Runner from 'node:test';"],
  [
    'mocha',
    'a.test.js',
    "const { expect } = require('chai');",
    't0123456789Chai.expect(1).to.equal(2)',
  ],
  ['jest', 'a.test.js', '', 'expect(1).toStrictEqual(2)'],
  ['vitest', 'a.test.ts', "import { it } from 'vitest';", 't0123456789Runner.expect(1).toBe(2)'],
])('%s: the copy of %s with "%s" loads and asserts in its own way', (command, path, text, line) => {
  const copy = plant(command, path, text);
  expect(copy?.text.startsWith(`${text}\n`)).toBe(true);
  expect(copy?.text).toContain(line);
});

it('every case has a name that no other has', () => {
  const { text = '', assertions = [], builtins = '' } = plant('jest', 'a.test.js') ?? {};
  for (const name of [...assertions, builtins]) expect(text.split(`'${name}'`)).toHaveLength(2);
});
