import { expect, it } from 'vitest';
import { textWithCrlf } from '../../../src/workspace/files/line-ends.ts';

it.each([
  ['a\nb\n', 'a\r\nb\r\n'],
  ['a\r\nb\n', 'a\r\nb\r\n'],
  ['a\rb', 'a\rb'],
  ['', ''],
  ['\0a\n', '\0a\n'],
])('%j with CRLF is %j', (text, expected) => {
  expect(Buffer.from(textWithCrlf(Buffer.from(text))).toString()).toBe(expected);
});
