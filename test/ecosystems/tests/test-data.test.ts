/** Files outside of the folders of tests that only tests use. */
import { expect, it } from 'vitest';
import { findTestData } from '../../../src/ecosystems/tests/test-data.ts';
import { changeOf, type Files, project } from '../../verify/changes.ts';

const files: Files = {
  'package.json': '{"name":"sample","main":"src/price.js"}',
  'README.md': 'The file data/expected.json holds what is expected.\n',
  'data/expected.json': '{"total":90}\n',
  'data/rates.json': '{"rate":10}\n',
  'assets/zones.csv': 'a,b\n',
  'lib/values.js': 'export const values = [90, 100];\n',
  'lib/limits.js': 'export const limits = [1];\n',
  'lib/stub.js': '// to be written\n',
  'lib/sum.js': 'export const sum = list => list.length;\n',
  'app/wanted.py': 'TOTAL = 90\n',
  'app/rates.py': 'RATE = 10\n',
  'samples/order.xml': '<order/>\n',
  'output/help.txt': 'Usage: price\n',
  'other/nobody.json': '{}\n',
  'data/hours.json': '{"hours":1}\n',
  // no lock file, whatever its name holds
  'src/clock.js': "read('data/hours.json');\n",
  'src/price.js':
    "import rates from '../data/rates.json' with { type: 'json' };\nimport { limits } from '../lib/limits.js';\nexport const all = object => Object.values(object);\nfor (const name of list) read('assets/' + name);\n",
  'app/price.py': 'from app.rates import RATE\n',
  'test/price.test.js':
    "const expected = read(new URL('../data/expected.json', import.meta.url));\nimport { values } from '../lib/values.js';\nimport { limits } from '../lib/limits.js';\nimport { sum } from '../lib/sum.js';\nimport { stub } from '../lib/stub.js';\nfor (const name of list) read('samples/' + name); read('output/help.txt'); read('data/rates.json'); read('assets/zones.csv'); read('data/hours.json');\n",
  'tests/test_price.py': 'from app.wanted import TOTAL\nfrom app.rates import RATE\n',
};
const find = (path: string) =>
  findTestData([changeOf(path, files[path], 'changed\n')], {
    paths: async () => Object.keys(files),
    readBase: project(files).read,
  });
const found = async (path: string) => (await find(path)).roles.get(path);

it.each(['data/expected.json', 'samples/order.xml', 'output/help.txt'])(
  'data that only tests use counts as tests: %s',
  async path => expect(await found(path)).toMatchObject({ kind: 'tests', decides: true }),
);
it.each(['lib/values.js', 'app/wanted.py'])('values in code that only tests use: %s', async path =>
  expect(await found(path)).toEqual({ kind: 'means', reason: 'only tests use it', decides: false }),
);
it.each([
  'data/rates.json',
  'data/hours.json',
  'assets/zones.csv',
  'lib/limits.js',
  'lib/sum.js',
  'lib/stub.js',
  'app/rates.py',
  'other/nobody.json',
  'README.md',
  'data/new.json',
])('not only tests use %s, or none does', async path => expect(await found(path)).toBeUndefined());
it.each([
  ['other/nobody.json', true],
  ['data/expected.json', false],
  ['data/rates.json', false],
  ['package.json', false],
  ['README.md', false],
])('whether no text names %s: %s', async (path, isUnnamed) =>
  expect((await find(path)).unnamed).toEqual(isUnnamed ? [path] : []),
);
