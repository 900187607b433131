/** record_add saves a note for later runs. */
import { describe, expect, it } from 'vitest';
import { recordAdd } from '../../src/tools/record-add.ts';
import { home } from '../memory/making.ts';
import { callTool, withRunRecords } from './play.ts';

describe('record_add', () => {
  it('adds a note under a title of its own words, with each keyword once', () =>
    withRunRecords(async records => {
      const args = { keywords: ['tests, slow', 'slow'], value: 'The tests need node 24.\nAlways.' };
      const { text, facts } = await callTool(recordAdd, args, { records });
      expect(facts).toMatchObject({ version: 1, operation: 'add' });
      expect(text).toContain('is now at version 1; the end of the run decides whether it is kept.');
      expect(records.changes).toMatchObject([
        {
          op: 'add',
          workspace: home,
          kind: 'note',
          tags: ['tests', 'slow'],
          body: 'The tests need node 24.\nAlways.',
        },
      ]);
    }));

  it('counts the hidden characters that it takes out', () =>
    withRunRecords(async records => {
      const args = { keywords: [], value: 'a\u200bb c', title: 'T' };
      const { text } = await callTool(recordAdd, args, { records });
      expect(text).toContain('1 hidden characters were removed.');
      expect(records.changes).toMatchObject([{ title: 'T', body: 'ab c' }]);
    }));

  it.each([
    ['a secret', { value: 'It is s3cret.' }, /^RECORD_SECRET/],
    ['another workspace', { value: 'x', workspace: 'other/repo' }, /^RECORD_WORKSPACE/],
  ])('refuses %s', (_name, more, code) =>
    withRunRecords(async records => {
      const { problems } = await callTool(recordAdd, { keywords: [], ...more }, { records });
      expect(problems).toEqual([expect.stringMatching(code)]);
      expect(records.changes).toEqual([]);
    }),
  );

  it('knows its own workspace in any case', () =>
    withRunRecords(async records => {
      const args = { keywords: [], value: 'x', workspace: home.toUpperCase() };
      expect((await callTool(recordAdd, args, { records })).problems).toBeUndefined();
    }));
});
