/** finish: the work is done; what was verified is committed. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

export const finish = defineTool({
  name: 'finish',
  description: 'End: deliver the verified patch, or say that nothing needs changing.',
  core: true,
  step: 'finish',
  schema: z.strictObject({
    reason: z.string().min(1).max(2000),
    summary: z
      .string()
      .min(1)
      .max(600)
      .optional()
      .describe(
        'For the reviewer, two or three plain sentences: what was wrong and what changed. No links, no lists.',
      ),
  }),
  claims: () => [{ kind: 'commit' }],
  run: async ({ summary }, room) => ({
    text: 'The run ends.',
    end:
      room.evidence.patchDigest === ''
        ? { status: 'no_change', code: 'PATCH_EMPTY' }
        : {
            ...{ status: 'committed', code: 'COMMITTED' },
            ...(summary === undefined ? {} : { summary: room.scrub(summary) }),
          },
  }),
});
