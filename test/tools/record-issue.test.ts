/** record_issue turns a record into a warning. */
import { expect, it } from 'vitest';
import { describeWarning } from '../../src/memory/change.ts';
import { recordIssue } from '../../src/tools/record-issue.ts';
import { callTool, withRunRecords } from './play.ts';

it('record_issue says what is wrong with a record, and of no record that is not there', () =>
  withRunRecords(async (records, id) => {
    const args = { key: id, value: 'It is five by now.' };
    expect((await callTool(recordIssue, args, { records })).facts).toMatchObject({
      record: id,
      operation: 'issue',
    });
    const record = records.records.get(id);
    expect(record && describeWarning(record)).toContain('It is five by now.');
    const { problems } = await callTool(recordIssue, { ...args, key: 'none' }, { records });
    expect(problems).toEqual([expect.stringMatching(/^RECORD_UNKNOWN/)]);
  }));
