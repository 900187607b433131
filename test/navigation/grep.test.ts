import { describe, expect, it } from 'vitest';
import { rankHits } from '../../src/navigation/grep.ts';

describe('hits of a search', () => {
  it('come from code first, then from tests, then from prose, files kept in order', () => {
    const paths = [
      'README.md',
      'a.ts',
      'src/b.py',
      'test/a.test.ts',
      'vendor/x.js',
      'a.ts',
      'z.go',
    ];
    expect(rankHits(paths.map((path, line) => ({ path, line }))).map(h => h.path)).toEqual([
      'a.ts',
      'src/b.py',
      'a.ts',
      'z.go',
      'test/a.test.ts',
      'vendor/x.js',
      'README.md',
    ]);
  });
});
