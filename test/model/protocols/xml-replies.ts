/** What the tests of instruction tags share: the grammar of all tools, and how a reply is read. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { buildGrammar } from '../../../src/model/protocols/xml-grammar.ts';
import { readXml } from '../../../src/model/protocols/xml-reader.ts';
import { tools } from '../../../src/tools/index.ts';

export const definitions = tools.map(t => t.definition);

export const grammar = buildGrammar(definitions);

export const read = (text: string) => readXml(text, grammar);

export const listCalls = (text: string) => {
  const { problems, instructions } = read(text);
  expect(problems).toEqual([]);
  return instructions;
};

/** Text such as code, markup and prose hold; characters that XML does not allow are left out later. */
export const code = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '<content>',
        '</content>',
        '<plan>',
        '</plan>',
        '<![CDATA[',
        ']]>',
        ']]',
        '&amp;',
        '&',
        '<',
        '>',
        '\n',
        '\r\n',
        '\r',
        '  ',
        '\t',
        '<!-- x -->',
        '<?xml?>',
        '`',
        '```',
        'if (a < b && c > d) {',
        'Array<string>',
        '<div class="x">',
        'é',
        '😀',
        '\uFEFF',
        '#',
        '<!DOCTYPE x [<!ENTITY a "b">]>',
        '&#0;',
        '&constructor;',
        '</',
        '/>',
        'x',
      ),
      { maxLength: 12 },
    )
    .map(parts => parts.join('')),
);

export const first = ({ problems: [p] }: ReturnType<typeof read>) =>
  p === undefined ? 'fine' : `${p.line}:${p.column} ${p.code}`;
