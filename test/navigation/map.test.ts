import { describe, expect, it } from 'vitest';
import type { LookupSource } from '../../src/navigation/lookup.ts';
import { drawMap } from '../../src/navigation/map.ts';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../harness.ts';

const symbols = openSymbols(openShipped(root));
const files: Readonly<Record<string, string>> = {
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
const draw = (task: string, more = {}) =>
  drawMap(source, { task, paths: Object.keys(files), maxBytes: 1500, ...more });

describe('a map of the repository', () => {
  it('lists the files that the words of the task lead to, with the symbols that they name; identifiers count most', async () => {
    const rows = (await draw('orderTotal should count the discount only once.')).split('\n');
    const paths = rows.map(row => row.split(' ')[0]);
    expect(paths).toEqual(['docs/discount.md', 'src/cart.ts', 'src/price.ts', 'src/many.ts']);
    expect(rows[2]).toBe('src/price.ts F:orderTotal:L1');
  });

  it('is empty if no file matches, and if the setting turns it off', async () => {
    expect(await draw('Fix the failing test, please.')).toBe('');
    expect(await draw('orderTotal', { maxBytes: 0 })).toBe('');
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
