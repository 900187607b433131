import { describe, expect, it } from 'vitest';
import { rankHits, renderHits } from '../../src/navigation/places.ts';
import { nested } from './nested.ts';

describe('hits of a search', () => {
  it('come from code first, then from tests, then from prose, files kept in order', () => {
    const paths = [
      'README.md',
      'a.ts',
      'pkg/test_b.py',
      'pkg/BTests.cs',
      'src/contest.py',
      'src/b.py',
      'test/a.test.ts',
      'vendor/x.js',
      'a.ts',
      'z.go',
    ];
    expect(rankHits(paths.map((path, line) => ({ path, line }))).map(h => h.path)).toEqual([
      'a.ts',
      'src/contest.py',
      'src/b.py',
      'a.ts',
      'z.go',
      'pkg/test_b.py',
      'pkg/BTests.cs',
      'test/a.test.ts',
      'vendor/x.js',
      'README.md',
    ]);
  });

  it('hits of one symbol stand below it', () => {
    const hits = [3, 4, 99].map(line => ({ path: 'a.js', line, text: `at ${line}` }));
    const page = { offset: 0, total: 3, cut: false, maxBytes: 1000 };
    expect(renderHits(hits, new Map([['a.js', nested]]), page).text).toBe(
      'a.js\n M:C.a:L3\n  L3 at 3\n  L4 at 4\n L99 at 99',
    );
  });

  it('hits are grouped by file, with their enclosing symbols', () => {
    const hits = [
      { path: 'a.js', line: 4, text: '  x();' },
      { path: 'a.js', line: 99, text: 'y'.repeat(500) },
    ];
    const { text } = renderHits(hits, new Map([['a.js', nested]]), {
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
