/** record_update rewrites the version of a record that the agent has read. */
import { expect, it } from 'vitest';
import { recordUpdate } from '../../src/tools/record-update.ts';
import { callTool, withRunRecords } from './play.ts';

it('record_update makes the next version, and keeps the title that it does not name', () =>
  withRunRecords(async (records, id) => {
    const args = { key: id, version: 1, value: 'Retries are bounded to four.' };
    expect(await callTool(recordUpdate, args, { records })).toMatchObject({
      text: `${id} is now at version 2; the end of the run decides whether it is kept.`,
      facts: { record: id, version: 2, operation: 'update' },
    });
    expect(records.records.get(id)).toMatchObject({
      title: 'Retries',
      body: 'Retries are bounded to four.',
    });
    // the version that is gone cannot be rewritten
    const { problems } = await callTool(recordUpdate, { ...args, value: 'x' }, { records });
    expect(problems).toEqual([expect.stringMatching(/^RECORD_STALE/)]);
  }));
