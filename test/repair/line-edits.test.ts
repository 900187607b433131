import { describe, expect, it } from 'vitest';
import { lineEditOf } from '../../src/repair/line-edits.ts';

describe('edits as lines', () => {
  const text = 'one\ntwo\nthree\n';
  const at = (from: string, to: string) => {
    const start = text.indexOf(from);
    return lineEditOf(text, [{ start, end: start + from.length, text: to }]);
  };

  it('are the smallest range of lines', () => {
    expect(at('two', '2')).toEqual({ startLine: 2, endLine: 2, content: '2' });
    expect(at('two\n', '')).toEqual({ startLine: 1, endLine: 2, content: 'one' });
    expect(at('one\n', '')).toEqual({ startLine: 1, endLine: 2, content: 'two' });
    expect(at('two', 'new\ntwo')).toEqual({ startLine: 1, endLine: 1, content: 'one\nnew' });
    expect(at('two', 'two')).toBeNull();
  });
});
