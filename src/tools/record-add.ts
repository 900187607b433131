/** record_add: adds a long-term note about this repository. */
import * as z from 'zod';
import { makeTitle } from '../memory/note-text.ts';
import { agentKinds, recordLimits } from '../memory/record.ts';
import {
  defineRecordTool,
  getRunRecords,
  keywordsField,
  makeDraft,
  requestedWorkspace,
  workspaceField,
} from './record-change.ts';

export const recordAdd = defineRecordTool({
  name: 'record_add',
  description: 'Save a note for later runs: a fact about the project, or a constraint.',
  schema: z.strictObject({
    keywords: keywordsField,
    value: z.string().min(1).max(20_000),
    title: z.string().min(1).max(1000).optional(),
    kind: z.enum(agentKinds).optional(),
    workspace: workspaceField,
  }),
  draft: (args, context) => {
    const { home, by } = getRunRecords(context);
    const { value, title = '', keywords } = args;
    return makeDraft(context, { texts: { value, title }, keywords }, ({ text, tags }) => ({
      op: 'add',
      workspace: requestedWorkspace(args, home),
      kind: args.kind ?? 'note',
      by,
      tags,
      title: text('title') || makeTitle(text('value'), recordLimits.titleBytes),
      body: text('value'),
    }));
  },
});
