import { describe, expect, it } from 'vitest';
import { readOutside } from '../../../src/guard/content/outside-text.ts';

const page = (raw: string) => readOutside('comment', raw);

const address = 'https://github.com/user-attachments/assets/1';

/** What the page of a text does not show, in each place that Markdown and HTML have for it. */
const unshown: readonly (readonly [string, string])[] = [
  ['![obey](u)', '![](u)'],
  ['![a **b** [obey](c) `d`](u)', '![](u)'],
  ['> - ![obey][r]\n\n[r]: u', '> - ![][r]\n\n[r]: u'],
  ['![](u "obey")', '![](u )'],
  ["[t](u 'obey')", '[t](u )'],
  ['[t](u (obey))', '[t](u )'],
  ['[t]\n\n[t]: u "obey"', '[t]\n\n[t]: u '],
  ['```js obey\n1\n```', '```js \n1\n```'],
  [`<img alt="obey" src="${address}">`, `<img src="${address}">`],
  [`x <img src=${address} title='obey'/> y`, `x <img src="${address}"/> y`],
  ['<p data-x="obey" aria-label=obey>x</p>', '<p>x</p>'],
  ['<p\nDATA-X = "a > obey"\nobey>x</p>', '<p>x</p>'],
  ['<div a=x"y b="obey > obey">x</div>', '<div>x</div>'],
  ['<div\ntitle="obey', '<div>'],
  ['<a href="obey the text">x</a>', '<a>x</a>'],
  ['| ` | <p title="obey"> ` |\n|-|-|', '| ` | <p> ` |\n|-|-|'],
  ['`<!-- ` --> <p title="obey"> `b`', '`<!-- ` --> <p> `b`'],
  ['<a b=/x c="`"> <p title="obey"> `', '<a> <p> `'],
  ['a&#8203;b&#x200B;c&ZeroWidthSpace;d&shy;e&#xE0041;f', 'abcdef'],
  ['<p>a&#8203b</p>', '<p>ab</p>'],
];

it.each(unshown)('%j is read as its page shows it', (raw, shown) => {
  const found = page(raw);
  expect(found.text).toBe(shown);
  expect(found.removed).toBeGreaterThan(0);
});

// too long to be parsed, and too deep
it.each(['x'.repeat(9_000), '> '.repeat(60)])('a text with much before it hides nothing', much => {
  const text = `\n\n![obey](u) [t](u "obey") <p title="obey">x</p> a&#8203;b`;
  expect(
    page(much + text)
      .text.trimEnd()
      .endsWith('![](u) [t](u) <p>x</p> ab'),
  ).toBe(true);
});

describe('code of a text that is too long to be parsed', () => {
  const much = 'x'.repeat(9_000);
  const code = '```html\n<p title="shown">x</p>\n<!-- shown\n```\n';

  it('stays, and what is around it does not', () => {
    const raw = `${much}\n${code}\n~~~js obey\n<!-- shown\n~~~\n\n<p title="obey">x</p> <!-- obey`;
    const shown = `${much}\n${code}\n~~~js\n<!-- shown\n~~~\n\n<p>x</p> ‹9 hidden characters›`;
    expect(page(raw).text).toBe(shown);
  });

  it.each([
    ['in an open comment', `<!--\n\n${code}`],
    ['in a block of HTML', `<div>\n${code}`],
    ['in raw HTML', `<pre>\n\n${code}`],
    ['that ends with its list', '- x\n\n  ```\n<p title="shown">x</p>\n  ```\n'],
    ['behind one that is indented', ' ```\n```\n\n```\n<p title="shown">x</p>\n```\n'],
    ['behind a line that only looks empty', `<div>\n\u00a0\n${code}`],
    ['that only seems to end', '```\n```\u00a0\n\n```\n<p title="shown">x</p>\n```\n'],
    ['in a line for JavaScript alone', `x\u2028\`\`\`\u2028<p title="shown">\u2028\`\`\``],
    ['that is closed', '```\n```\n<p title="shown">x</p>\n\n~~~~\n~~~\n'],
  ])('is no code %s', (_where, raw) => {
    expect(page(`${much}\n\n${raw}`).text).not.toContain('shown');
  });
});

it.each([
  'Use `<img alt="">`, and `&#8203;` in code.',
  '```html\n<img alt="a picture" aria-label="x">\n![alt](u "title")\n```',
  '    <p title="shown">',
  'List<String>, a < b && c > d, <b>bold</b>, &amp; &eacute;',
  '[text](https://example.org/a) and <https://example.org>',
  '\\<img alt="shown">',
])('%j is shown as it is', raw => {
  expect(page(raw)).toEqual({ text: raw, removed: 0 });
});

it('keeps a joiner that a script needs, however it is written', () => {
  expect(page('می&zwnj;خواهم').text).toBe('می\u200cخواهم');
});

it.each([
  ['a page', '<p title="obey">x</p><!-- obey -->', '<p>x</p>'],
  [
    'JSON with pages',
    '{"n":1,"body":["<p title=\\"obey\\">x</p>"]}',
    '{"n":1,"body":["<p>x</p>"]}',
  ],
  ['JSON with nothing hidden', '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
])('a reply that is %s shows what its reader sees', (_is, raw, shown) => {
  const found = readOutside('MCP result', raw).text;
  expect(found === shown ? found : JSON.stringify(JSON.parse(found))).toBe(shown);
});
