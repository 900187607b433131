/** finish: ends the run and delivers the verified patch. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

export const finish = defineTool({
  name: 'finish',
  description: 'End and deliver the verified patch, if any.',
  core: true,
  step: 'finish',
  schema: z.strictObject({
    reason: z.string().min(1).max(2000),
    summary: z
      .string()
      .max(600)
      .optional()
      .describe('For the reviewer: what was wrong, what changed.'),
  }),
  claims: () => [{ kind: 'commit' }],
  run: async ({ summary }, context) => ({
    text: 'The run ends.',
    end:
      context.evidence.patchDigest === ''
        ? { status: 'no_change', code: 'PATCH_EMPTY' }
        : {
            status: 'committed',
            code: 'COMMITTED',
            ...(summary ? { summary: context.scrub(summary) } : {}),
          },
  }),
});
