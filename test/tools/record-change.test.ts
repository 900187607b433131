/** The texts of a call become a change of the records, or problems with their codes. */
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/memory/change.ts';
import { recordLimits } from '../../src/memory/record.ts';
import { getRunRecords, makeDraft, requestedWorkspace } from '../../src/tools/record-change.ts';
import type { ToolContext } from '../../src/tools/tool.ts';

const context = {
  records: undefined,
  holdsSecret: (text: string) => text.includes('s3cret'),
} as unknown as ToolContext;

const draft = (texts: Readonly<Record<string, string>>, keywords: readonly string[] = []) =>
  makeDraft(
    context,
    { texts, maxBytes: 20, keywords },
    clean => ({ body: clean.text('value'), tags: clean.tags }) as unknown as Change,
  );

describe('a draft', () => {
  it('has clean texts, and each keyword of a list once', () => {
    expect(draft({ value: 'a\u200bb' }, ['x, y', 'y', ' '])).toEqual({
      ok: true,
      change: { body: 'ab', tags: ['x', 'y'] },
      removed: 1,
    });
  });

  it('names every problem of its texts', () => {
    const found = draft({ value: 'x'.repeat(21), metadata: 's3cret' });
    expect(found).toMatchObject({
      ok: false,
      problems: [
        expect.stringMatching(/^RECORD_TOO_LARGE: /),
        expect.stringMatching(/^RECORD_SECRET: /),
      ],
    });
  });

  it('wants words in its value, and few keywords', () => {
    expect(draft({ value: ' \u200b ' })).toMatchObject({ problems: ['/value: must not be empty'] });
    const tags = Array.from({ length: recordLimits.tags + 1 }, (_, i) => `t${i}`);
    expect(draft({ value: 'x' }, tags)).toMatchObject({
      problems: [`RECORD_TOO_LARGE: /keywords: at most ${recordLimits.tags} are allowed`],
    });
  });
});

it('a workspace is that of the run, or the one that is named, in lower case', () => {
  expect(requestedWorkspace({}, 'o/r')).toBe('o/r');
  expect(requestedWorkspace({ workspace: 'O/Other' }, 'o/r')).toBe('o/other');
});

it('a run without records offers none', () => {
  expect(() => getRunRecords(context)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
});
