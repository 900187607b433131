/** What is prose in a reply. */
import { describe, expect, it } from 'vitest';
import { callsOf, read } from './xml-replies.ts';

describe('a reply', () => {
  it.each([
    ['a type with arguments', 'It is a Promise<void>, or Map<string, number>; then </string>.'],
    ['a tag that is not closed', 'The page has a <div> here, and <br there'],
    ['an element in backticks', 'The page holds `<b>bold</b>`, as before.'],
    ['a component', 'The page renders <Price>1</Price> there.'],
    ['the end of an element', 'Up to the last </div> it is fine.'],
  ])('keeps %s as prose', (_name, text) => {
    expect(read(text)).toMatchObject({ prose: text, problems: [] });
  });

  it('keeps what looks like an unknown instruction inside a value', () => {
    const value = 'Now <rm>x</rm> <rm/>\n<b>y</b>';
    expect(callsOf(`<grep><pattern><![CDATA[${value}]]></pattern></grep>`)).toEqual([
      { name: 'grep', args: { pattern: value } },
    ]);
  });

  it.each([
    ['in a line', '<content>  a;</content>', '  a;'],
    ['as a block', '<content>\n  a;\n  b;\n</content>', '  a;\n  b;\n'],
    ['as an indented block', '<content>\n  a;\n    </content>', '  a;\n'],
    ['in CDATA', '<content><![CDATA[  a < b && c]]></content>', '  a < b && c'],
    ['as a CDATA block', '<content>\n  <![CDATA[\n  <a>\n]]>\n</content>', '  <a>\n'],
    [
      'with references',
      '<content>&lt;a&gt; &amp; &quot;&apos;&#65;&#x42;</content>',
      '<a> & "\'AB',
    ],
    ['with a CDATA end in it', '<content><![CDATA[a]]]]><![CDATA[>b]]></content>', 'a]]>b'],
    ['empty', '<content></content>', ''],
    ['closed at once', '<content/>', ''],
  ])('text %s', (_name, child, content) => {
    const text = `<apply_patch><files><path>a</path>${child}</files></apply_patch>`;
    expect(callsOf(text)).toEqual([
      { name: 'apply_patch', args: { files: [{ path: 'a', content }] } },
    ]);
  });
});
