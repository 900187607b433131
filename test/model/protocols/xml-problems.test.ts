/** Each problem of a malformed reply has its code. */
import { describe, expect, it } from 'vitest';
import { first, read } from './xml-replies.ts';

/** Malformed replies written by hand: place and code of the first problem. */
const broken: readonly (readonly [string, string, string])[] = [
  ['cut in a child', '<grep><pattern>x', '1:1 XML_CUT'],
  ['cut in a tag', 'Now.\n<verify></verify>\n<gre', '3:1 XML_CUT'],
  ['cut in an opening tag', 'Now.\n<verify', '2:1 XML_CUT'],
  ['crossed tags', '<grep><pattern>x</grep></pattern>', '1:17 LIBRARIAN_PROTOCOL_INVALID'],
  ['a closing tag too many', '<verify></verify></verify>', '1:18 LIBRARIAN_PROTOCOL_INVALID'],
  ['a stray closing tag', 'Done.\n</div>', '2:1 LIBRARIAN_PROTOCOL_INVALID'],
  ['mixed case', '<verify></Verify>', '1:9 LIBRARIAN_PROTOCOL_INVALID'],
  ['an instruction in another case', '<Verify></Verify>', '1:1 XML_UNKNOWN_TAG'],
  ['an unknown instruction', 'Now.\n  <rm><path>/</path></rm>', '2:3 XML_UNKNOWN_TAG'],
  ['an unknown instruction in a line', 'Now <rm><path>/</path></rm>', '1:5 XML_UNKNOWN_TAG'],
  ["a name of an object's own", '<constructor></constructor>', '1:1 XML_UNKNOWN_TAG'],
  ['a child without its instruction', '<pattern>x</pattern>', '1:1 XML_UNKNOWN_TAG'],
  [
    'an unknown child',
    '<grep><pattern>x</pattern><where>y</where></grep>',
    '1:27 XML_UNKNOWN_CHILD',
  ],
  [
    'a prototype',
    '<grep><__proto__>x</__proto__><pattern>x</pattern></grep>',
    '1:7 XML_UNKNOWN_CHILD',
  ],
  ['a missing child', 'So.\n<grep><regex>true</regex></grep>', '2:1 LIBRARIAN_PARSE_FAILED'],
  [
    'a child twice',
    '<grep><pattern>x</pattern><pattern>y</pattern></grep>',
    '1:27 XML_DUPLICATE_CHILD',
  ],
  ['text between children', '<grep>for x\n<pattern>x</pattern></grep>', '1:7 XML_STRAY_TEXT'],
  ['text in an empty instruction', '<verify>\n now</verify>', '2:2 XML_STRAY_TEXT'],
  ['code in text', '<finish><reason>a List<T> b</reason></finish>', '1:23 XML_MARKUP_IN_TEXT'],
  [
    'an end of CDATA in text',
    '<finish><reason>a ]]> b</reason></finish>',
    '1:19 XML_MARKUP_IN_TEXT',
  ],
  ['an ampersand in text', '<finish><reason>a && b</reason></finish>', '1:19 XML_ENTITY'],
  ['an unknown reference', '<finish><reason>a &nbsp; b</reason></finish>', '1:19 XML_ENTITY'],
  ['a reference to no character', '<finish><reason>&#0;</reason></finish>', '1:17 XML_ENTITY'],
  ['an attribute', '<grep pattern="x"></grep>', '1:1 XML_ATTRIBUTE'],
  ['a prefix', '<x:grep></x:grep>', '1:1 XML_NAMESPACE'],
  ['a prefix inside', '<grep><x:pattern>x</x:pattern></grep>', '1:7 XML_NAMESPACE'],
  ['a comment', 'So <!-- <verify></verify> -->', '1:4 XML_COMMENT'],
  ['a declaration', '<?xml version="1.0"?><verify></verify>', '1:1 XML_PROCESSING_INSTRUCTION'],
  ['CDATA around an instruction', '<![CDATA[<verify></verify>]]>', '1:1 XML_CDATA'],
  ['CDATA between children', '<grep><![CDATA[x]]><pattern>x</pattern></grep>', '1:7 XML_CDATA'],
  ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><verify></verify>', '1:1 XML_DOCTYPE'],
  ['a NUL', '<grep><pattern>x\0</pattern></grep>', '1:17 XML_CHARACTER'],
  ['a NUL in the prose', 'Now\0<verify></verify>', '1:4 XML_CHARACTER'],
  ['half a surrogate pair', '<grep><pattern>\uD800</pattern></grep>', '1:16 XML_CHARACTER'],
  ['a low surrogate', 'a\r\nb\uDC00', '2:2 XML_CHARACTER'],
  ['no character', '<grep><pattern>\uFFFE</pattern></grep>', '1:16 XML_CHARACTER'],
];

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
});
