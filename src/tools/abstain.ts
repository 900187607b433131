/** abstain: no skill fits, or evidence is missing; nothing is delivered. */
import * as z from 'zod';
import { defineTool } from './tool.ts';

export const abstain = defineTool({
  name: 'abstain',
  description: 'End without a patch: no skill fits or evidence is missing.',
  core: true,
  step: 'abort',
  schema: z.strictObject({ reason: z.string().min(1).max(1000) }),
  claims: () => [],
  run: async args => ({
    text: 'The run ends.',
    end: { status: 'abstained', code: 'ABSTAINED', statement: args.reason },
  }),
});
