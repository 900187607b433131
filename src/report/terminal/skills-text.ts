/** Renders skills and what they lack, for the terminal. */
import { joinDefined } from '../../base/plural.ts';
import type { Adoption } from '../../skills/adopt.ts';
import { judgeReadiness, type SkillCheck } from '../../skills/check-skill.ts';
import { isKnowledgeOnly, type Skill } from '../../skills/skill.ts';
import { describeBounds } from '../../skills/skill-prompt.ts';

/** The allowed skills: name, version, tools and path, and why one cannot be activated. */
export function renderSkills(
  skills: readonly Skill[],
  unready: ReadonlyMap<string, string>,
): string {
  return skills.map(skill => renderSkill(skill, unready.get(skill.name))).join('');
}

/** Of a skill that names no tools. */
const knowledge = 'none, it is knowledge only (photon skills adopt shows what it lacks)';

function renderSkill(skill: Skill, lacks: string | undefined): string {
  const { name, version, path, description, allowedTools } = skill;
  const bounds = describeBounds(skill);
  return joinDefined([
    `${name} ${version || '(no version)'}  ${path}`,
    `  ${description}`,
    `  tools: ${isKnowledgeOnly(skill) ? knowledge : allowedTools.join(', ')}`,
    bounds.length > 0 && `  enforced: ${bounds.join('; ')}`,
    lacks !== undefined && `  CANNOT BE ACTIVATED: ${lacks}`,
    '',
  ]);
}

/** What became of each skill, and how many there are of each kind. `written`: the files have the new keys. */
export function renderAdoptions(adoptions: readonly Adoption[], written: boolean): string {
  const done = written ? 'adopted' : 'can be adopted';
  const heads = { usable: 'usable as it is', adopted: done, refused: 'NOT USABLE' } as const;
  const rows = adoptions.map(a => {
    const head = `${heads[a.kind]}: ${a.name}  ${a.path}`;
    if (a.kind === 'refused') return [head, `  ${a.reason.replaceAll('\n', '; ')}`].join('\n');
    const mapped = a.mapped.map(m => (m.entry === m.tool ? m.tool : `${m.entry} is ${m.tool}`));
    return joinDefined([
      head,
      `  grants: ${mapped.join(', ')}`,
      a.unmapped.length > 0 && `  grants nothing: ${a.unmapped.join(', ')}`,
      ...a.notes.map(note => `  review: ${note}`),
    ]);
  });
  const count = (kind: Adoption['kind']) => adoptions.filter(a => a.kind === kind).length;
  const total = `${count('usable')} usable as they are, ${count('adopted')} ${done}, ${count('refused')} not usable`;
  const next =
    written || count('adopted') === 0 ? [] : ['Nothing was written. To write it, add --write.'];
  return `${[...rows, total, ...next].join('\n')}\n`;
}

/** The result of each check, and how many skills are complete, usable and unusable. */
export function renderSkillChecks(checks: readonly SkillCheck[]): string {
  const count = (wanted: string) => checks.filter(c => judgeReadiness(c) === wanted).length;
  const total = `${count('complete')} complete, ${count('usable')} usable as they are, ${count('unusable')} not usable\n`;
  return joinDefined([...checks.map(renderCheck), checks.length > 1 ? total : undefined], '');
}

const heads = { complete: 'complete', usable: 'usable  ', unusable: 'UNUSABLE' } as const;

function renderCheck(check: SkillCheck): string {
  const { name, path, role, plan, grants, gaps } = check;
  const readiness = judgeReadiness(check);
  const built = [
    `role ${role === undefined ? 'cannot be built' : 'can be built'}`,
    `plan ${plan === undefined ? 'cannot be built' : `of ${plan.steps.length} steps can be built`}`,
  ].join(', ');
  const tools = grants.length === 0 ? 'grants no tool' : `grants ${grants.join(', ')}`;
  const missing = gaps.map(g => `  ${g.key}: ${g.reason}`);
  return joinDefined([
    `${heads[readiness]} ${name}  ${path}`,
    readiness === 'unusable' ? undefined : `  as it is: ${tools}`,
    `  from the interface alone: ${built}`,
    readiness === 'usable' ? ['  to be complete, it lacks:', ...missing] : missing,
    '',
  ]);
}
