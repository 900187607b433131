/** abstain: no skill fits, or evidence is missing; nothing is delivered. */
import * as z from 'zod';
import { defineTool, type Room } from './tool.ts';

export const abstain = defineTool({
  name: 'abstain',
  description: 'End without a patch: no skill fits or evidence is missing.',
  core: true,
  step: 'abort',
  schema: z.strictObject({ reason: z.string().min(1).max(1000) }),
  claims: () => [],
  run: async (args, room) => ({
    text: 'The run ends.',
    end: {
      status: 'abstained',
      code: 'ABSTAINED',
      statement: [room.scrub(args.reason), ...whatThereIs(room)].join('\n'),
    },
  }),
});

const mostNames = 20;

/** Whoever used no skill found none that fits; the explanation names those that there are (FPF §1.1). */
function whatThereIs({ evidence, skills }: Room): readonly string[] {
  if (evidence.skillUse.size > 0) return [];
  const names = skills.names();
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return [
    names.length === 0
      ? 'No skill is on the allowlist.'
      : `No skill was used. Available: ${names.slice(0, mostNames).join(', ')}${more}.`,
  ];
}
