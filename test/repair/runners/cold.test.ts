/** Each candidate in a new process: the failing tests first, as the ecosystem of the command selects them, and the whole command for what passes them. */
import { describe, expect, it } from 'vitest';
import { stagesFor } from '../../../src/repair/search/search.ts';
import { linkPackages } from '../../doubles/installed.ts';
import { type LocalCheckout, tryJobs, withAdapter } from '../../doubles/runner-context.ts';
import { has, needs } from '../../programs.ts';
import { root } from '../../root.ts';
import { isAll, playsVariants } from '../../seed.ts';

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
      expect(adapter.name).toBe(
        'vitest run, cold: the failing tests, and then the whole command, for each candidate',
      );
      const failed = adapter.base.filter(c => c.status === 'failed');
      expect(failed.map(c => c.file)).toEqual(['test/price.test.js']);
      const texts = [right, right.replace('EUR', 'USD'), endless, right];
      const jobs = texts.map(text => ({ files: { 'src/price.js': text } }));
      expect(await tryJobs(adapter, jobs)).toEqual([true, false, false, true]);
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
      const jobs = texts.map(text => ({ files: { 'src/price.js': text } }));
      expect(await tryJobs(adapter, jobs)).toEqual([true, false, false]);
    });
  });

  it('ends with `crash` if something beside the cases fails', async () => {
    await withAdapter({ files, testCommand: 'npm test' }, async adapter => {
      const opened = await adapter.open();
      const job = { stages: stagesFor(adapter.base), bail: true, coverage: false };
      const exits = `${repaired}process.on('exit', () => { process.exitCode = 3; });\n`;
      const result = await opened.run({ ...job, files: { 'src/price.js': exits } });
      opened.close();
      expect(result.ended).toBe('crash');
    });
  });
});

// the nightly gate installs Go
describe.runIf(isAll && has('go'))(`go test ${isAll ? needs('go') : ''}`, () => {
  const files = {
    'go.mod': 'module example.com/shop\n\ngo 1.19\n',
    'price/price.go': 'package price\n\nfunc Total(a, b int) int {\n\treturn a - b\n}\n',
    'price/price_test.go': [
      'package price',
      'import "testing"',
      'func TestTotal(t *testing.T) {',
      '\tif got := Total(1, 2); got != 3 {',
      '\t\tt.Errorf("got %d, want 3", got)',
      '\t}',
      '}',
      '',
    ].join('\n'),
  };

  it('names the failing test with its place, and passes what is right', async () => {
    await withAdapter({ files, testCommand: 'go test ./...' }, async adapter => {
      const found = adapter.base.find(c => c.id.endsWith('TestTotal'));
      expect(found?.frames).toEqual([{ path: 'price/price_test.go', line: 5 }]);
      const source = files['price/price.go'];
      const texts = [source.replace('a - b', 'a + b'), source.replace('a - b', 'a * b')];
      const jobs = texts.map(text => ({ files: { 'price/price.go': text } }));
      expect(await tryJobs(adapter, jobs)).toEqual([true, false]);
    });
  });
});
