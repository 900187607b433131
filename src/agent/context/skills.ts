/** The skills of a run, ranked to its task. */
import { findUnready } from '../../skills/requirements.ts';
import { SkillManager } from '../../skills/skill-manager.ts';
import type { SkillMessages } from '../../skills/skill-prompt.ts';
import { tools as allTools } from '../../tools/index.ts';
import type { Policy } from './policy.ts';
import { fill } from './profile.ts';

/** Names of all tools. */
export const toolNames: readonly string[] = allTools.map(t => t.name);

/** Tools that need no skill. */
export const coreTools: readonly string[] = allTools.filter(t => t.core).map(t => t.name);

/** The profile's texts about skills. */
export function skillMessages({ templates }: Pick<Policy['profile'], 'templates'>): SkillMessages {
  return (name, values) => fill(templates, name, values as never);
}

/**
 * The skills that the policy allows, ranked by the text of a task. A skill that was left out cannot be
 * activated, except where another skill of its name was loaded.
 */
export async function openSkills(
  {
    skills,
    skillSource,
    profile,
    leftOutSkills,
  }: Pick<Policy, 'skills' | 'skillSource' | 'profile' | 'leftOutSkills'>,
  { task, tools }: { readonly task: string; readonly tools: readonly string[] },
): Promise<SkillManager> {
  const loaded = new Set(skills.map(s => s.name));
  const leftOut = [...leftOutSkills].filter(([name]) => !loaded.has(name));
  const unready = new Map([...leftOut, ...(await findUnready(skills, new Set(tools)))]);
  const messages = skillMessages(profile);
  return new SkillManager({ skills, unready, source: skillSource, tools, task, messages });
}
