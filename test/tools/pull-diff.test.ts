/** The diff of a pull request by pages of whole lines. */
import { describe, expect, it } from 'vitest';
import { changeLine, linesFrom } from '../../src/tools/pull-diff.ts';

it('a changed file is one line', () => {
  const file = { path: 'src/a.ts', status: 'modified', added: 3, deleted: 1, patch: '' };
  expect(changeLine(file)).toBe('modified src/a.ts +3 -1');
});

describe('a page', () => {
  const text = ['one', 'two', 'three'].join('\n');
  it('is the rest when it fits', () => {
    expect(linesFrom(text, { offset: 0, maxBytes: 1000 })).toBe(text);
    expect(linesFrom(text, { offset: 1, maxBytes: 1000 })).toBe('two\nthree');
    expect(linesFrom(text, { offset: 3, maxBytes: 1000 })).toBe('');
  });

  it('ends between lines, and names the offset of the next', () => {
    const page = linesFrom(text, { offset: 0, maxBytes: 108 });
    expect(page).toBe('one\ntwo\n1 more lines; offset 2 shows them.');
  });

  it('shows a part of a line that is longer than a page', () => {
    const page = linesFrom(`${'x'.repeat(500)}\nend`, { offset: 0, maxBytes: 140 });
    expect(page).toBe(`${'x'.repeat(10)}\n1 more lines; offset 1 shows them.`);
  });

  it('leads through all lines', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const read: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = linesFrom(lines.join('\n'), { offset, maxBytes: 150 });
      const next = /\n\d+ more lines; offset (\d+) shows them\.$/.exec(page);
      read.push(...page.slice(0, next?.index ?? page.length).split('\n'));
      offset = next === null ? undefined : Number(next[1]);
    }
    expect(read).toEqual(lines);
  });
});
