/** record_update: new words for a record, by who has seen its version (SPEC §8). */
import * as z from 'zod';
import { recordLimits } from '../memory/record.ts';
import {
  draftOf,
  keyField,
  keywordsField,
  notebookOf,
  problemsOf,
  takeDown,
  workspaceField,
  workspaceOf,
} from './record-change.ts';
import { defineTool, type Room } from './tool.ts';

const schema = z.strictObject({
  key: keyField,
  version: z.int().min(1).describe('version you saw'),
  value: z.string().min(1).max(20_000),
  title: z.string().min(1).max(1000).optional(),
  keywords: keywordsField.optional(),
  workspace: workspaceField,
});

const draft = (args: z.infer<typeof schema>, room: Room) => {
  const { home, by } = notebookOf(room);
  const value = { raw: args.value, maxBytes: recordLimits.bodyBytes };
  const title = { raw: args.title ?? '', maxBytes: recordLimits.titleBytes };
  return draftOf(room, { texts: { value, title }, tags: args.keywords }, ({ text, tags }) => ({
    ...{ op: 'update', workspace: workspaceOf(args, home), id: args.key, seen: args.version, by },
    body: text('value'),
    ...(args.title === undefined ? {} : { title: text('title') }),
    ...(args.keywords === undefined ? {} : { tags }),
  }));
};

export const recordUpdate = defineTool({
  name: 'record_update',
  needs: 'records',
  description: 'Rewrite a record.',
  core: true,
  step: null,
  schema,
  claims: () => [],
  problems: async (args, room) => problemsOf(room, draft(args, room)),
  run: async (args, room) => takeDown(room, draft(args, room)),
});
