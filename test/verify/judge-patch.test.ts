/** The corpus of patches, by the verifier over real runners. What their texts show is tested at `findNewCheats`. */
import { describe, expect, it } from 'vitest';
import { endingCalls, lostTests, sortChanges } from '../../src/verify/judge-patch.ts';
import { changeOf, type Files, noFiles } from './changes.ts';

const assert = "import assert from 'node:assert/strict';\n";

it('what only tests use is told from source, wherever it lies: data, values, configuration of a runner', async () => {
  const files: Files = {
    'data/expected.json': '{"total":90}\n',
    'lib/values.js': 'export const values = [90, 100];\n',
    'node.config.json': '{"testRunner":{"isolation":"none"}}\n',
    'src/price.js': 'export const total = () => 1;\n',
    'test/price.test.js': `${assert}import { values } from '../lib/values.js';\nread('data/expected.json');\n`,
  };
  const changes = Object.entries(files).map(([path, text]) => changeOf(path, text, `${text} \n`));
  const { deciding, others, unnamed } = await sortChanges(changes, {
    paths: async () => Object.keys(files),
    readBase: async path => files[path],
    commandFiles: async () => noFiles,
  });
  expect(deciding.map(c => c.path)).toEqual([
    'data/expected.json',
    'node.config.json',
    'test/price.test.js',
  ]);
  // a person is told of the values, which do not run with the base's version
  expect(others.map(c => c.path)).toEqual(['src/price.js']);
  expect(unnamed).toEqual([]);
});

describe('lost tests', () => {
  const two = "test('one', () => {});\nit('the \"second\"', () => {});\n";
  it.each<[string, string, string | undefined, string, readonly string[], boolean, boolean]>([
    ['one', two, "test('one', () => {});\n", 'x', ['the "second"'], false, false],
    [
      'one that the task names',
      two,
      "test('one', () => {});\n",
      'Drop The "second".',
      ['the "second"'],
      true,
      false,
    ],
    [
      'a file that the task names',
      two,
      undefined,
      'Delete a.test.js.',
      ['one', 'the "second"'],
      true,
      false,
    ],
    [
      'two, of which the task names one',
      two,
      '',
      'Drop one.',
      ['one', 'the "second"'],
      false,
      false,
    ],
    ['one of two by one name', "test('a')\ntest('a')\n", "test('a')\n", 'x', ['a'], false, false],
    ['none', two, `${two}test('three')\n`, 'x', [], false, true],
    ['one that gets another name', two, two.replace('one', 'first'), 'x', ['one'], false, true],
    ['of Python', 'def test_a(self):\n    pass\n', 'pass\n', 'x', ['test_a'], false, false],
    ['of Go', 'func TestA(t *testing.T) {}\n', '\n', 'x', ['TestA'], false, false],
  ])('%s', (_name, before, after, task, names, requested, replaced) =>
    expect(lostTests([changeOf('test/a.test.js', before, after)], task)).toEqual({
      names,
      requested,
      replaced,
    }),
  );
  it('not one that moved to another file', () =>
    expect(
      lostTests([changeOf('a.test.js', two, ''), changeOf('b.test.js', undefined, two)], 'x').names,
    ).toEqual([]));
});

describe('calls that end a process', () => {
  it.each([
    'process.reallyExit(1)',
    "process['exit'](0)",
    'process.kill(process.pid)',
    'process.exitCode = 0',
    'from os import _exit',
    'sys.exit()',
    'atexit.register(f)',
    'System.exit(0);',
  ])('%s', line =>
    expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual(['src/a']),
  );
  it.each(['sys.exit(main())', 'System.exit(2);', 'onExit()', 'process.env.X', 'exitCode = 1'])(
    'not %s',
    line => expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual([]),
  );
  it('not an existing one, and not one in a document', () => {
    expect(endingCalls([changeOf('a.js', 'process.exit(0)\n', 'process.exit(0)\nb\n')])).toEqual(
      [],
    );
    expect(endingCalls([changeOf('a.md', '', 'process.exit(0)\n')])).toEqual([]);
  });
});

describe('texts that are crafted to be slow to parse', () => {
  const many = 300_000;
  it.each([
    ['a long word below @Test', `${'@Test\n'.repeat(50)}${'a'.repeat(many)}`],
    ['empty lines', '\n'.repeat(many)],
    ['open quotes', "test('".repeat(many)],
    ['imports on one line', 'from os import '.repeat(many / 10)],
    ['spaces', `process${' '.repeat(many)}`],
  ])('%s', (_name, text) => {
    expect(lostTests([changeOf('a.test.js', text, '')], 'x').names.length).toBeLessThan(many);
    expect(endingCalls([changeOf('src/a', '', text)])).toEqual([]);
  });
});
