/** record_add: adds a long-term note about this repository. */
import * as z from 'zod';
import { makeTitle } from '../memory/note-text.ts';
import { agentKinds, recordLimits } from '../memory/record.ts';
import {
  applyDraft,
  draftProblems,
  getRunRecords,
  keywordsField,
  makeDraft,
  requestedWorkspace,
  workspaceField,
} from './record-change.ts';
import { defineTool, type ToolContext } from './tool.ts';

const schema = z.strictObject({
  keywords: keywordsField,
  value: z.string().min(1).max(20_000),
  title: z.string().min(1).max(1000).optional(),
  kind: z.enum(agentKinds).optional(),
  workspace: workspaceField,
});

const draft = (args: z.infer<typeof schema>, context: ToolContext) => {
  const { home, by } = getRunRecords(context);
  const value = { raw: args.value, maxBytes: recordLimits.bodyBytes };
  const title = { raw: args.title ?? '', maxBytes: recordLimits.titleBytes };
  return makeDraft(context, { texts: { value, title }, tags: args.keywords }, ({ text, tags }) => ({
    op: 'add',
    workspace: requestedWorkspace(args, home),
    kind: args.kind ?? 'note',
    by,
    tags,
    title: text('title') || makeTitle(text('value'), recordLimits.titleBytes),
    body: text('value'),
  }));
};

export const recordAdd = defineTool({
  name: 'record_add',
  needs: 'records',
  description: 'Save a note for later runs: a fact about the project, or a constraint.',
  core: true,
  step: undefined,
  schema,
  claims: () => [{ kind: 'note' }],
  problems: async (args, context) => draftProblems(context, draft(args, context)),
  run: async (args, context) => applyDraft(context, draft(args, context)),
});
