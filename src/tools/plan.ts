/** plan: records entry symbols, affected files and scope; the agent may amend it later. */
import * as z from 'zod';
import { aside, defineTool } from './tool.ts';

const names = z.array(z.string().min(1).max(500)).max(100);

export const plan = defineTool({
  name: 'plan',
  description: 'State or amend the plan.',
  core: true,
  step: 'plan',
  schema: z.strictObject({
    entry_symbols: names.min(1),
    affected_files: names.meta(aside('paths the patch may change; none for a question')),
    scope: z.string().min(1).max(2000),
    max_changed_lines: z.int().min(1).max(5000).optional().meta(aside('default 100')),
  }),
  claims: args => [
    {
      kind: 'plan',
      files: args.affected_files,
      maxChangedLines: args.max_changed_lines ?? 100,
    },
  ],
  run: async args => ({
    text:
      args.affected_files.length === 0
        ? 'Plan recorded: no files, so nothing can be changed.'
        : `Plan recorded: ${args.affected_files.length} files, at most ${args.max_changed_lines ?? 100} changed lines.`,
    events: [
      {
        kind: 'planned',
        plan: {
          entrySymbols: args.entry_symbols,
          affectedFiles: args.affected_files,
          scope: args.scope,
          maxChangedLines: args.max_changed_lines ?? 100,
        },
      },
    ],
  }),
});
