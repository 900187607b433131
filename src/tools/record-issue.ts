/** record_issue: flags a problem on a record, which then counts as a warning. */
import * as z from 'zod';
import { recordLimits } from '../memory/record.ts';
import {
  defineRecordTool,
  getRunRecords,
  keyField,
  makeDraft,
  requestedWorkspace,
  workspaceField,
} from './record-change.ts';

export const recordIssue = defineRecordTool({
  name: 'record_issue',
  description: 'Flag a record that is wrong or outdated.',
  schema: z.strictObject({
    key: keyField,
    value: z.string().min(1).max(10_000).describe('what is wrong'),
    metadata: z.string().max(10_000).optional(),
    workspace: workspaceField,
  }),
  draft: (args, context) => {
    const { home, by } = getRunRecords(context);
    const { value, metadata = '' } = args;
    const { issueBytes: maxBytes } = recordLimits;
    return makeDraft(context, { texts: { value, metadata }, maxBytes }, ({ text }) => ({
      op: 'issue',
      workspace: requestedWorkspace(args, home),
      id: args.key,
      by,
      text: text('value'),
      metadata: text('metadata'),
    }));
  },
});
