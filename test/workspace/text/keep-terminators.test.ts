import { expect, it } from 'vitest';
import { keepTerminators } from '../../../src/workspace/text/edits.ts';
import { parseTextFile, type TextFile } from '../../../src/workspace/text/text-file.ts';

const file = (text: string) => parseTextFile(Buffer.from(text)) as TextFile;
const ends = (text: string, lines: readonly string[]) => keepTerminators(file(text), lines);

it('a file of one style keeps it for every line', () => {
  expect(ends('a\r\nb\r\n', ['x', 'b', 'c'])).toEqual(['\r\n', '\r\n', '\r\n']);
});

it('in a mixed file, each kept line keeps its own end', () => {
  expect(ends('a\r\nb\nc\n', ['a', 'new', 'b', 'c'])).toEqual(['\r\n', '\r\n', '\n', '\n']);
  expect(ends('a\r\nb\nc\n', ['b', 'c'])).toEqual(['\n', '\n']);
});

it('a replaced line has the end of the line in whose place it is', () => {
  expect(ends('a\nb\r\nc\n', ['a', 'B', 'c'])).toEqual(['\n', '\r\n', '\n']);
});
