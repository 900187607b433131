/** The lines that runs of the tests run: by V8, by the coverage of vitest, and by the trace of Python. */
import { expect, it } from 'vitest';
import { linkPackages } from '../../doubles/installed.ts';
import { tryCandidates, withAdapter } from '../../doubles/runner-context.ts';
import { missingFor, needs, pytestPython } from '../../programs.ts';
import { root } from '../../root.ts';
import { playsVariants } from '../../seed.ts';

const source = [
  'export function label(sum) {',
  '  if (sum > 5) {',
  "    return 'much';",
  '  }',
  "  return 'sum ' + sum;",
  '}',
  '',
];
const typed = source.join('\n').replace('(sum)', '(sum: number)');
const ran = [1, 2, 5];

const spec = (imports: string) => `${imports}
import { label } from '../src/label.js';
import { label as other } from '../src/typed.ts';
it('labels', () => {
  if (label(1) !== 'sum 1' || other(1) !== 'sum 1') throw new Error('no');
});
`;

it.each([
  ['vitest', 'npx vitest run', "import { it } from 'vitest';"],
  ...(playsVariants ? [['a shell command', 'npx mocha test --reporter tap; true', '']] : []),
])(
  '%s tells the lines that it runs, in JavaScript and TypeScript',
  async (_, testCommand = '', imports = '') => {
    const files = {
      'package.json': '{"type":"module"}',
      'src/label.js': source.join('\n'),
      'src/typed.ts': typed,
      'src/unused.js': 'export const unused = 1;\n',
      'test/label.test.js': spec(imports),
    };
    await withAdapter({ testCommand, files, cloned: linkPackages(root) }, async adapter => {
      expect(adapter.ran.failing.size).toBe(0);
      const { others } = adapter.ran;
      for (const path of ['src/label.js', 'src/typed.ts'])
        expect([...(others.get(path) ?? [])].sort()).toEqual(ran);
      expect(others.has('src/unused.js')).toBe(false);
      expect(await tryCandidates(adapter, [{}])).toEqual([true]);
    });
  },
  600_000,
);

const price = [
  'export function total(prices) {',
  '  let sum = 0;',
  '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
  '  return sum;',
  '}',
  'export function free(sum) {',
  '  return sum >= 50;',
  '}',
  '',
].join('\n');
const prices = `import assert from 'node:assert';
import { describe, it } from 'node:test';
import { free, total } from '../src/price.js';
describe('total', () => {
  it('is the "sum"  (of all)', () => assert.equal(total([1, 2]), 3));
  it('of none', () => assert.equal(total([]), 0));
});
it('free', () => assert.equal(free(50), true));
`;
const python = [
  'def total(prices):',
  '    return sum(prices[1:])',
  'def free(sum):',
  '    return sum >= 50',
  '',
].join('\n');
const pythonTest = [
  'import unittest',
  'from price import free, total',
  'class Price(unittest.TestCase):',
  '    def test_total(self):',
  '        self.assertEqual(total([1, 2]), 3)',
  '    def test_free(self):',
  '        self.assertTrue(free(50))',
  '',
].join('\n');
const inPython = { 'price.py': python, 'test_price.py': pythonTest };
const suites = [
  {
    name: 'node --test',
    path: 'src/price.js',
    files: {
      'package.json': '{"type":"module"}',
      'src/price.js': price,
      'test/price.test.js': prices,
    },
    alone: [] as number[],
    shared: [2, 3, 4],
    others: 7,
  },
  ...[
    `python3 -m unittest ${needs('python3')}`,
    `${pytestPython()} -m pytest ${needs('pytest')}`,
  ].map(name => ({
    name,
    path: 'price.py',
    files: inPython,
    alone: [2],
    shared: [1, 3],
    others: 4,
  })),
];

it.each(suites.filter(s => missingFor(s.name).length === 0))(
  '$name tells the lines of the failing cases from those of the others',
  async ({ name, path, files, alone, shared, others }) => {
    const testCommand = name.replace(/ \[.*/, '');
    await withAdapter({ testCommand, files }, async ({ ran }) => {
      const [own, other] = [ran.failing.get(path), ran.others.get(path)];
      for (const line of [...alone, ...shared]) expect(own?.has(line), `${line}`).toBe(true);
      for (const line of alone) expect(other?.has(line), `${line}`).toBe(false);
      for (const line of shared) expect(other?.has(line), `${line}`).toBe(true);
      expect([own?.has(others), other?.has(others)]).toEqual([false, true]);
    });
  },
  600_000,
);
