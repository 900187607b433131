import { expect, it } from 'vitest';
import { differs, type FileState } from '../../../src/workspace/files/change.ts';

const state = (text: string, mode: FileState['mode'] = '100644') => ({
  mode,
  bytes: Buffer.from(text),
});

it.each([
  ['the same text', state('a'), new Uint8Array([97]), false],
  ['another text', state('a'), new Uint8Array([98]), true],
] as const)('%s', (_, before, bytes, differing) => {
  expect(differs({ before, after: { mode: '100644', bytes } })).toBe(differing);
});

it('another mode, and a file on one side alone, are a difference', () => {
  expect(differs({ before: state('a'), after: state('a', '100755') })).toBe(true);
  expect(differs({ before: undefined, after: state('') })).toBe(true);
  expect(differs({ before: state(''), after: undefined })).toBe(true);
  expect(differs({ before: undefined, after: undefined })).toBe(false);
});
