/** finish: ends the run, and delivers the verified patch or the answer. */
import * as z from 'zod';
import { aside, defineTool, type EndRequest } from './tool.ts';

/** Maximum characters of an answer. */
const maxAnswer = 8000;

export const finish = defineTool({
  name: 'finish',
  description: 'End: verify and deliver the patch, or give the answer.',
  core: true,
  step: 'finish',
  schema: z.strictObject({
    reason: z.string().min(1).max(2000),
    summary: z
      .string()
      .max(600)
      .optional()
      .meta(aside('for the reviewer: what was wrong, what changed')),
    answer: z.string().max(maxAnswer).optional().describe('Markdown, for a question'),
  }),
  claims: ({ answer = '' }) => [{ kind: 'commit', answers: answer.trim() !== '' || undefined }],
  run: async (args, context) => {
    const summary = context.scrub(args.summary?.trim() ?? '');
    const answer = context.scrub(args.answer?.trim() ?? '');
    const patched = context.evidence.patchDigest !== '';
    return {
      text: 'The run ends.',
      end: patched
        ? endCommitted(summary || answer)
        : endUnchanged(answer, context.scrub(args.reason.trim())),
    };
  },
});

function endCommitted(summary: string): EndRequest {
  return { status: 'committed', code: 'COMMITTED', summary: summary === '' ? undefined : summary };
}

/** Without a patch and an answer, the reason is all that a person gets to read. */
function endUnchanged(answer: string, reason: string): EndRequest {
  return answer === ''
    ? { status: 'no_change', code: 'PATCH_EMPTY', statement: reason }
    : { status: 'answered', code: 'TASK_ANSWERED', answer };
}
