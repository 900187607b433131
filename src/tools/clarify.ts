/** clarify: ends the run with one blocking question, for one of three reasons (constitution §9). */
import * as z from 'zod';
import type { Code } from '../codes.ts';
import { defineTool } from './tool.ts';

const reasons = {
  destructive_paths: 'CLARIFY_DESTRUCTIVE',
  unresolved_symbol: 'CLARIFY_UNRESOLVED',
  conflicting_constraints: 'CLARIFY_CONFLICT',
} as const satisfies Record<string, Code>;

export const clarify = defineTool({
  name: 'clarify',
  description: 'End with one blocking question.',
  core: true,
  step: 'abort',
  schema: z.strictObject({
    reason: z.enum(['destructive_paths', 'unresolved_symbol', 'conflicting_constraints']),
    question: z.string().min(1).max(300),
    choices: z.array(z.string().min(1).max(200)).max(5).optional(),
    symbol: z.string().min(1).max(200).optional().describe('the unresolved symbol'),
  }),
  claims: args => [
    {
      kind: 'clarify',
      reason: args.reason,
      choices: new Set(args.choices ?? []).size,
      ...(args.symbol === undefined ? {} : { symbol: args.symbol }),
    },
  ],
  run: async (args, context) => ({
    text: 'The run ends.',
    end: {
      status: 'needs_clarification',
      code: reasons[args.reason],
      statement: context.scrub(args.question),
      choices: args.choices ?? [],
    },
  }),
});
