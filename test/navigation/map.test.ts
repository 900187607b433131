import { describe, expect, it } from 'vitest';
import type { LookupSource } from '../../src/navigation/lookup.ts';
import { drawMap } from '../../src/navigation/map.ts';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../harness.ts';

const symbols = openSymbols(openShipped(root));
const files: Record<string, string> = {
  'src/price.ts': 'export function orderTotal() {}\nexport const shipsFree = 1;\n',
  'src/cart.ts': 'import { orderTotal } from "./price.ts";\nexport class Cart {}\n',
  'src/unrelated.ts': 'export function discounting() {}\n',
  'docs/discount.md': 'The discount of an order.\n',
  'src/many.ts': 'discount\n',
};

let searched: string[] = [];
const source: LookupSource = {
  symbols,
  search: async () => ({ hits: [], cut: false }),
  filesHolding: async words => {
    searched.push(...words);
    const holding = (word: string) =>
      Object.entries(files)
        .filter(([, text]) => new RegExp(`\\b${word}\\b`).test(text))
        .map(([path]) => path);
    return new Map(words.map(word => [word, new Set(holding(word))]));
  },
  text: async path => files[path],
};
// more files than a map lists whole
const others = Array.from({ length: 12 }, (_, i) => `x/${i}`);
const draw = (task: string, more = {}) =>
  drawMap(source, { task, paths: [...Object.keys(files), ...others], maxBytes: 1500, ...more });

describe('a map of the repository', () => {
  it('lists the files that the words of the task lead to, with the symbols that they name; identifiers count most', async () => {
    const rows = (await draw('orderTotal should count the discount only once.')).split('\n');
    const paths = rows.map(row => row.split(' ')[0]);
    expect(paths).toEqual(['src/price.ts', 'src/cart.ts', 'src/many.ts', 'docs/discount.md']);
    expect(rows[0]).toBe('src/price.ts F:orderTotal:L1');
  });

  it('lists code that defines a name of the task before translations that hold its words', async () => {
    const translations = Array.from({ length: 20 }, (_, i) => `src/human/l${i}/human.po`);
    const text = '#: human/number.py: fractional\nmsgid "human time"\n';
    const own = {
      ...Object.fromEntries(translations.map(path => [path, text])),
      'src/human/number.py':
        'class Number:\n    def get(self):\n        pass\n\ndef fractional(value):\n    pass\n',
      'src/human/time.py': 'from human.number import fractional\n',
      'tests/test_number.py': 'def fractional(): pass\ndef test_fractional(): pass\n',
      'docs/human.md': 'human time\n',
    };
    Object.assign(files, own);
    const paths = Object.keys(own);
    const rows = (await draw('human: fractional() of human time is wrong', { paths })).split('\n');
    expect(rows.slice(0, 3)).toEqual([
      'src/human/number.py F:fractional:L5-6',
      'src/human/time.py',
      'tests/test_number.py F:fractional:L1 F:test_fractional:L2',
    ]);
    const named = (await draw('Correct human.md, as `get` has it', { paths })).split('\n');
    expect(named.slice(0, 2)).toEqual(['src/human/number.py M:Number.get:L2-3', 'docs/human.md']);
    for (const path of paths) delete files[path];
  });

  it('lists prose before code that only holds its words, if the task is about prose', async () => {
    const paths = async (task: string) =>
      (await draw(task)).split('\n').map(row => row.split(' ')[0]);
    expect(await paths('Say in the docs what the discount is.')).toEqual([
      'docs/discount.md',
      'src/many.ts',
    ]);
    expect(await paths('Say what the discount is.')).toEqual(['src/many.ts', 'docs/discount.md']);
  });

  it('is empty if no file matches, and if the setting turns it off', async () => {
    expect(await draw('Fix the failing test, please.')).toBe('');
    expect(await draw('orderTotal', { maxBytes: 0 })).toBe('');
  });

  it('lists a small repository whole, code first', async () => {
    const paths = ['LICENSE', ...Object.keys(files)];
    expect((await draw('The discount is wrong.', { paths })).split('\n')).toEqual([
      'src/many.ts',
      'src/price.ts',
      'src/cart.ts',
      'src/unrelated.ts F:discounting:L1',
      'docs/discount.md',
      'LICENSE',
    ]);
  });

  it('lists what the output of the tests names before what the words of the task lead to, and tests last', async () => {
    const output = 'at run (/view/src/unrelated.ts:1:1)\n';
    const paths = ['src/test/discount.ts', ...Object.keys(files), ...others];
    const rows = (await draw('The discount is wrong.', { paths, output })).split('\n');
    expect(rows.map(row => row.split(' ')[0])).toEqual([
      'src/unrelated.ts',
      'src/many.ts',
      'src/test/discount.ts',
      'docs/discount.md',
    ]);
  });

  it('stays within its size limit, with whole lines only', async () => {
    const whole = await draw('orderTotal discount');
    const text = await draw('orderTotal discount', { maxBytes: 60 });
    expect(text.length).toBeLessThanOrEqual(60);
    expect(`${whole}\n`.startsWith(`${text}\n`)).toBe(true);
  });

  it('searches for at most eight words, and in a very large repository only in file names', async () => {
    searched = [];
    await draw(
      'alphaOne betaTwo gammaThree deltaFour epsilonFive zetaSix etaSeven thetaEight iotaNine',
    );
    expect(searched).toHaveLength(8);
    searched = [];
    const paths = [...Object.keys(files), ...Array.from({ length: 20_000 }, (_, i) => `x/${i}.ts`)];
    expect(await draw('the discount', { paths })).toBe('docs/discount.md');
    expect(searched).toEqual([]);
  });
});
