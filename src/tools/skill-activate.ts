/** skill_activate: activates an allowed skill, which grants its tools. */
import * as z from 'zod';
import { addressOf } from '../skills/skill.ts';
import type { ActivatedSkill } from '../skills/skill-manager.ts';
import { boundedText, scriptsFolder } from './skill-files.ts';
import { defineTool, permitted, type ToolContext } from './tool.ts';

export const skillActivate = defineTool({
  name: 'skill_activate',
  description: 'Activate a skill; it grants its tools.',
  core: true,
  step: null,
  schema: z.strictObject({ skill_name: z.string().min(1).max(200) }),
  claims: args => [{ kind: 'skill', name: args.skill_name }],
  run: async (args, context) => {
    const result = await context.skills.activate(args.skill_name);
    if (!result.ok) return { text: result.reason, failed: result.reason };
    const active = `Active: ${context.skills.getActiveSkills().join(', ')}.`;
    return {
      text: [active, ...result.activated.map(s => renderActivated(s, context))].join('\n\n'),
      events: [permitted(context)],
      whileActive: args.skill_name,
    };
  },
});

/** The body of a skill, and the other files in its folder. */
function renderActivated(
  { name, origin, kernel, files }: ActivatedSkill,
  context: ToolContext,
): string {
  const rest = `the rest is in ${addressOf({ name, origin }, 'SKILL.md')}`;
  const scripts = addressOf({ name, origin }, 'scripts/');
  const runs = files.filter(f => f.startsWith(scripts));
  const reads = files.filter(f => !f.startsWith(scripts));
  return [
    ...(kernel === '' ? [] : [boundedText(kernel, context.policy.limits.output_bytes, rest)]),
    ...(reads.length === 0 ? [] : [`To read with read_code_block: ${reads.join(', ')}`]),
    ...(runs.length === 0
      ? []
      : [
          `To run with run_command: ${runs.map(f => `${scriptsFolder}/${name}/scripts/${f.slice(scripts.length)}`).join(', ')}`,
        ]),
  ].join('\n');
}
