import { expect, it } from 'vitest';
import {
  batchLine,
  quotedArgument,
  quotedForCmd,
  shellText,
} from '../../src/process/command-line.ts';

it.each([
  ['plain', 'plain'],
  ['', '""'],
  ['a b', '"a b"'],
  ['a"b', '"a\\"b"'],
  ['a b\\', '"a b\\\\"'],
  ['a\\"b', '"a\\\\\\"b"'],
])('%j is the argument %s', (word, quoted) => expect(quotedArgument(word)).toBe(quoted));

it.each([
  ['C:\\a\\b', 'C:\\a\\b'],
  ['a & b', '"a & b"'],
  ['100%', '100^%'],
  ['a\nb', '"a b"'],
])('%j is the word %s for cmd.exe', (word, quoted) => expect(quotedForCmd(word)).toBe(quoted));

it('a batch file gets no argument of two lines', () => {
  expect(batchLine('C:\\n.cmd', ['a'])).toBe('"^"C:\\n.cmd^" a"');
  expect(batchLine('C:\\n.cmd', ['a\nb'])).toBeNull();
  expect(batchLine('C:\\n.cmd', ['a&b'])).not.toContain('a&b');
});

it('several lines run one after another', () => {
  expect(shellText('npm ci\r\n\n npm test ')).toBe('"npm ci & npm test"');
});
