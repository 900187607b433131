import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyStart, endsInsideBlock, findHeadings } from '../../src/base/markdown.ts';
import { seeMarkdown } from '../doubles/markdown-oracle.ts';
import { isAll, sample } from '../seed.ts';

const found = async (lines: readonly string[]) =>
  findHeadings(lines).map(h => `${h.line} ${h.level} ${h.text}`);

describe('headings of Markdown', () => {
  it.each([
    ['marks and underlines', ['# A', 'B', '=', '', 'C', 'c', '---'], ['0 1 A', '1 1 B', '4 2 C c']],
    ['closing marks', ['## A ##', '## A#', '##', '## #'], ['0 2 A', '1 2 A#', '2 2 ', '3 2 ']],
    ['no space behind the marks', ['#A', '##\u00a0A', '####### A'], []],
    ['indented up to three columns', ['   # A', '', '    # B'], ['0 1 A']],
    ['a fence of a fence', ['````', '```', '# A', '````', '# B'], ['4 1 B']],
    ['a fence in a list that ends with it', ['- ```', '# A'], ['1 1 A']],
    ['quotes and items', ['> # A', '- # B', '  # C', '1. # D'], []],
    [
      'less indented than the item is',
      ['- a', '', ' # A', '', '  - b', '', '  # B'],
      ['2 1 A', '6 1 B'],
    ],
    ['an HTML block until it ends', ['<pre>', '', '# A', '</pre>', '# B'], ['4 1 B']],
    ['a comment inside of text', ['text <!--', '# A', '-->'], ['1 1 A']],
    ['a break is no underline', ['', '---', '***', '---', '# A', '---'], ['4 1 A']],
    [
      'behind a definition of a link',
      ['[a]: http://x', '---', '[b]: http://y', 'B', '---'],
      ['3 2 B'],
    ],
    ['front matter', ['---', '# A', '---', '# B'], ['3 1 B']],
    ['front matter that does not end', ['---', '# A'], ['1 1 A']],
    // CommonMark has a list here; micromark keeps the line as text
    ['a list that begins with 2 behind code', ['    code', '2. two', '   # A'], ['2 1 A']],
    ['an item that may not interrupt', ['text', '2. two', '# A', 'b', '-'], ['2 1 A', '3 2 b']],
  ])('%s', async (_name, lines, wanted) => {
    expect(await found(lines)).toEqual(wanted);
  });

  it.each([
    [['```'], true],
    [['<!--'], true],
    [['<pre>'], true],
    [['<div>'], false],
    [['- ```'], false],
    [['> <!--'], false],
    [['```', '```'], false],
  ])('%j leaves a block open: %s', async (lines, open) => {
    expect(endsInsideBlock(lines)).toBe(open);
  });

  it.each(
    sample(
      'long lines',
      [
        ['spaces', `a${' '.repeat(200_000)}b`],
        ['closing marks', `# a${' #'.repeat(100_000)}b`],
        ['spaces in a heading', `# a${' '.repeat(200_000)}b`],
        ['quotes', '>'.repeat(200_000)],
        ['items', '- '.repeat(100_000)],
        ['stars', `${'* '.repeat(100_000)}x`],
        ['attributes', `<a${' b'.repeat(100_000)}`],
        ['columns', `${'|-'.repeat(100_000)}x`],
        ['brackets', `${'['.repeat(200_000)}`],
      ],
      1,
    ),
  )('a line of %s is read at once', async (_name, line) => {
    // about a second; what is not linear takes minutes, and fails by the time limit of the test
    expect(findHeadings(['text', line, line, '---'])).toBeInstanceOf(Array);
  });

  const manyLines = (n: number, line: (i: number) => string) => [...Array(n).keys()].map(line);
  const mixed = ['# H', '', '- a', '  - b', '  - c', '- d', '', 'text', 'more', ''];

  const longFiles: readonly (readonly [string, number, (i: number) => string])[] = [
    ['marked', 1, i => `# Heading ${i}`],
    ['underlined', 0.5, i => (i % 2 === 0 ? `Heading ${i}` : '---')],
    ['between lists', 0.1, i => mixed[i % mixed.length] ?? ''],
  ];
  it.each(sample('long files', longFiles, 1))(
    'that are %s are found in a long file',
    async (_name, share, line) => {
      // a second or two; what is not linear takes minutes, and fails by the time limit of the test
      const count = 30_000;
      expect(findHeadings(manyLines(count, line))).toHaveLength(count * share);
    },
  );

  it('are those of the whole file, though it is parsed in parts', async () => {
    const open = ['# A', '', '```', ...manyLines(900, i => (i % 2 === 0 ? '' : '# no')), '```'];
    const lines = [...open, '', '# B', '', '- item', '', '# C'];
    expect(await found(lines)).toEqual(['0 1 A', '905 1 B', '909 1 C']);
  });

  const piece = fc.constantFrom(
    ...[
      '# A',
      '## B',
      '## Workflow Artifacts',
      ' ## One',
      '  ## Two',
      '   ## Three',
      '## closed ##',
    ],
    ...['#no', '##\u00a0no', 'text', '', '', '  two', '    code', '\tcode', '---', '===', '***'],
    ...['```', '~~~~', '    ```', '   ```', '````md', '  ```', '<!--', '-->', '<!-- x -->'],
    ...['text <!-- open', '<div>', '</div>', '<pre>', '</pre>', '<summary>', '</details>', '<?php'],
    ...['?>', '<!DOCTYPE x', '<img src="x">', '<b>', '- item', '  - deep', '- ## In', '- ```'],
    ...['-\tx', '\t- x', '+ plus', '* * *', '1. one', '2. two', '12) n', '*', '> quote', '>'],
    ...['> ```', '> ## Q', '>- in', '>     q', '| a | b |', '|---|---|', 'p | q', '--|--'],
  );
  it('are those of a parse with all constructs, whatever stands together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 9 }), async lines => {
        fc.pre(bodyStart(lines) === 0);
        const seen = seeMarkdown(lines.join('\n')).headings;
        expect(findHeadings(lines).map(h => `${h.line} ${h.level}`)).toEqual(
          seen.map(h => `${h.line} ${h.level}`),
        );
      }),
      { numRuns: isAll ? 40_000 : 200 },
    );
  });
});
