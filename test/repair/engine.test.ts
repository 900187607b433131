/** What the engine reads before it edits. */
import { describe, expect, it } from 'vitest';
import { readRequests } from '../../src/repair/engine.ts';

describe('what is read of the suspicious files', () => {
  it('leaves out a file without a suspicious line', () => {
    const textOf = new Map([
      ['a.js', 'a\nb\nc\n'],
      ['b.js', 'a\n'],
    ]);
    const suspects = [{ path: 'a.js', line: 2, score: 1 }];
    expect(readRequests({ textOf, suspects })).toEqual([
      { file_path: 'a.js', start_line: 2, end_line: 2 },
    ]);
  });
});
