import { describe, expect, it } from 'vitest';
import { openTitleFiles, readFailures } from '../../../../src/repair/runners/adapters/report.ts';
import { stagesFor } from '../../../../src/repair/search/search.ts';
import { withAdapter } from '../../../doubles/runner-context.ts';

describe('the file that the name of a case begins with', () => {
  const fileOf = openTitleFiles([
    'test/price.test.js',
    'test/unit/price.spec.ts',
    'test/unit/__tests__/test-words.js',
    'other/unit/tax.js',
    'test/unit/tax.js',
  ]);

  it.each([
    ['unit › price › adds', 'test/unit/price.spec.ts'],
    ['test › price › adds › all', 'test/price.test.js'],
    ['words › adds', 'test/unit/__tests__/test-words.js'],
    ['price › adds', undefined],
    ['unit › tax › adds', undefined],
    ['test › unit › tax › adds', 'test/unit/tax.js'],
    ['words', undefined],
    ['adds › words', undefined],
  ])('%s: %s', (name, file) => expect(fileOf(name)).toBe(file));
});

describe('a runner that prints only what fails', () => {
  const failed =
    '\n   FAIL  "of two"\n    Expected values to be strictly equal:\n\n  Total:     3\n  Passed:    2\n  Skipped:   0\n';
  const passed = '\n  Total:     3\n  Passed:    3\n  Skipped:   0\n';

  it('shows that the failing cases pass now, and how many there are', () => {
    expect(readFailures(failed, [])).toEqual([
      { id: 'of two', status: 'failed' },
      { id: 'number of tests: 3', status: 'passed' },
    ]);
    expect(readFailures(passed, ['of two'])).toEqual([
      { id: 'of two', status: 'passed' },
      { id: 'number of tests: 3', status: 'passed' },
    ]);
    expect(readFailures(passed.replaceAll('3', '2'), ['of two']).map(c => c.id)).toEqual([
      'of two',
      'number of tests: 2',
    ]);
  });

  it('shows nothing if its failures are not all named', () => {
    expect(readFailures(failed.replace('FAIL', 'fail'), [])).toEqual([]);
    expect(readFailures('nothing ran', ['of two'])).toEqual([]);
  });
});

describe('a runner of whole commands', () => {
  const runner = [
    "const { basename, resolve } = require('node:path');",
    'const cases = process.argv.slice(2).flatMap(file =>',
    "  Object.entries(require(resolve(file))).map(([name, test]) => [basename(file, '.js') + ' › ' + name, test]),",
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
  const source = 'exports.total = list => list.length;\nexports.unit = () => "EUR";\n';
  const files = {
    'package.json': '{}',
    'run.cjs': runner,
    'src/price.js': source,
    'test/price.js':
      "const { total } = require('../src/price.js');\nexports.total = () => total([4]) === 4;\n",
    'test/unit.js':
      "const { unit } = require('../src/price.js');\nexports.unit = () => unit() === 'EUR';\n",
  };
  const right = source.replace('list.length', 'list[0]');

  it.each([
    ['files', 'node run.cjs test/price.js test/unit.js', ['price › total']],
    // the shell reads what Photon does not follow, so each candidate takes the whole command
    [
      'a shell line',
      'node run.cjs test/price.js test/unit.js; exit $?',
      ['price › total', 'unit › unit'],
    ],
  ])('of %s plays the failing file, and all for what passes it', async (_, testCommand, first) => {
    await withAdapter({ files, testCommand }, async adapter => {
      const opened = await adapter.open();
      const play = async (text: string) => {
        const stages = stagesFor(adapter.base);
        const job = { files: { 'src/price.js': text }, stages, bail: true, coverage: false };
        const { cases } = await opened.run(job);
        return cases.map(c => `${c.status} ${c.id}`).sort();
      };
      expect(await play(source.replace('length', 'size'))).toEqual(
        first.map(id => `${id.startsWith('price') ? 'failed' : 'passed'} ${id}`).sort(),
      );
      expect(await play(right)).toEqual(['passed price › total', 'passed unit › unit']);
      expect(await play(right.replace('EUR', 'USD'))).toEqual([
        'failed unit › unit',
        'passed price › total',
      ]);
      opened.close();
    });
  });

  const passes = (more: Readonly<Record<string, string>>, testCommand: string) =>
    withAdapter({ files: { ...files, ...more }, testCommand }, async adapter => {
      const opened = await adapter.open();
      const stages = stagesFor(adapter.base);
      const job = { files: { 'src/price.js': right }, stages, bail: true, coverage: false };
      const { cases, ended } = await opened.run(job);
      opened.close();
      expect(ended).toBe('done');
      expect(cases.map(c => c.status)).toEqual(['passed', 'passed']);
    });

  it('passes a repair although it ends with an error when few cases run, as a bound on coverage makes it', () =>
    passes(
      { 'run.cjs': runner.replace('failed > 0', 'failed > 0 || cases.length < 2') },
      'node run.cjs test/price.js test/unit.js',
    ));

  it('passes a repair that a script in front of the tests builds', () =>
    passes(
      {
        'package.json': JSON.stringify({
          scripts: { pretest: 'node build.cjs', test: 'node run.cjs test/price.js test/unit.js' },
        }),
        '.gitignore': 'lib/\n',
        'build.cjs': "require('node:fs').cpSync('src', 'lib', { recursive: true });\n",
        'test/price.js': files['test/price.js'].replace('src', 'lib'),
        'test/unit.js': files['test/unit.js'].replace('src', 'lib'),
      },
      'npm test',
    ));
});
