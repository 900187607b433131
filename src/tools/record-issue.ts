/** record_issue: flags a problem on a record, which then counts as a warning. */
import * as z from 'zod';
import { recordLimits } from '../memory/record.ts';
import {
  applyDraft,
  draftProblems,
  getRunRecords,
  keyField,
  makeDraft,
  requestedWorkspace,
  workspaceField,
} from './record-change.ts';
import { defineTool, type ToolContext } from './tool.ts';

const schema = z.strictObject({
  key: keyField,
  value: z.string().min(1).max(10_000).describe('what is wrong'),
  metadata: z.string().max(10_000).optional(),
  workspace: workspaceField,
});

const draft = (args: z.infer<typeof schema>, context: ToolContext) => {
  const { home, by } = getRunRecords(context);
  const maxBytes = recordLimits.issueBytes;
  const texts = {
    value: { raw: args.value, maxBytes },
    metadata: { raw: args.metadata ?? '', maxBytes },
  };
  return makeDraft(context, { texts }, ({ text }) => ({
    op: 'issue',
    workspace: requestedWorkspace(args, home),
    id: args.key,
    by,
    text: text('value'),
    metadata: text('metadata'),
  }));
};

export const recordIssue = defineTool({
  name: 'record_issue',
  needs: 'records',
  description: 'Flag a record that is wrong or outdated.',
  core: true,
  step: undefined,
  schema,
  claims: () => [{ kind: 'note' }],
  problems: async (args, context) => draftProblems(context, draft(args, context)),
  run: async (args, context) => applyDraft(context, draft(args, context)),
});
