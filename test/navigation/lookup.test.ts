import { describe, expect, it } from 'vitest';
import { detectLanguage } from '../../src/navigation/languages.ts';
import {
  enclosingSymbol,
  findDefinitions,
  findSymbol,
  type LookupSource,
  lookUpReferences,
} from '../../src/navigation/lookup.ts';
import { renderPlaces } from '../../src/navigation/places.ts';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../harness.ts';
import { nested } from './nested.ts';

const symbols = openSymbols(openShipped(root));

/** A repository of texts that is searched by word, as git does. */
function sourceOf(files: Readonly<Record<string, string>>, cut = false): LookupSource {
  return {
    symbols,
    search: async (word, where) => ({
      cut,
      hits: Object.entries(files)
        .filter(([path]) => where === 'everywhere' || detectLanguage(path) !== undefined)
        .flatMap(([path, text]) =>
          text
            .split('\n')
            .flatMap((line, i) =>
              new RegExp(`(?<![\\w])${word}(?![\\w])`).test(line) ? [{ path, line: i + 1 }] : [],
            ),
        ),
    }),
    filesHolding: async () => new Map(),
    text: async path => files[path],
  };
}

const files = {
  'src/total.ts':
    'export function total(a: number) {\n  return a;\n}\nclass Cart {\n  total() {\n    return total(1);\n  }\n}\n',
  'src/use.ts':
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    'import { total } from "./total";\n// total of all\nconst text = "total";\nconst t = `the ${total(2)} total`;\nfunction main() {\n  return total(3) + subtotal;\n}\n',
  'test/total.test.ts': 'function total() {}\ntotal();\n',
  'docs/read.md': 'The total is counted.\n',
  'lib/x.py': 'def total():\n    """total"""\n    return total  # total\n',
};

const named = (places: readonly { path: string; line: number }[]) =>
  places.map(p => `${p.path}:${p.line}`);

describe('a lookup by the index', () => {
  it('finds definitions: those of the requesting file first, tests last', async () => {
    const { places, cut } = await findDefinitions(sourceOf(files), {
      name: 'total',
      from: 'src/use.ts',
    });
    expect(cut).toBe(false);
    expect(named(places)).toEqual([
      'src/total.ts:1',
      'src/total.ts:5',
      'lib/x.py:1',
      'test/total.test.ts:1',
    ]);
  });

  it.each([
    ['Cart.total', ['src/total.ts:5']],
    ['M:Cart.total:L5', ['src/total.ts:5']],
    ['F:total:L1-3', ['src/total.ts:1', 'lib/x.py:1', 'test/total.test.ts:1']],
    ['nothing', []],
  ])('takes %s as a listing writes it', async (name, expected) => {
    const { places } = await findDefinitions(sourceOf(files), { name, from: 'src/use.ts' });
    expect(named(places)).toEqual(expected);
  });

  it('finds uses in code, not in comments and strings, each with its enclosing symbol', async () => {
    const { places } = await lookUpReferences(sourceOf(files), {
      name: 'total',
      from: 'src/use.ts',
    });
    expect(named(places)).toEqual([
      'src/use.ts:1',
      'src/use.ts:4',
      'src/use.ts:6',
      'src/total.ts:1',
      'src/total.ts:5',
      'src/total.ts:6',
      'docs/read.md:1',
      'lib/x.py:1',
      'lib/x.py:3',
      'test/total.test.ts:1',
      'test/total.test.ts:2',
    ]);
    expect(places.find(p => p.line === 6 && p.path === 'src/use.ts')?.symbol?.name).toBe('main');
  });

  it('names the source, the next page, and that a search was cut', async () => {
    const found = await lookUpReferences(sourceOf(files, true), { name: 'total', from: '' });
    const page = { source: 'index', offset: 0, maxPlaces: 2, maxBytes: 9999, lineOf: () => 'text' };
    const { text, paths } = renderPlaces(found, page);
    expect(text).toMatch(/^from index:\n/);
    expect(text).toContain(`[cut: ${found.places.length - 2} more; next page: offset 2]`);
    expect(text).toContain('the search stopped early');
    expect(paths.length).toBeLessThanOrEqual(2);
  });
});

it('symbols are found by name, by container and in the form of a listing', () => {
  expect(findSymbol(nested, 'a')).toHaveLength(2);
  expect(findSymbol(nested, 'C.a')).toEqual([nested[1]]);
  expect(findSymbol(nested, 'M:C.a:L3-5')).toEqual([nested[1]]);
  expect(findSymbol(nested, 'F:a:L1')).toEqual([nested[0]]);
  expect(enclosingSymbol(nested, 4)).toBe(nested[1]);
  expect(enclosingSymbol(nested, 20)).toBeUndefined();
});
