/** Tests that build on each other: a failing case gets the cases of its file that it needs. */
import { describe, expect, it } from 'vitest';
import { stagesFor } from '../../../src/repair/search/search.ts';
import { type LocalCheckout, withAdapter } from '../../doubles/runner-context.ts';
import { missingFor, needs, pytestPython } from '../../programs.ts';
import { playsVariants, sample } from '../../seed.ts';

const script = [
  'const prices = [];',
  'function add(price) {',
  '  return prices.push(price);',
  '}',
  'function total(factor) {',
  '  return prices.slice(1).reduce((a, b) => a + b, 0) * factor;',
  '}',
  '',
].join('\n');
const python = [
  'prices = []',
  'def add(price):',
  '    prices.append(price)',
  '    return len(prices)',
  'def total(factor):',
  '    return sum(prices[1:]) * factor',
  '',
].join('\n');

interface Suite {
  readonly checkout: LocalCheckout;
  readonly path: string;
  readonly right: string;
}

/** A suite in a runner's own words. `before` are its imports, `test` makes a case. */
function suiteOf(
  testCommand: string,
  before: string,
  test: (name: string, got: string, wanted: string) => string,
): Suite {
  const text = `${script}export { add, total };\n`;
  const tests = [
    test('adds', "add(1) + ''", "'1'"),
    test('adds another', "add(2) + ''", "'2'"),
    test('total', "total(1) + ''", "'3'"),
    test('half', "total(0.5) + ''", "'1.5'"),
  ];
  return {
    path: 'src/cart.js',
    right: text.replace('.slice(1)', ''),
    checkout: {
      testCommand,
      files: {
        'package.json': '{"type":"module"}',
        'src/cart.js': text,
        'test/cart.test.js': `${before}\nimport { add, total } from '../src/cart.js';\n${tests.join('\n')}\n`,
      },
    },
  };
}

const inAssert = (name: string, got: string, wanted: string) =>
  `it('${name}', () => assert.strictEqual(${got}, ${wanted}));`;
const assertFrom = "import assert from 'node:assert';";
const unittest = [
  'import unittest',
  'from cart import add, total',
  'class Cart(unittest.TestCase):',
  '    def test_1_adds(self): self.assertEqual(add(1), 1)',
  '    def test_2_adds_another(self): self.assertEqual(add(2), 2)',
  '    def test_3_total(self): self.assertEqual(total(1), 3)',
  '    def test_4_half(self): self.assertEqual(total(0.5), 1.5)',
  '',
].join('\n');

const plain = [
  'from cart import add, total',
  'def test_adds(): assert add(1) == 1',
  'def test_adds_another(): assert add(2) == 2',
  'def test_total(): assert total(1) == 3',
  'def test_half(): assert total(0.5) == 1.5',
  '',
].join('\n');

const suites: Readonly<Record<string, Suite>> = {
  'node:test': suiteOf('node --test', `${assertFrom}\nimport { it } from 'node:test';`, inAssert),
  [`unittest ${needs('python3')}`]: {
    path: 'cart.py',
    right: python.replace('[1:]', ''),
    checkout: {
      testCommand: 'python3 -m unittest',
      files: { 'cart.py': python, 'test_cart.py': unittest },
    },
  },
  [`pytest ${needs('pytest')}`]: {
    path: 'cart.py',
    right: python.replace('[1:]', ''),
    checkout: {
      testCommand: `${pytestPython()} -m pytest -q`,
      files: { 'cart.py': python, 'test_cart.py': plain },
    },
  },
};

for (const [name, { checkout, path, right }] of sample(
  'runners with dependent tests',
  Object.entries(suites),
  1,
))
  describe.runIf(missingFor(name).length === 0)(name, () => {
    it('runs failing cases with those that they build on, and says so', async () => {
      await withAdapter(checkout, async (adapter, log) => {
        expect(adapter.base.map(c => c.status)).toEqual(['passed', 'passed', 'failed', 'failed']);
        const runner = await adapter.open();
        const job = { stages: stagesFor(adapter.base), bail: true, coverage: false };
        const repaired = await runner.run({ ...job, files: { [path]: right } });
        const ends = new Map(repaired.cases.map(c => [c.id, c.status]));
        expect([...ends.values()]).toEqual(Array(4).fill('passed'));
        const broken = await runner.run({ ...job, files: {} });
        expect(broken.cases.some(c => c.status === 'failed')).toBe(true);
        runner.close();
        expect(log).toEqual([
          expect.stringMatching(/total" ends otherwise without the other tests/),
        ]);
      });
    });

    it.runIf(playsVariants)('runs them alone if they do not need others', async () => {
      // what is added is there from the start
      const independent = (text: string) =>
        text
          .replace(/(prices = )\[\]/, '$1[1, 2]')
          .replace(/prices\.(?:push|append)\(price\)/, 'price')
          .replace('len(prices)', 'price');
      const files = Object.fromEntries(
        Object.entries(checkout.files).map(([name, text]) => [name, independent(text)]),
      );
      await withAdapter({ ...checkout, files }, async (adapter, log) => {
        const runner = await adapter.open();
        const failing = adapter.base.filter(c => c.status === 'failed').map(c => c.id);
        expect(failing.length).toBeGreaterThan(0);
        const [first] = stagesFor(adapter.base);
        const stages = first === undefined ? [] : [first];
        const { cases } = await runner.run({ files: {}, stages, bail: false, coverage: false });
        expect(cases.map(c => c.id)).toEqual(failing);
        runner.close();
        expect(log).toEqual([]);
      });
    });
  });
