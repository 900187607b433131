/** record_add: a long-term note of this repository (SPEC §8). */
import * as z from 'zod';
import { titleOf } from '../memory/note-text.ts';
import { agentKinds, recordLimits } from '../memory/record.ts';
import {
  draftOf,
  keywordsField,
  notebookOf,
  problemsOf,
  takeDown,
  workspaceField,
  workspaceOf,
} from './record-change.ts';
import { defineTool, type Room } from './tool.ts';

const schema = z.strictObject({
  keywords: keywordsField,
  value: z.string().min(1).max(20_000),
  title: z.string().min(1).max(1000).optional(),
  kind: z.enum(agentKinds).optional(),
  workspace: workspaceField,
});

const draft = (args: z.infer<typeof schema>, room: Room) => {
  const { home, by } = notebookOf(room);
  const value = { raw: args.value, maxBytes: recordLimits.bodyBytes };
  const title = { raw: args.title ?? '', maxBytes: recordLimits.titleBytes };
  return draftOf(room, { texts: { value, title }, tags: args.keywords }, ({ text, tags }) => ({
    ...{ op: 'add', workspace: workspaceOf(args, home), kind: args.kind ?? 'note', by, tags },
    title: text('title') || titleOf(text('value'), recordLimits.titleBytes),
    body: text('value'),
  }));
};

export const recordAdd = defineTool({
  name: 'record_add',
  needs: 'records',
  description: 'Note for later runs: a fact or constraint of this project.',
  core: true,
  step: null,
  schema,
  claims: () => [],
  problems: async (args, room) => problemsOf(room, draft(args, room)),
  run: async (args, room) => takeDown(room, draft(args, room)),
});
