/** record_update: rewrites a record whose current version the agent has read. */
import * as z from 'zod';
import {
  type Draft,
  defineRecordTool,
  getRunRecords,
  keyField,
  keywordsField,
  makeDraft,
  requestedWorkspace,
  workspaceField,
} from './record-change.ts';

function unread(key: string): Draft {
  const problem = `RECORD_STALE: this run has not read ${key}. Find it with record_search first, or name the version.`;
  return { ok: false, problems: [problem] };
}

export const recordUpdate = defineRecordTool({
  name: 'record_update',
  description: 'Rewrite a record.',
  schema: z.strictObject({
    key: keyField,
    version: z.int().min(1).optional().describe('left out: the version that this run read'),
    value: z.string().min(1).max(20_000),
    title: z.string().min(1).max(1000).optional(),
    keywords: keywordsField.optional(),
    workspace: workspaceField,
  }),
  draft: (args, context) => {
    const { home, by, records, seenVersion } = getRunRecords(context);
    const seen = args.version ?? seenVersion(args.key);
    if (seen === undefined && records.has(args.key)) return unread(args.key);
    const { value, title = '', keywords } = args;
    return makeDraft(context, { texts: { value, title }, keywords }, ({ text, tags }) => ({
      op: 'update',
      workspace: requestedWorkspace(args, home),
      id: args.key,
      // of a record that does not exist, any version is wrong
      seen: seen ?? 1,
      by,
      body: text('value'),
      title: args.title === undefined ? undefined : text('title'),
      tags: args.keywords === undefined ? undefined : tags,
    }));
  },
});
