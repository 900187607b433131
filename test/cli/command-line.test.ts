import { describe, expect, it } from 'vitest';
import { coloured } from '../../src/cli/command-line.ts';
import { fitColumns } from '../../src/cli/progress.ts';

describe('progress', () => {
  it('counts wide characters twice, and colours by line', () => {
    expect(fitColumns('日本語abc', 5)).toBe('日本');
    expect(fitColumns('abc', 10)).toBe('abc');
    expect(coloured('error: no\n+ added\nplain')).toBe(
      '\u001b[31m\u001b[1merror:\u001b[22m\u001b[39m no\n\u001b[32m+ added\u001b[39m\nplain',
    );
  });
});
