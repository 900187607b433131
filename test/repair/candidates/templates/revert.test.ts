/** The template `revert` takes recent changes back. */
import { describe, expect, it } from 'vitest';
import { js, textsOf } from './repairs.ts';

describe('templates', () => {
  it('undo one hunk of a recent change, or all of one commit', async () => {
    const before = js('  n();\n  other();\n  const b = 2;\n  return b;');
    const one = before.replace('b = 2', 'b = 3');
    const both = one.replace('  n();\n', '');
    const texts = await textsOf('a.js', both, 'revert', [before]);
    expect(texts).toContain(before.replace('  n();\n', ''));
    expect(texts).toContain(one);
    expect(texts).toContain(before);
    expect(await textsOf('a.js', both, 'revert')).toEqual([]);
  });
});
