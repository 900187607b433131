/** The embedded engine over the real runners: each repository's own tests, in the sandbox, to a pull request. */
import { describe, expect, it } from 'vitest';
import { install, plainSearchPath } from '../doubles/installed.ts';
import { type Played, play, type Scenario } from './scenario.ts';

const limitMs = 110_000;
const inputs = { 'api-key': '', 'base-url': '', model: 'builtin' };
const task = 'Make the failing tests pass.';
const env = { PATH: plainSearchPath() };

const manifest = (test: string, more: object = {}) =>
  `${JSON.stringify({ name: 'shop', type: 'module', scripts: { test }, ...more })}\n`;

/** A faulty sum among functions that are right, and a neighbour that no failing test reaches. */
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

const withVitest = specs(
  "import { describe, expect, it } from 'vitest';",
  (a, b) => `expect(${a}).toBe(${b})`,
);
const withMocha = specs(
  "import assert from 'node:assert/strict';",
  (a, b) => `assert.equal(${a}, ${b})`,
);

const given = (name: string, about: Partial<Scenario>): Scenario => ({
  script: [],
  inputs,
  task,
  env,
  ...(name === '' ? {} : { cloned: (workspace: string) => install(workspace, name) }),
  ...about,
});

function expectRepaired({ outcome, patch, log }: Played, how: RegExp): void {
  expect(log).toMatch(how);
  expect(outcome).toMatchObject({ status: 'committed', engine: 'builtin' });
  expect(patch).toContain(fixed);
  expect(outcome.patch.files.map(f => f.path)).toEqual(['src/price.js']);
}

/** Lines came from coverage by case: the faulty line is among the first. */
function expectLines({ outcome }: Played): void {
  const suspects = outcome.repair?.suspects ?? [];
  const best = suspects.filter(s => s.score === suspects[0]?.score).map(s => s.line);
  expect(best).toContain(4);
  // the other function, which no failing case ran, is under no suspicion
  expect(suspects.filter(s => s.path !== 'src/price.js' || s.line > 8)).toEqual([]);
}

describe('the embedded engine over real runners', () => {
  it(
    'repairs with vitest, by the lines of each case',
    async () => {
      await play(given('vitest', { files: files('vitest run', withVitest) }), played => {
        expectRepaired(played, /Repair: vitest, warm; 1 of 3 tests fail\./);
        expectLines(played);
      });
    },
    limitMs,
  );

  it(
    'repairs with mocha, by the lines of each case',
    async () => {
      await play(given('mocha', { files: files('mocha', withMocha) }), played => {
        expectRepaired(played, /Repair: mocha, a process for each candidate; 1 of 3 tests fail\./);
        expectLines(played);
      });
    },
    limitMs,
  );
});
