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
  ['<div>\n</div obey the text>\nx', '<div>\n</div>\nx'],
  ['</div obey the text>', '</div>'],
  ['<div>\n</ obey>x<!1 obey>y', '<div>\nxy'],
  ['| a |\n|---|\n| b | obey <b>me</b> now |', '| a |\n|---|\n| b '],
  ['seen\n\n[^n]: obey\nthe text\n\nend', 'seen\n\n\n\nend'],
  ['seen[^a]\n\n[^a]: note\n[^b]: obey', 'seen[^a]\n\n[^a]: note\n'],
  ['<ruby>x<rp>obey</rp><rt>y</rt></ruby> z', '<ruby>x<rp></rp><rt>y</rt></ruby> z'],
  ['<div><ruby>x<rp>obey</rp></ruby></div>', '<div><ruby>x<rp></rp></ruby></div>'],
  ['[seen](<1. obey the text>)', '[seen](<>)'],
  ['[seen]\n\n[seen]: <obey the text>', '[seen]\n\n'],
  ['```mermaid\nA-->B\n%% obey\n```', '```mermaid\nA-->B\n\n```'],
  ['![a <b title="x">obey</b> now](u)', '![](u)'],
];

it.each(unshown)('%j is read as its page shows it', (raw, shown) => {
  const found = page(raw);
  expect(found.text).toBe(shown);
  expect(found.removed).toBeGreaterThan(0);
});

// too long to be parsed, and too deep
it.each(['x'.repeat(70_000), '> '.repeat(60)])('a text with much before it hides nothing', much => {
  const text = `\n\n![obey](u) [t](u "obey") <p title="obey">x</p> a&#8203;b`;
  expect(
    page(much + text)
      .text.trimEnd()
      .endsWith('![](u) [t](u) <p>x</p> ab'),
  ).toBe(true);
});

describe('code of a long text', () => {
  const code = '```html\n<p title="shown">x</p>\n<!-- shown\n```\n';

  it('stays, and what is around it does not', () => {
    const much = 'a log line <T> of a run\n\n'.repeat(2_000);
    const raw = `${much}${code}\n<p title="obey">x</p> <!-- obey`;
    expect(page(raw).text).toBe(`${much}${code}\n<p>x</p> ‹9 hidden characters›`);
  });

  it('counts as markup where the text is too long to be parsed, or made to be', () => {
    for (const much of ['x'.repeat(70_000), '[a](<'.repeat(4_000)])
      expect(page(`${much}\n\n${code}`).text).not.toContain('shown');
  });
});

/** Code without fences, which people see, and which no tag is. */
const plainCode = [
  'if (i<n) { go(); } // real',
  'Use `i<n`, `<!--` and ``<p title="`">``, then go on.',
  'a <- b; c <!-- d; vec![1, 2]; x[i](y)',
  'See [x](<b>) and `i<n` real text here, more.',
  ')```if (i<n) *p',
  'x[i](u)if (i<n)   )',
  '# <a\nb>, then `i<n` and more',
  '<https://e.com/`x> and `<p title="shown">` end',
];

describe.each(['MCP result', 'check summary'] as const)('a %s', source => {
  it.each(plainCode)('keeps %j, however long it is', line => {
    for (const raw of [line, `${line}\n`.repeat(400)])
      expect(readOutside(source, raw)).toEqual({ text: raw, removed: 0 });
  });
});

it('a text of JSON keeps its code, however long it is', () => {
  const body = 'if (i<n) { go(); } // real\n'.repeat(400);
  const { text } = readOutside('MCP result', JSON.stringify({ body, x: '<!-- obey -->' }));
  expect(JSON.parse(text)).toEqual({ body, x: '' });
});

const longUnshown: readonly (readonly [string, string])[] = [
  ['[x]: https://e.com "obey"', '[x]: https://e.com'],
  ['[x]: https://e.com\n"obey"', '[x]: https://e.com'],
  ['> [x]: https://e.com\n> (obey)', '> [x]: https://e.com'],
  ['[x]: #\n"obey"', ''],
  ['[obey this]: https://e.com', ''],
  ['[x](http://a "a \\" obey")', '[x](http://a)'],
  ['[x](http://a(b) "obey")', '[x](http://a(b))'],
  ['[x](<1. obey>)', '[x](<>)'],
  ['![a [b](c) obey](u)', '![](u)'],
  ['> ```js obey\n> x\n> ```', '> ```js\n> x\n> ```'],
  ['- ~~~js obey', '- ~~~js'],
  ['~~~js obey `this`\n~~~~ js\n~~~', '~~~js\n~~~~ js\n~~~'],
  ['- ~~~~ js obey `this`', '- ~~~~ js'],
  ['- ``` ~js obey', '- ``` ~js'],
  ['```mermaid\n%% obey\nA-->B\n```', '```mermaid\n\nA-->B\n```'],
  ['</div obey the text>', '</div>'],
  ['[^n]: obey\nthe text\n\nend', '\n\nend'],
  ['- <br>\n![obey](u)\n[x](u "obey")', '- <br>\n![](u)\n[x](u)'],
  ['> <b>  \n- ![obey](u)', '> <b>  \n- ![](u)'],
  ['`a\nb` <p title="obey"> `c`', '`a\nb` <p> `c`'],
  ['\\` <p title="obey"> `', '\\` <p> `'],
  ['a <!-- obey\nobey --> b', 'a  b'],
  ['- <pre>\n\n```\n</pre>\n```\n\n<p title="obey">', '- <pre>\n\n```\n</pre>\n```\n\n<p>'],
  ['x\n<b>\n```\n\n<p title="obey">\n```\n', 'x\n<b>\n```\n\n<p>\n```\n'],
];

it.each(longUnshown)('%j behind much text is read as its page shows it', (raw, shown) => {
  const much = `${'x'.repeat(70_000)}\n\n`;
  expect(page(much + raw).text).toBe(much + shown);
});

it('finds the markup of a long text in time that grows with its length', () => {
  const parts = [
    '<!--',
    '<a b="',
    '![',
    '](',
    '`x``',
    '[x]: u "',
    '<?',
    '\\',
    '<a ',
    '[^a]: b\n\n',
  ];
  for (const part of parts) {
    const raw = part.repeat(100_000 / part.length);
    expect(page(raw).text.length).toBeLessThanOrEqual(raw.length);
  }
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
