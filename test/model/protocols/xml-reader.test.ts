/** A reply is read into prose and instructions, whatever its size and form. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCalls } from '../../../src/model/protocols/xml.ts';
import type { XmlCode } from '../../../src/model/protocols/xml-problems.ts';
import { first, grammar, listCalls, read } from './xml-replies.ts';

describe('a reply', () => {
  it('is prose and instructions in their order, several a reply', () => {
    const { prose, instructions } = read(
      [
        '\uFEFFI look for `<plan>` and Array<string>; a < b, a & b, x <div> y.\r\nThen I verify.',
        '```xml',
        '<grep><pattern>a</pattern></grep> <verify/>',
        '  <patch><all>true</all></patch><finish><reason>done</reason></finish>',
        '```',
        'That is all.',
      ].join('\n'),
    );
    expect(instructions).toEqual([
      { name: 'grep', args: { pattern: 'a' } },
      { name: 'verify', args: {} },
      { name: 'patch', args: { all: true } },
      { name: 'finish', args: { reason: 'done' } },
    ]);
    expect(prose).toBe(
      'I look for `<plan>` and Array<string>; a < b, a & b, x <div> y.\nThen I verify.\nThat is all.',
    );
  });

  it('of many open tags is read in time that grows with its length', () => {
    const text = Array.from({ length: 80_000 }, (_, i) => `<t${i} >`).join(' x ');
    expect(first(read(`So ${text}`))).toBe('fine');
  });

  it('numbers and booleans have their types; other text stays text for the guard', () => {
    const argsOf = (offset: string) => {
      const fields = `<pattern>1</pattern><regex> true </regex><offset>${offset}</offset>`;
      const { problems, instructions } = read(`<grep>${fields}</grep>`);
      expect(problems).toEqual([]);
      return instructions[0]?.args;
    };
    expect(argsOf(' 12\n')).toEqual({ pattern: '1', regex: true, offset: 12 });
    expect(argsOf('many')).toEqual({ pattern: '1', regex: true, offset: 'many' });
    for (const text of ['0x10', '1_0', 'Infinity', '', '01', '1.'])
      expect(argsOf(text)?.offset, text).toBe(text);
  });
});

describe('a malformed reply', () => {
  it('of ten megabytes is refused in a thread of 64 MiB', async () => {
    const shapes: Record<string, string> = {
      ['<'.repeat(1000)]: 'XML_TOO_LARGE',
      ['>'.repeat(1000)]: 'XML_TOO_LARGE',
      ['&'.repeat(1000)]: 'XML_TOO_LARGE',
      ['`'.repeat(1000)]: 'XML_TOO_LARGE',
      'x <a> ': 'XML_TOO_LARGE',
      '\r': 'XML_TOO_LARGE',
      '<verify/>\n': 'XML_TOO_MANY',
      '<finish><reason>': 'XML_MARKUP_IN_TEXT',
      '<![CDATA[': 'XML_CDATA',
      'x ]]> <verify>': 'XML_STRAY_TEXT',
      '<finish><reason>&lol9;': 'XML_ENTITY',
      '<finish><reason><![CDATA[>': 'XML_TOO_LARGE',
    };
    const worker = new Worker(new URL('./xml-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    });
    try {
      for (const [shape, code] of Object.entries(shapes)) {
        worker.postMessage({ shape, chars: 10_000_000 });
        const [answer] = (await once(worker, 'message')) as [string];
        expect(answer, shape.slice(0, 20)).toBe(code);
      }
    } finally {
      await worker.terminate();
    }
  });
});

describe('a thousand malformed replies', () => {
  const good = encodeCalls(
    [
      { name: 'grep', args: { pattern: 'a < b', offset: 3 } },
      {
        name: 'apply_patch',
        args: { files: [{ path: 'a', edits: [{ start_line: 1, content: '<div>\n' }] }] },
      },
      { name: 'finish', args: { reason: 'x & y' } },
    ],
    grammar,
  );
  const scraps = fc.constantFrom(
    '<',
    '>',
    '&',
    '</',
    '/>',
    '<plan>',
    '</plan>',
    '<b>',
    ']]>',
    '<![CDATA[',
    '\0',
    '\uD800',
    '<!-- ',
    '<!DOCTYPE a [',
    '<!ENTITY a "',
    '<?xml ?>',
    '&a;',
    ' a="b"',
    '<a:b>',
    '`',
    '\uFEFF',
    '<PLAN>',
    '\r',
    '\uFFFF',
    '<files>',
    '</files>',
    '<content>',
    '&#xD800;',
    'prose ',
  );
  /** A correct reply, cut short, with scraps inserted or in place of its text. */
  const malformed = fc
    .record({
      cuts: fc.array(fc.nat(good.length), { maxLength: 3 }),
      put: fc.array(fc.tuple(fc.nat(good.length), fc.nat(8), scraps), { maxLength: 4 }),
      end: fc.nat(good.length),
    })
    .map(({ put, end }) => {
      let text = good.slice(0, end);
      for (const [at, instead, scrap] of put)
        text = text.slice(0, at) + scrap + text.slice(at + instead);
      return text;
    });

  it('each is read or refused with a stable code, twice the same, and none crashes', () => {
    const seen = new Map<XmlCode | 'fine', number>();
    fc.assert(
      fc.property(malformed, text => {
        const reading = read(text);
        expect(read(text)).toEqual(reading);
        const code = reading.problems[0]?.code ?? 'fine';
        seen.set(code, (seen.get(code) ?? 0) + 1);
        for (const { line, column } of reading.problems) {
          const lines = text.replace(/\r\n?/g, '\n').split('\n');
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        }
        // every key of a call is one that the grammar allows
        if (reading.problems.length === 0)
          for (const { name, args } of reading.instructions)
            expect(Object.keys(args).every(k => grammar.get(name)?.form.children.has(k))).toBe(
              true,
            );
      }),
      { numRuns: 1500 },
    );
    const refused = [...seen].filter(([c]) => c !== 'fine').reduce((sum, [, n]) => sum + n, 0);
    expect(refused).toBeGreaterThanOrEqual(1000);
    expect([...seen.keys()].length).toBeGreaterThan(12);
  });
});

describe('the prose of a reply', () => {
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
    expect(listCalls(`<grep><pattern><![CDATA[${value}]]></pattern></grep>`)).toEqual([
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
    expect(listCalls(text)).toEqual([
      { name: 'apply_patch', args: { files: [{ path: 'a', content }] } },
    ]);
  });
});
