/** abstain: ends the run without a delivery, because no skill fits or evidence is missing. */
import * as z from 'zod';
import { listFirst } from '../base/plural.ts';
import { defineTool, type ToolContext } from './tool.ts';

export const abstain = defineTool({
  name: 'abstain',
  description: 'End without a patch.',
  core: true,
  step: 'abort',
  schema: z.strictObject({ reason: z.string().min(1).max(1000) }),
  claims: () => [],
  run: async (args, context) => ({
    text: 'The run ends.',
    end: {
      status: 'abstained',
      code: 'ABSTAINED',
      statement: [context.scrub(args.reason), ...whenUnused(context)].join('\n'),
    },
  }),
});

const maxNames = 20;

/** When no skill was used, the explanation lists the skills that were available. */
function whenUnused({ evidence, skills }: ToolContext): readonly string[] {
  return evidence.skillUse.size > 0 ? [] : [availableSkills(skills.names())];
}

/** A sentence on the skills of a run that used none. */
export function availableSkills(names: readonly string[]): string {
  return names.length === 0
    ? 'No skill is on the allowlist.'
    : `No skill was used. Available: ${listFirst(names, String, { most: maxNames })}.`;
}
