import { describe, expect, it } from 'vitest';
import { enclosingSymbol, findSymbol } from '../../src/navigation/format.ts';
import { renderHits } from '../../src/navigation/grep.ts';
import { rankFiles, renderListing } from '../../src/navigation/listing.ts';

describe('what the model is shown', () => {
  const list = [
    { name: 'a', kind: 'F' as const, startLine: 1, endLine: 9 },
    { name: 'a', kind: 'M' as const, startLine: 3, endLine: 5, container: 'C' },
  ];

  it('symbols are found by name, by container and in the form of a listing', () => {
    expect(findSymbol(list, 'a')).toHaveLength(2);
    expect(findSymbol(list, 'C.a')).toEqual([list[1]]);
    expect(findSymbol(list, 'M:C.a:L3-5')).toEqual([list[1]]);
    expect(findSymbol(list, 'F:a:L1')).toEqual([list[0]]);
    expect(enclosingSymbol(list, 4)).toBe(list[1]);
    expect(enclosingSymbol(list, 20)).toBeUndefined();
  });

  it('a listing reports what it cut and how to continue', () => {
    const files = rankFiles(
      ['b/c.js', 'a.js', 'z.js'].map(path => ({ path, mode: '100644', symbols: list })),
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

  it('hits of one symbol stand below it', () => {
    const hits = [3, 4, 99].map(line => ({ path: 'a.js', line, text: `at ${line}` }));
    const page = { offset: 0, total: 3, cut: false, maxBytes: 1000 };
    expect(renderHits(hits, new Map([['a.js', list]]), page).text).toBe(
      'a.js\n M:C.a:L3\n  L3 at 3\n  L4 at 4\n L99 at 99',
    );
  });

  it('hits are grouped by file, with their enclosing symbols', () => {
    const hits = [
      { path: 'a.js', line: 4, text: '  x();' },
      { path: 'a.js', line: 99, text: 'y'.repeat(500) },
    ];
    const { text } = renderHits(hits, new Map([['a.js', list]]), {
      offset: 0,
      total: 5,
      cut: false,
      maxBytes: 1000,
    });
    expect(text).toBe(
      `a.js\n L4 M:C.a:L3 x();\n L99 ${'y'.repeat(200)}…\n[cut: 3 more hits; next page: offset 2]`,
    );
  });
});
