import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition, Turn } from '../../src/model/turn.ts';
import { decodeReply } from '../../src/model/xml.ts';
import { encodeCalls } from '../../src/model/xml-encode.ts';
import { type Form, grammarOf, renderGrammar } from '../../src/model/xml-grammar.ts';
import { type XmlCode, xmlBounds } from '../../src/model/xml-problems.ts';
import { readXml } from '../../src/model/xml-reader.ts';
import { tools } from '../../src/tools/index.ts';

const definitions = tools.map(t => t.definition);
const grammar = grammarOf(definitions);

const read = (text: string) => readXml(text, grammar);
const callsOf = (text: string) => {
  const { problems, instructions } = read(text);
  expect(problems).toEqual([]);
  return instructions;
};
const turnOf = (text: string): Turn => ({
  text,
  calls: [],
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
});

/** Text such as code, markup and prose hold; characters that XML does not allow are left out later. */
const code = fc.oneof(
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
const allowed = (text: string) =>
  text.isWellFormed() && !/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/.test(text);

function argsFor(form: Form): fc.Arbitrary<unknown> {
  if (form.kind === 'children') {
    const entries = [...form.children].map(([name, child]) => {
      const one = argsFor(child.form);
      return [name, child.list ? fc.array(one, { minLength: 1, maxLength: 3 }) : one] as const;
    });
    const requiredKeys = [...form.children].filter(([, c]) => c.required).map(([name]) => name);
    return fc.record(Object.fromEntries(entries), { requiredKeys, noNullPrototype: true });
  }
  if (form.choices.length > 0) return fc.constantFrom(...form.choices);
  if (form.type === 'boolean') return fc.boolean();
  if (form.type === 'integer') return fc.maxSafeInteger();
  if (form.type === 'number')
    return fc.double({ noNaN: true, noDefaultInfinity: true }).map(n => n + 0);
  if (form.type === 'json') return fc.jsonValue({ maxDepth: 3 });
  return code.filter(allowed);
}

const calls = fc.array(
  fc
    .constantFrom(...grammar.values())
    .chain(({ name, form }) => argsFor(form).map(args => ({ name, args }))),
  { minLength: 1, maxLength: 4 },
);

describe('calls as instruction tags', () => {
  it('decode to the calls that were encoded, whatever text they carry', () => {
    fc.assert(
      fc.property(calls, given => {
        const text = `I need this now. It comes next.\n${encodeCalls(given, grammar)}`;
        expect(read(text)).toEqual({
          prose: 'I need this now. It comes next.',
          problems: [],
          instructions: given,
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('every form of a schema can be encoded and decoded', () => {
    const parameters = {
      type: 'object',
      properties: {
        text: { type: ['string', 'null'] },
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
        ids: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        size: { type: 'number' },
        on: { type: 'boolean' },
        grid: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
        free: { type: 'object' },
        any: {},
        rows: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        },
        either: {
          oneOf: [
            { type: 'object', properties: { k: { const: 'x' }, a: { type: 'string' } } },
            { type: 'object', properties: { k: { const: 'y' }, b: { type: 'integer' } } },
          ],
        },
      },
      required: ['kind'],
    };
    const definition: ToolDefinition = { name: 'probe', description: 'Probe.', parameters };
    const own = grammarOf([definition]);
    const args = {
      text: 'null',
      kind: 'b',
      ids: ['1', '2'],
      size: -1.5e-7,
      on: false,
      grid: [[1, 2], [3]],
      free: { __a: ['<b>'] },
      any: null,
      rows: [{ n: 1 }, { n: 2 }],
      either: { k: 'y', b: 3 },
    };
    const decoded = decodeReply(turnOf(encodeCalls([{ name: 'probe', args }], own)), own);
    const { any: _, ...encoded } = args;
    expect('turn' in decoded && JSON.parse(decoded.turn.calls[0]?.argumentsText ?? '')).toEqual(
      encoded,
    );
    expect(renderGrammar(own)).toBe(
      [
        '<probe> Probe.',
        '  <text>? string',
        '  <kind> a|b',
        '  <ids>* string',
        '  <size>? number',
        '  <on>? boolean',
        '  <grid>* json',
        '  <free>? json',
        '  <any>? json',
        '  <rows>*',
        '    <n> integer',
        '  <either>?',
        '    <k>? x|y',
        '    <a>? string',
        '    <b>? integer',
      ].join('\n'),
    );
  });

  it('no tool nests deeper than the protocol allows, and none needs JSON', () => {
    const depth = (form: Form): number =>
      form.kind === 'leaf'
        ? 0
        : 1 + Math.max(0, ...[...form.children.values()].map(c => depth(c.form)));
    for (const { form, name } of grammar.values())
      expect(depth(form) + 1, name).toBeLessThanOrEqual(xmlBounds.depth);
    expect(renderGrammar(grammar)).not.toMatch(/> json|>[?*+] json/);
  });
});

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

  it('of many open tags is read in time that grows with its length', () => {
    const text = Array.from({ length: 80_000 }, (_, i) => `<t${i} >`).join(' x ');
    const start = performance.now();
    expect(first(read(`So ${text}`))).toBe('fine');
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('without instructions is prose alone, and one without prose has no reasoning', () => {
    expect(read('I believe that it is fine.').prose).toBe('I believe that it is fine.');
    expect(read('```xml\n<verify></verify>\n```\n').prose).toBe('');
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

  it('numbers and booleans have their types; other text stays text for the guard', () => {
    const of = (offset: string) =>
      callsOf(`<grep><pattern>1</pattern><regex> true </regex><offset>${offset}</offset></grep>`)[0]
        ?.args;
    expect(of(' 12\n')).toEqual({ pattern: '1', regex: true, offset: 12 });
    expect(of('many')).toEqual({ pattern: '1', regex: true, offset: 'many' });
    for (const text of ['0x10', '1_0', 'Infinity', '', '01', '1.'])
      expect(of(text)?.offset, text).toBe(text);
  });
});

/** Malformed replies written by hand: place and code of the first problem. */
const broken: readonly (readonly [string, string, string])[] = [
  ['cut in a child', '<grep><pattern>x', '1:1 XML_CUT'],
  ['cut in a tag', 'Now.\n<verify></verify>\n<gre', '3:1 XML_CUT'],
  ['cut in an opening tag', 'Now.\n<verify', '2:1 XML_CUT'],
  ['cut behind a name', 'Now <verify ', '1:5 XML_CUT'],
  ['crossed tags', '<grep><pattern>x</grep></pattern>', '1:17 LIBRARIAN_PROTOCOL_INVALID'],
  ['a closing tag too many', '<verify></verify></verify>', '1:18 LIBRARIAN_PROTOCOL_INVALID'],
  ['a stray closing tag', 'Done.\n</div>', '2:1 LIBRARIAN_PROTOCOL_INVALID'],
  ['mixed case', '<verify></Verify>', '1:9 LIBRARIAN_PROTOCOL_INVALID'],
  ['an instruction in another case', '<Verify></Verify>', '1:1 XML_UNKNOWN_TAG'],
  ['an unknown instruction', 'Now.\n  <rm><path>/</path></rm>', '2:3 XML_UNKNOWN_TAG'],
  ['an unknown instruction in a line', 'Now <rm><path>/</path></rm>', '1:5 XML_UNKNOWN_TAG'],
  ['an unknown instruction, closed at once', 'First, <rm_all/>', '1:8 XML_UNKNOWN_TAG'],
  ['an unknown one after a known one', '<verify/> and <rm>a</rm>', '1:15 XML_UNKNOWN_TAG'],
  ["a name of an object's own", '<constructor></constructor>', '1:1 XML_UNKNOWN_TAG'],
  ['a child without its instruction', '<pattern>x</pattern>', '1:1 XML_UNKNOWN_TAG'],
  ['an unknown child', '<grep><pattern>x</pattern><path>y</path></grep>', '1:27 XML_UNKNOWN_CHILD'],
  [
    'a prototype',
    '<grep><__proto__>x</__proto__><pattern>x</pattern></grep>',
    '1:7 XML_UNKNOWN_CHILD',
  ],
  ['a missing child', 'So.\n<grep><regex>true</regex></grep>', '2:1 LIBRARIAN_PARSE_FAILED'],
  [
    'a missing child of a list',
    '<apply_patch><files></files></apply_patch>',
    '1:14 LIBRARIAN_PARSE_FAILED',
  ],
  [
    'a child twice',
    '<grep><pattern>x</pattern><pattern>y</pattern></grep>',
    '1:27 XML_DUPLICATE_CHILD',
  ],
  ['text between children', '<grep>for x\n<pattern>x</pattern></grep>', '1:7 XML_STRAY_TEXT'],
  ['text in an empty instruction', '<verify>\n now</verify>', '2:2 XML_STRAY_TEXT'],
  [
    'an instruction in another',
    '<finish><reason><verify></verify></reason></finish>',
    '1:17 XML_MARKUP_IN_TEXT',
  ],
  ['code in text', '<finish><reason>a List<T> b</reason></finish>', '1:23 XML_MARKUP_IN_TEXT'],
  ['a comparison in text', '<finish><reason>if a < b</reason></finish>', '1:22 XML_MARKUP_IN_TEXT'],
  [
    'an end of CDATA in text',
    '<finish><reason>a ]]> b</reason></finish>',
    '1:19 XML_MARKUP_IN_TEXT',
  ],
  ['an ampersand in text', '<finish><reason>a && b</reason></finish>', '1:19 XML_ENTITY'],
  ['an unknown reference', '<finish><reason>a &nbsp; b</reason></finish>', '1:19 XML_ENTITY'],
  [
    "a reference of an object's own",
    '<finish><reason>&constructor;</reason></finish>',
    '1:17 XML_ENTITY',
  ],
  ['a reference to no character', '<finish><reason>&#0;</reason></finish>', '1:17 XML_ENTITY'],
  ['an attribute', '<grep pattern="x"></grep>', '1:1 XML_ATTRIBUTE'],
  ['an attribute without a value', '<grep pattern></grep>', '1:1 XML_ATTRIBUTE'],
  ['a namespace', '<grep xmlns="x"><pattern>x</pattern></grep>', '1:1 XML_ATTRIBUTE'],
  ['a prefix', '<x:grep></x:grep>', '1:1 XML_NAMESPACE'],
  ['a prefix inside', '<grep><x:pattern>x</x:pattern></grep>', '1:7 XML_NAMESPACE'],
  ['a comment', 'So <!-- <verify></verify> -->', '1:4 XML_COMMENT'],
  ['a comment inside', '<grep><!-- a --><pattern>x</pattern></grep>', '1:7 XML_COMMENT'],
  ['a declaration', '<?xml version="1.0"?><verify></verify>', '1:1 XML_PROCESSING_INSTRUCTION'],
  [
    'a processing instruction',
    '<finish><reason><?php x ?></reason></finish>',
    '1:17 XML_PROCESSING_INSTRUCTION',
  ],
  ['CDATA around an instruction', '<![CDATA[<verify></verify>]]>', '1:1 XML_CDATA'],
  ['CDATA between children', '<grep><![CDATA[x]]><pattern>x</pattern></grep>', '1:7 XML_CDATA'],
  ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><verify></verify>', '1:1 XML_DOCTYPE'],
  ['a document type inside', '<grep><!DOCTYPE x><pattern>x</pattern></grep>', '1:7 XML_DOCTYPE'],
  ['a NUL', '<grep><pattern>x\0</pattern></grep>', '1:17 XML_CHARACTER'],
  ['a NUL in the prose', 'Now\0<verify></verify>', '1:4 XML_CHARACTER'],
  ['half a surrogate pair', '<grep><pattern>\uD800</pattern></grep>', '1:16 XML_CHARACTER'],
  ['half a surrogate pair at the end', 'Now \uD800', '1:5 XML_CHARACTER'],
  ['a low surrogate', 'a\r\nb\uDC00', '2:2 XML_CHARACTER'],
  ['no character', '<grep><pattern>\uFFFE</pattern></grep>', '1:16 XML_CHARACTER'],
];

const first = ({ problems: [p] }: ReturnType<typeof read>) =>
  p === undefined ? 'fine' : `${p.line}:${p.column} ${p.code}`;

describe('a malformed reply', () => {
  it.each(broken)('%s', (_name, text, expected) => {
    expect(first(read(text))).toBe(expected);
  });

  it('too many instructions, too many tags, too deep, too large', () => {
    expect(first(read('<verify/>'.repeat(65)))).toBe('1:577 XML_TOO_MANY');
    const names = '<affected_files>a</affected_files>'.repeat(5001);
    expect(first(read(`<plan>${names}</plan>`))).toContain('XML_TOO_MANY');
    expect(read(`<grep>${'<a>'.repeat(100_000)}`).problems).toMatchObject([
      { column: 7, code: 'XML_UNKNOWN_CHILD' },
      { column: 16, code: 'XML_TOO_DEEP' },
    ]);
    expect(first(read('x'.repeat(1_000_001)))).toBe('1:1000001 XML_TOO_LARGE');
  });

  it('several problems are reported at once, in order', () => {
    const { problems } = read('<grep><x>1</x><regex>true</regex><regex>true</regex></grep>');
    expect(problems.map(p => p.code)).toEqual([
      'XML_UNKNOWN_CHILD',
      'XML_DUPLICATE_CHILD',
      'LIBRARIAN_PARSE_FAILED',
    ]);
  });

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
