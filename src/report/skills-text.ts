/** Renders skills and what they lack, for the terminal. */
import type { SkillCheck } from '../skills/check-skill.ts';
import type { Skill } from '../skills/skill.ts';
import { boundsOf } from '../skills/skill-prompt.ts';

/** The allowed skills: name, version, tools and path, and why one cannot be activated. */
export function renderSkills(
  skills: readonly Skill[],
  unready: ReadonlyMap<string, string>,
): string {
  return skills.map(skill => renderSkill(skill, unready.get(skill.name))).join('');
}

function renderSkill(skill: Skill, lacks: string | undefined): string {
  const { name, version, path, description, allowedTools } = skill;
  const bounds = boundsOf(skill);
  return [
    `${name} ${version || '(no version)'}  ${path}`,
    `  ${description}`,
    `  tools: ${allowedTools.join(', ') || 'none'}`,
    ...(bounds.length === 0 ? [] : [`  enforced: ${bounds.join('; ')}`]),
    ...(lacks === undefined ? [] : [`  CANNOT BE ACTIVATED: ${lacks}`]),
    '',
  ].join('\n');
}

/** The result of each check. */
export function renderSkillChecks(checks: readonly SkillCheck[]): string {
  return checks.map(renderCheck).join('');
}

function renderCheck({ name, path, role, plan, gaps }: SkillCheck): string {
  const built = [
    `role ${role === null ? 'cannot be built' : 'can be built'}`,
    `plan ${plan === null ? 'cannot be built' : `of ${plan.steps.length} steps can be built`}`,
  ].join(', ');
  return [
    `${gaps.length === 0 ? 'complete  ' : 'INCOMPLETE'} ${name}  ${path}`,
    `  from the interface alone: ${built}`,
    ...gaps.map(g => `  ${g.key}: ${g.reason}`),
    '',
  ].join('\n');
}
