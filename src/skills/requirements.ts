/** Resolves what skills require: other skills in order and at a version, and tools. */
import type { RequiredSkill, Skill } from './skill.ts';

type Skills = ReadonlyMap<string, Skill>;

/** Skills that cannot be activated, with the reason. */
export async function findUnready(
  skills: readonly Skill[],
  tools: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const satisfies = await openRanges(skills);
  const all: Skills = new Map(skills.map(s => [s.name, s]));
  const unready = new Map<string, string>();
  for (const skill of skills) {
    const lacks = obstacle(skill.name, [], { all, tools, satisfies });
    if (lacks !== undefined) unready.set(skill.name, lacks);
  }
  return unready;
}

/** The skills that a skill requires, then the skill itself, each once. Expects a skill that is ready. */
export function inOrder(name: string, skills: Skills): readonly string[] {
  const order: string[] = [];
  const visit = (each: string) => {
    if (order.includes(each)) return;
    for (const required of skills.get(each)?.requiredSkills ?? []) visit(required.name);
    order.push(each);
  };
  visit(name);
  return order;
}

/** Whether a version is in a range; undefined for a range that cannot be read. */
type Satisfies = (version: string, range: string) => boolean | undefined;

/** Loads `semver`, only when a skill names a version range. */
async function openRanges(skills: readonly Skill[]): Promise<Satisfies> {
  if (!skills.some(s => s.requiredSkills.some(r => r.range !== ''))) return () => true;
  const [{ default: satisfies }, { default: validRange }] = await Promise.all([
    import('semver/functions/satisfies.js'),
    import('semver/ranges/valid.js'),
  ]);
  return (version, range) =>
    range.length > 100 || validRange(range) === null ? undefined : satisfies(version, range);
}

interface RequirementContext {
  readonly all: Skills;
  readonly tools: ReadonlySet<string>;
  readonly satisfies: Satisfies;
}

function obstacle(
  name: string,
  above: readonly string[],
  known: RequirementContext,
): string | undefined {
  const skill = known.all.get(name);
  if (skill === undefined) return `${above.at(-1)} requires ${name}, which is not on the allowlist`;
  if (above.includes(name)) return `skills require each other: ${[...above, name].join(' > ')}`;
  const missing = skill.requiredTools.filter(t => !known.tools.has(t));
  if (missing.length > 0) return `${name} requires tools that do not exist: ${missing.join(', ')}`;
  for (const required of skill.requiredSkills) {
    const lacks =
      wrongVersion(name, required, known) ?? obstacle(required.name, [...above, name], known);
    if (lacks !== undefined) return lacks;
  }
  return undefined;
}

function wrongVersion(
  name: string,
  { name: other, range }: RequiredSkill,
  { all, satisfies }: RequirementContext,
): string | undefined {
  const found = all.get(other);
  if (found === undefined || range === '') return undefined;
  const fits = satisfies(found.version, range);
  if (fits === undefined)
    return `${name} requires ${other}@${range.slice(0, 100)}: expected a version range, such as ^1.2`;
  if (fits) return undefined;
  return `${name} requires ${other}@${range}, but the allowlist has ${found.version || 'one without a version'}`;
}
