/** Long outputs: what a result shows, and how the rest is read. */
import { describe, expect, it } from 'vitest';
import { KeptOutputs, showEnds, showOutput } from '../../src/tools/kept-output.ts';

const numbered = (count: number) =>
  `${Array.from({ length: count }, (_, i) => i + 1).join('\n')}\n`;
const max = { lines: 8, bytes: 1000 };

describe('the ends of an output', () => {
  it('are all of it if it fits, and then nothing is kept', () => {
    const kept = new KeptOutputs();
    expect(showEnds(numbered(8), max, kept)).toBe(numbered(8));
    expect(kept.find('output:1')).toBeUndefined();
  });

  it('are a few first lines, the last ones, and where the rest is', () => {
    const kept = new KeptOutputs();
    expect(showEnds(numbered(20), max, kept).split('\n')).toEqual([
      ...['1', '2'],
      '[cut: lines 3-14 of 20; read_code_block shows them: file_path output:1, start_line, end_line]',
      ...['15', '16', '17', '18', '19', '20', ''],
    ]);
    expect(kept.find('output:1')).toBe(numbered(20));
  });

  it('are bounded in bytes, also for one line', () => {
    const shown = showEnds('x'.repeat(5000), max, new KeptOutputs());
    expect(Buffer.byteLength(shown)).toBeLessThan(1000);
    expect(shown).toMatch(/…x{500}\n$/);
  });
});

describe('a kept output', () => {
  const range = (startLine: number, endLine: number) => ({ startLine, endLine });

  it('is read by lines, and says what is left', () => {
    const about = { range: range(3, 4), max };
    expect(showOutput('output:1', numbered(9), about)).toBe('output:1 L3-4 of 9\n3\t3\n4\t4');
    const all = { range: undefined, max: { lines: 2, bytes: 1000 } };
    expect(showOutput('output:1', numbered(9), all)).toBe(
      'output:1 L1-2 of 9\n1\t1\n2\t2\n[cut: L3-9 not shown]',
    );
  });

  it('goes when later ones need its room, and says so', () => {
    const kept = new KeptOutputs();
    const names = ['a', 'b', 'c'].map(letter => kept.keep(letter.repeat(3_500_000)));
    expect(names.map(name => kept.find(name) !== undefined)).toEqual([false, true, true]);
    expect(showOutput('output:1', kept.find('output:1'), { range: undefined, max })).toContain(
      'no longer kept',
    );
  });
});
