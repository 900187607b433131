import { expect, it } from 'vitest';
import { type OutlineSymbols, renderOutline } from '../../src/navigation/listing.ts';

const symbols = (count: number): OutlineSymbols['symbols'] =>
  Array.from({ length: count }, (_, i) => ({
    name: `f${i}`,
    kind: 'F' as const,
    startLine: i + 1,
    endLine: i + 1,
    container: undefined,
  })) as unknown as OutlineSymbols['symbols'];

it('an outline has a line for each symbol, and says what it cut', () => {
  const text = renderOutline('a.js', 9, { symbols: symbols(2), notParsed: undefined });
  expect(text.split('\n')).toHaveLength(3);
  expect(text).toMatch(/^a\.js: 9 lines\n/);
  const long = renderOutline('a.js', 999, { symbols: symbols(302), notParsed: undefined });
  expect(long.split('\n')).toHaveLength(302);
  expect(long).toContain('[cut: 2 more symbols]');
});

it('a file without symbols says why, and what to do', () => {
  const none = { symbols: [], notParsed: undefined };
  expect(renderOutline('a', 1, none)).toBe(
    'a: 1 lines. No symbols are known; read the file by lines.',
  );
  expect(renderOutline('a', 1, { ...none, notParsed: 'too large' })).toContain(
    'The file was too large',
  );
});
