/** skill_activate: activates an allowed skill, which grants its tools. */
import * as z from 'zod';
import { formatAddress, normaliseSkillName } from '../skills/skill.ts';
import type { ActivatedSkill } from '../skills/skill-manager.ts';
import { scriptsFolder } from './skill-files.ts';
import { defineTool, makePermitted, type ToolContext } from './tool.ts';

export const skillActivate = defineTool({
  name: 'skill_activate',
  description: 'Activate a skill.',
  core: true,
  step: undefined,
  schema: z.strictObject({ skill_name: z.string().min(1).max(200) }),
  claims: args => [{ kind: 'skill', name: normaliseSkillName(args.skill_name) }],
  run: async ({ skill_name: named }, context) => {
    const name = context.skills.resolveName(normaliseSkillName(named));
    const result = await context.skills.activate(name);
    if (!result.ok) return { text: renderSkillError(result.reason), failed: result.reason };
    const lost = await startServers(context);
    return {
      text: [
        renderSkillSuccess(`Skill activated: ${name}`, context),
        ...result.activated.map(renderActivated),
        ...lost,
      ].join('\n\n'),
      events: [makePermitted(context)],
      whileActive: context.skills.getActivation(name),
    };
  },
});

/** Starts the MCP servers of the tools that are granted now. @returns a line for each tool that cannot be used. */
async function startServers({ mcp, skills }: ToolContext): Promise<readonly string[]> {
  const losses = (await mcp?.start(skills.grantedTools())) ?? [];
  for (const { names } of losses) skills.withdraw(names);
  return losses.map(({ reason }) => `Not available: ${reason}`);
}

/** The answer to a skill call that succeeded. */
export function renderSkillSuccess(message: string, { skills }: ToolContext): string {
  return JSON.stringify({ success: true, message, active_skills: skills.getActiveSkills() });
}

/** The answer to a skill call that failed or was refused. */
export function renderSkillError(error: string): string {
  return JSON.stringify({ success: false, error });
}

/** What the next step needs: the description, the core of the body, and where the rest is. */
function renderActivated(skill: ActivatedSkill): string {
  const { name, origin, prompt, body, file, files, unreadable } = skill;
  const { interfaceGap, unknownTools } = skill;
  const address = formatAddress({ name, origin }, file);
  const scripts = formatAddress({ name, origin }, 'scripts/');
  const runs = files.filter(f => f.startsWith(scripts));
  const reads = files.filter(f => !f.startsWith(scripts));
  const [next] = body.rest;
  const example = { file_path: address, start_line: next?.startLine, end_line: next?.endLine };
  const parts = [
    prompt,
    interfaceGap === '' ? '' : `I${interfaceGap.slice(1)}.`,
    unknownTools === '' ? '' : `It also names ${unknownTools}, which grants nothing.`,
    body.core,
    body.rest.length === 0
      ? ''
      : [
          `More sections. Read one with read_code_block ${JSON.stringify({ requests: [example] })}`,
          ...body.rest.slice(0, maxSections).map(s => `- L${s.startLine}-${s.endLine} ${s.title}`),
        ].join('\n'),
    unreadable.length === 0
      ? ''
      : `Not readable, because of a character in their names: ${unreadable.join(', ')}`,
    reads.length === 0 ? '' : `To read with read_code_block: ${reads.join(', ')}`,
    runs.length === 0
      ? ''
      : `To run with run_command: ${runs.map(f => `${scriptsFolder}/${name}/scripts/${f.slice(scripts.length)}`).join(', ')}`,
  ];
  return parts.filter(p => p !== '').join('\n');
}

/** Most sections that an activation lists. */
const maxSections = 40;
