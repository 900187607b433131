/** Long outputs: what a result shows. */
import { describe, expect, it } from 'vitest';
import { showEnds } from '../../src/tools/output-ends.ts';

const numbered = (count: number) =>
  `${Array.from({ length: count }, (_, i) => i + 1).join('\n')}\n`;
const max = { lines: 8, bytes: 1000 };

describe('the ends of an output', () => {
  it('are all of it if it fits', () => {
    expect(showEnds(numbered(8), max)).toBe(numbered(8));
  });

  it('are a few first lines, the last ones, and where the rest is', () => {
    expect(showEnds(numbered(20), max).split('\n')).toEqual([
      ...['1', '2'],
      '[cut: lines 3-14 of 20; a command that prints less shows them]',
      ...['15', '16', '17', '18', '19', '20', ''],
    ]);
  });

  it('are bounded in bytes, also for one line', () => {
    const shown = showEnds('x'.repeat(5000), max);
    expect(Buffer.byteLength(shown)).toBeLessThan(1000);
    expect(shown).toMatch(/…x{500}\n$/);
  });
});
