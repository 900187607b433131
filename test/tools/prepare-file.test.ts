/** What an edit adds to the errors of a file. */
import { describe, expect, it } from 'vitest';
import type { SyntaxChecker, SyntaxReport } from '../../src/navigation/syntax/syntax.ts';
import { findAddedErrors, notCertain, renderHint } from '../../src/tools/prepare-file.ts';
import type { TextFile } from '../../src/workspace/text/text-file.ts';

const file = (...lines: string[]) => ({ lines }) as unknown as TextFile;

/** Every line `bad` is an error. */
const syntax = {
  check: async (path: string, text: string): Promise<SyntaxReport | undefined> =>
    path.endsWith('.txt')
      ? undefined
      : {
          parser: 'p',
          complete: true,
          errors: text
            .split('\n')
            .flatMap((l, i) => (l === 'bad' ? [{ line: i + 1, column: 1, message: 'wrong' }] : [])),
        },
} as unknown as SyntaxChecker;

describe('errors that an edit adds', () => {
  it.each([
    ['to a file without any', file('good'), file('good', 'bad'), 1],
    ['with a new file', undefined, file('bad'), 1],
    ['to a file that had some', file('bad'), file('bad', 'bad'), undefined],
    ['when it adds none', file('good'), file('good'), undefined],
  ])('%s', async (_name, before, after, count) => {
    const found = await findAddedErrors('a.js', { before, after }, syntax);
    expect(found?.errors.length).toBe(count);
  });

  it('are unknown where no parser reads the file', async () => {
    const edited = { before: undefined, after: file('bad') };
    expect(await findAddedErrors('a.txt', edited, syntax)).toBeUndefined();
  });
});

it('a hint shows three errors, and how certain they are', () => {
  const errors = [1, 2, 3, 4].map(line => ({ line, column: 1, message: 'wrong' }));
  const rows = 'a.js:1: wrong\na.js:2: wrong\na.js:3: wrong';
  const report = { parser: 'p', complete: true, errors } as unknown as SyntaxReport;
  expect(renderHint('a.js', report)).toBe(`a.js: does not parse\n${rows}`);
  expect(renderHint('a.js', { ...report, complete: false })).toBe(`a.js: ${notCertain}\n${rows}`);
});
