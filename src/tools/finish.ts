/** finish: ends the run, and delivers the verified patch or the answer. */
import * as z from 'zod';
import type { Claim } from '../guard/claim.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';

/** Maximum characters of an answer. */
const maxAnswer = 8000;

const schema = z.strictObject({
  reason: z.string().max(2000).optional(),
  summary: z
    .string()
    .max(600)
    .optional()
    .describe('of a patch, for its reviewer: what was wrong, what changed'),
  answer: z.string().max(maxAnswer).optional().describe('Markdown, for a question'),
});

type Args = z.infer<typeof schema>;

const spec = {
  name: 'finish',
  description: 'End: verify and deliver the patch, or give the answer.',
  core: true,
  step: 'finish',
  claims: ({ answer = '' }: Args): Claim[] => [
    { kind: 'commit', answers: answer.trim() !== '' || undefined },
  ],
  problems: async (args: Args) =>
    Object.values(args).join('').trim() === '' ? ['/reason: is missing'] : [],
  run: async (args: Args, context: ToolContext): Promise<ToolResult> => {
    const tell = (text = '') => context.scrub(text.trim()) || undefined;
    const [reason, summary, answer] = [tell(args.reason), tell(args.summary), tell(args.answer)];
    const text = 'The run ends.';
    // of a patch, the reason stays in the log
    if (context.evidence.patchDigest !== '')
      return { text, end: { status: 'committed', code: 'COMMITTED', summary: summary ?? answer } };
    return {
      text,
      end:
        answer === undefined
          ? { status: 'no_change', code: 'PATCH_EMPTY', statement: reason ?? summary }
          : { status: 'answered', code: 'TASK_ANSWERED', answer },
    };
  },
} as const;

export const finish = defineTool({ ...spec, schema });

/** The same where the task asks for an answer. */
export const answerTool = defineTool({
  ...spec,
  schema: schema.extend({ answer: z.string().trim().min(1).max(maxAnswer).describe('Markdown') }),
});
