/** Tests the embedded engine with the real test runners, in the sandbox, up to a pull request. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { install, plainSearchPath } from '../doubles/installed.ts';
import { has, needs } from '../programs.ts';
import { root } from '../root.ts';
import { isAll } from '../seed.ts';
import { type Played, play, type Scenario } from './scenario.ts';

/** Each candidate takes one or more processes, which are slow on a busy machine. */
const limitMs = 600_000;
const inputs = { 'api-key': '', 'base-url': '', model: 'builtin' };
const task = 'Make the failing tests pass.';
const env = { PATH: plainSearchPath() };

/** `test/runners` installs jest, because as a dependency it would nearly double the size of this project. */
const jest = join(root, 'test', 'runners', 'node_modules');

const manifest = (test: string, more: object = {}) =>
  `${JSON.stringify({ name: 'shop', type: 'module', scripts: { test }, ...more })}\n`;

/** A faulty sum among correct functions, and a function that no failing test reaches. */
const source = [
  '/** Sum of all prices. */',
  'export function total(prices) {',
  '  let sum = 0;',
  '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
  '  return sum;',
  '}',
  '',
  'export function shipsFree(sum) {',
  '  if (sum >= 5000) return true;',
  '  return false;',
  '}',
  '',
].join('\n');
const fixed = '+  for (let i = 0; i < prices.length; i += 1) sum += prices[i];';

const specs = (imports: string, equal: (actual: string, expected: string) => string) =>
  [
    imports,
    "import { shipsFree, total } from '../src/price.js';",
    '',
    "describe('total', () => {",
    `  it('is  the "sum" of (all)', () => ${equal('total([1, 2, 4])', '7')});`,
    `  it('of none', () => ${equal('total([])', '0')});`,
    '});',
    "describe('shipping', () => {",
    "  it('is free from 50.00', () => {",
    '    console.log(\'{"noise": true}\');',
    `    ${equal('shipsFree(5000)', 'true')};`,
    `    ${equal('shipsFree(4999)', 'false')};`,
    '  });',
    '});',
    '',
  ].join('\n');

const files = (test: string, spec: string, more: Readonly<Record<string, string>> = {}) => ({
  '.gitignore': 'node_modules/\n',
  'package.json': manifest(test),
  'src/price.js': source,
  'test/price.test.js': spec,
  ...more,
});

const given = (name: string, about: Partial<Scenario>): Scenario => ({
  script: [],
  inputs,
  task,
  env,
  ...(name === '' ? {} : { cloned: (workspace: string) => install(workspace, name) }),
  ...about,
});

function expectRepaired({ outcome, patch, log }: Played, how: RegExp, right = fixed): void {
  expect(log).toMatch(how);
  expect(outcome).toMatchObject({ status: 'committed', engine: 'builtin' });
  expect(patch).toContain(right);
  expect(outcome.patch.files.map(f => f.path)).toEqual(['src/price.js']);
}

describe('the embedded engine over real runners', () => {
  it.runIf(isAll && has('jest'))(
    `repairs with jest ${isAll ? needs('jest') : ''}`,
    async () => {
      const cloned = (workspace: string) =>
        cpSync(jest, join(workspace, 'node_modules'), {
          recursive: true,
          verbatimSymlinks: true,
        });
      const common = {
        'package.json': '{"name":"shop","scripts":{"test":"jest"}}\n',
        'src/price.js': `${source.replaceAll('export ', '')}module.exports = { shipsFree, total };\n`,
      };
      const spec = specs('', (a, b) => `expect(${a}).toBe(${b})`).replace(
        /import (.*) from (.*);/,
        'const $1 = require($2);',
      );
      await play(given('', { cloned, files: files('', spec, common) }), played => {
        expectRepaired(
          played,
          /Repair: jest, cold: .*, in \d (?:copy|copies); 1 of 3 tests fails\./,
        );
      });
    },
    limitMs,
  );

  it.runIf(isAll)(
    'repairs with the JUnit report of the test command, from the line that threw',
    async () => {
      const thrower = {
        'src/price.js': 'export const cents = text => Math.round(text.parse() * 100);\n',
        'test/price.test.js': [
          "import assert from 'node:assert/strict';",
          "import test from 'node:test';",
          "import { cents } from '../src/price.js';",
          '',
          "test('cents of a number', () => assert.equal(cents(1.5), 150));",
          '',
        ].join('\n'),
        'run-tests':
          'mkdir -p out\nexec node --test --test-reporter=junit --test-reporter-destination=out/report.xml\n',
        '.photon/config.json': '{"verify":{"report":"out/report.xml"}}\n',
      };
      await play(
        given('', { files: files('sh run-tests', '', thrower) }),
        ({ outcome, patch, log }) => {
          expect(log).toMatch(
            /Repair: sh run-tests, cold: .*, in \d (?:copy|copies); 1 of 1 test fails\./,
          );
          expect(outcome.repair?.suspects[0]).toMatchObject({
            path: 'src/price.js',
            line: 1,
            score: 1,
          });
          expect(outcome).toMatchObject({ status: 'committed', engine: 'builtin' });
          expect(patch).toContain('+export const cents = text => Math.round(text * 100);');
        },
      );
    },
    limitMs,
  );
});
