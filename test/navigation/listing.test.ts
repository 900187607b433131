import { describe, expect, it } from 'vitest';
import {
  type OutlineSymbols,
  rankFiles,
  renderListing,
  renderOutline,
} from '../../src/navigation/listing.ts';
import { nested } from './nested.ts';

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

describe('a page of files', () => {
  it('a listing reports what it cut and how to continue', () => {
    const files = rankFiles(
      ['b/c.js', 'a.js', 'z.js'].map(path => ({ path, mode: '100644', symbols: nested })),
    );
    const page = renderListing(files, { offset: 0, total: 10, maxBytes: 60 });
    expect(page.text).toBe(
      'a.js F:a:L1-9 M:C.a:L3-5\nz.js F:a:L1-9 M:C.a:L3-5\n[cut: 8 more files; next page: offset 2]',
    );
    expect(page.shown).toBe(2);
  });

  it('a long listing shows the symbols that are wanted, and says how to see the others', () => {
    const symbols = Array.from({ length: 30 }, (_, i) => ({
      name: i === 7 ? 'wanted' : `other${i}`,
      kind: 'F' as const,
      startLine: i + 1,
      endLine: i + 1,
    }));
    const files = Array.from({ length: 30 }, (_, i) => ({
      path: `src/f${i}.ts`,
      mode: '100644',
      symbols: i === 3 ? symbols : symbols.filter(s => s.name !== 'wanted'),
    }));
    const page = { offset: 0, total: 30, maxBytes: 12_000 };
    const isWanted = ({ name }: { readonly name: string }) => name === 'wanted';
    const long = renderListing(files, { ...page, isWanted });
    expect(long.shown).toBe(30);
    const rows = long.text.split('\n');
    expect(rows[3]).toBe('src/f3.ts F:wanted:L8');
    expect(rows[4]).toBe('src/f4.ts');
    expect(rows.at(-1)).toContain('symbols: true');
    // a short listing, and one that is asked for all, show every symbol
    expect(renderListing(files.slice(0, 1), { ...page, isWanted }).text).toContain('F:other0:L1');
    expect(renderListing(files, page).text).toContain('src/f4.ts F:other0:L1');
    // names that match too often stay within the bound of a short listing
    const many = renderListing(files, { ...page, isWanted: () => true });
    expect(many.shown).toBe(30);
    expect(Buffer.byteLength(many.text)).toBeLessThan(2500);
  });
});
