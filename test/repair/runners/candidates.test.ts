/** Each candidate in a new process: the failing tests first, as the ecosystem of the command selects them, and the whole command for what passes them. */
import { describe, expect, it } from 'vitest';
import { openRunner } from '../../../src/repair/runners/open-runner.ts';
import type { RunnerView } from '../../../src/repair/runners/runner-context.ts';
import { linkPackages } from '../../doubles/installed.ts';
import { type LocalCheckout, tryCandidates, withAdapter } from '../../doubles/runner-context.ts';
import { root } from '../../root.ts';
import { playsVariants } from '../../seed.ts';

const wrong = [
  'export function total(prices) {',
  '  let sum = 0;',
  '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
  '  return sum;',
  '}',
  "export const label = sum => sum + ' EUR';",
  '',
].join('\n');
const right = wrong.replace('i = 1', 'i = 0');
const endless = wrong.replace('i += 1)', 'i += 0)');

const spec = (names: string, test: string) =>
  `import { expect, it } from 'vitest';\nimport { ${names} } from '../src/price.js';\n${test}\n`;

describe.runIf(playsVariants)('vitest', () => {
  const checkout: LocalCheckout = {
    testCommand: 'npx vitest run',
    files: {
      'package.json': '{"type":"module"}',
      'src/price.js': wrong,
      'src/label.js': "export { label } from './price.js';\n",
      'test/price.test.js': spec('total', "it('of two', () => expect(total([1, 2])).toBe(3));"),
      'test/label.test.js': spec('label', "it('names', () => expect(label(2)).toBe('2 EUR'));"),
      'test/other.test.js':
        "import { expect, it } from 'vitest';\nit('x', () => expect(1).toBe(1));\n",
    },
    cloned: linkPackages(root),
  };

  it('passes what is right, and refuses what breaks another test or never ends', async () => {
    await withAdapter(checkout, async adapter => {
      expect(adapter.name).toBe('vitest run');
      const failed = adapter.base.filter(c => c.status === 'failed');
      expect(failed.map(c => c.file)).toEqual(['test/price.test.js']);
      const texts = [right, right.replace('EUR', 'USD'), endless, right];
      const candidates = texts.map(text => ({ 'src/price.js': text }));
      expect(await tryCandidates(adapter, candidates)).toEqual([true, false, false, true]);
    });
  });
});

/** A runner that prints TAP, and whose arguments are the files to play. */
const runner = [
  "const { basename, resolve } = require('node:path');",
  'const cases = process.argv.slice(2).flatMap(file =>',
  '  Object.entries(require(resolve(file))).map(([name, test]) => [name, test]),',
  ');',
  'let failed = 0;',
  "console.log('TAP version 13');",
  'for (const [i, [name, test]] of cases.entries()) {',
  '  failed += test() ? 0 : 1;',
  "  console.log((test() ? 'ok ' : 'not ok ') + (i + 1) + ' - ' + name);",
  '}',
  'console.log("1.." + cases.length);',
  'process.exit(failed > 0 ? 1 : 0);',
  '',
].join('\n');

describe('a command of any other runner', () => {
  const files = {
    'package.json': JSON.stringify({
      scripts: { pretest: 'node build.cjs', test: 'node run.cjs test/price.js test/unit.js' },
    }),
    'build.cjs': "require('node:fs').cpSync('src', 'lib', { recursive: true });\n",
    'run.cjs': runner,
    'src/price.js': 'exports.total = list => list.length;\nexports.unit = () => "EUR";\n',
    'test/price.js':
      "const { total } = require('../lib/price.js');\nexports.total = () => total([4]) === 4;\n",
    'test/unit.js':
      "const { unit } = require('../lib/price.js');\nexports.unit = () => unit() === 'EUR';\n",
  };
  const repaired = files['src/price.js'].replace('list.length', 'list[0]');

  it('runs whole, behind the script that builds what it tests', async () => {
    await withAdapter({ files, testCommand: 'npm test' }, async adapter => {
      expect(adapter.base.map(c => `${c.status} ${c.id}`)).toEqual(['failed total', 'passed unit']);
      const texts = [repaired, files['src/price.js'], repaired.replace('EUR', 'USD')];
      const candidates = texts.map(text => ({ 'src/price.js': text }));
      expect(await tryCandidates(adapter, candidates)).toEqual([true, false, false]);
    });
  });

  it('ends with `crash` if something beside the cases fails', async () => {
    await withAdapter({ files, testCommand: 'npm test' }, async adapter => {
      const opened = await adapter.open();
      const exits = `${repaired}process.on('exit', () => { process.exitCode = 3; });\n`;
      const result = await opened.run({ 'src/price.js': exits });
      opened.close();
      expect(result.ended).toBe('crash');
    });
  });
});

describe('node --test', () => {
  const node: LocalCheckout = {
    testCommand: 'npm test',
    files: {
      'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
      'src/price.js': wrong,
      'test/price.test.js': [
        "import assert from 'node:assert';",
        "import { describe, it } from 'node:test';",
        "import { label, total } from '../src/price.js';",
        "describe('total', () => {",
        '  it(\'is the "sum" (of all)\', () => assert.equal(total([1, 2]), 3));',
        "  it('of none', () => assert.equal(total([]), 0));",
        '});',
        "it('label', () => assert.equal(label(2), '2 EUR'));",
        '',
      ].join('\n'),
    },
  };

  it('runs the failing case alone, and then all', async () => {
    const lines: string[] = [];
    await withAdapter(node, async (_adapter, _log, context) => {
      const open = async () => {
        const view = await context.open();
        const run: RunnerView['run'] = (line, ms) => {
          lines.push(line);
          return view.run(line, ms);
        };
        return { ...view, run };
      };
      const opened = await openRunner({ ...context, open });
      if ('stop' in opened) throw new Error(opened.stop);
      expect(opened.base.map(c => [c.id, c.status])).toEqual([
        ['total > is the "sum" (of all)', 'failed'],
        ['total > of none', 'passed'],
        ['label', 'passed'],
      ]);
      expect(opened.base[0]?.file).toBe('test/price.test.js');
      expect(opened.base[0]?.message).toMatch(/expected: 3\nactual: 2/);
      lines.length = 0;
      const texts = [right, right.replace('EUR', 'USD'), endless, wrong];
      const candidates = texts.map(text => ({ 'src/price.js': text }));
      expect(await tryCandidates(opened, candidates)).toEqual([true, false, false, false]);
      const runs = lines.filter(line => line !== 'pwd');
      expect(runs.map(line => line.includes('--test-name-pattern'))).toEqual([
        ...[true, false],
        ...[true, false],
        ...[true, true],
      ]);
    });
  });
});

describe('cases that build on others', () => {
  it('run with them', async () => {
    const files = {
      'package.json': '{"type":"module"}',
      'src/cart.js':
        'const prices = [];\nexport const add = price => prices.push(price);\nexport const total = () => prices.slice(1).reduce((a, b) => a + b, 0);\n',
      'test/cart.test.js': [
        "import assert from 'node:assert';",
        "import { it } from 'node:test';",
        "import { add, total } from '../src/cart.js';",
        "it('adds', () => assert.equal(add(1), 1));",
        "it('adds another', () => assert.equal(add(2), 2));",
        "it('total', () => assert.equal(total(), 3));",
        '',
      ].join('\n'),
    };
    await withAdapter({ files, testCommand: 'node --test' }, async adapter => {
      const repaired = files['src/cart.js'].replace('.slice(1)', '');
      const candidates = [repaired, files['src/cart.js']].map(text => ({ 'src/cart.js': text }));
      expect(await tryCandidates(adapter, candidates)).toEqual([true, false]);
    });
  });
});
