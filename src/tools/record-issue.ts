/** record_issue: flags a problem on a record; it then warns instead of advising (SPEC §8). */
import * as z from 'zod';
import { recordLimits } from '../memory/record.ts';
import {
  draftOf,
  draftProblems,
  keyField,
  notebookOf,
  requestedWorkspace,
  takeDown,
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
  const { home, by } = notebookOf(context);
  const maxBytes = recordLimits.issueBytes;
  const texts = {
    value: { raw: args.value, maxBytes },
    metadata: { raw: args.metadata ?? '', maxBytes },
  };
  return draftOf(context, { texts }, ({ text }) => ({
    ...{ op: 'issue', workspace: requestedWorkspace(args, home), id: args.key, by },
    text: text('value'),
    metadata: text('metadata'),
  }));
};

export const recordIssue = defineTool({
  name: 'record_issue',
  needs: 'records',
  description: 'Flag a record that is wrong or outdated.',
  core: true,
  step: null,
  schema,
  claims: () => [],
  problems: async (args, context) => draftProblems(context, draft(args, context)),
  run: async (args, context) => takeDown(context, draft(args, context)),
});
