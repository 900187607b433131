/** Checks that a skill is a complete description of a method: its interface must yield a role and a plan. */
import { isPathClass, pathClassNames } from '../guard/paths.ts';
import { isReadable, listGrantedTools, quoteText, type Skill, unknownTools } from './skill.ts';

/** Who carries out a skill, and on what terms. */
interface RoleAssignment {
  readonly role: string;
  readonly given: string;
  readonly tools: readonly string[];
  readonly withdraws: string;
}

/** The steps in order, and the criterion for success. */
interface WorkPlan {
  readonly steps: readonly { readonly does: string; readonly tools: readonly string[] }[];
  readonly output: string;
  readonly acceptance: string;
}

/** Something that a skill lacks, and why it matters. */
interface Gap {
  /** Key of the front matter, or `kernel`. */
  readonly key: string;
  readonly reason: string;
  /** True when the skill cannot be activated. */
  readonly blocks?: boolean;
}

const gap = (key: string, reason: string, blocks?: boolean): Gap => ({ key, reason, blocks });

export interface SkillCheck {
  readonly name: string;
  readonly path: string;
  /** Null when the interface does not state all of its parts. */
  readonly role: RoleAssignment | undefined;
  readonly plan: WorkPlan | undefined;
  /** Tools that it grants as it is. */
  readonly grants: readonly string[];
  readonly gaps: readonly Gap[];
}

/** How far a skill is: all is stated; it can be activated as it is; or it cannot. */
export function judgeReadiness({
  gaps,
}: Pick<SkillCheck, 'gaps'>): 'complete' | 'usable' | 'unusable' {
  if (gaps.length === 0) return 'complete';
  return gaps.some(g => g.blocks === true) ? 'unusable' : 'usable';
}

interface CheckedSkill {
  readonly skill: Skill;
  /** The body of its SKILL.md. */
  readonly kernel: string;
  /** Its other files, relative to its folder. */
  readonly files: readonly string[];
}

interface ToolTable {
  readonly all: readonly string[];
  /** Tools that need no skill. */
  readonly core: readonly string[];
}

/** Builds role and plan from the interface, and lists what is missing in the skill. */
export function checkSkill(checked: CheckedSkill, tools: ToolTable): SkillCheck {
  const { skill } = checked;
  const missing = missingInterface(skill);
  const steps = skill.interface.steps.map(does => ({ does, tools: toolsIn(does, tools.all) }));
  const planGaps = [...stepGaps(skill, steps, tools)];
  const { role, input, output, success, abstain } = skill.interface;
  const has = (...parts: readonly string[]) =>
    parts.every(part => !missing.some(g => g.key === `photon.interface.${part}`));
  const granted = realTools(skill, tools);
  const isPlanned = has('steps', 'output', 'success') && planGaps.length === 0;
  return {
    name: skill.name,
    path: skill.path,
    role: has('role', 'input', 'abstain')
      ? { role, given: input, tools: granted, withdraws: abstain }
      : undefined,
    plan: isPlanned ? { steps, output, acceptance: success } : undefined,
    grants: granted,
    gaps: [
      ...missing,
      ...planGaps,
      ...toolGaps(skill, tools),
      ...guardGaps(skill, tools),
      ...skill.ignoredKeys.map(key => gap(key, 'Photon does not read this key')),
      ...textGaps(checked),
    ],
  };
}

/** The tools that a skill grants, by Photon's names. */
function realTools(skill: Skill, { all }: ToolTable): readonly string[] {
  return [...new Set(listGrantedTools(skill, new Set(all)).map(t => t.tool))];
}

/** The parts that an interface must state, and what is missing without them. */
const parts = [
  ['role', 'it does not say who is responsible'],
  ['input', 'it does not say what input the skill needs'],
  ['output', 'it does not say what the skill produces'],
  ['success', 'it does not say how to recognise success'],
  ['abstain', 'it does not say when to abstain'],
] as const;

function missingInterface({ interface: about, constraints, version }: Skill): readonly Gap[] {
  const gaps: Gap[] = parts
    .filter(([part]) => about[part].length < 8)
    .map(([part, reason]) => gap(`photon.interface.${part}`, reason));
  if (about.steps.length < 2)
    gaps.push(gap('photon.interface.steps', 'a plan needs at least two steps'));
  if (constraints.length === 0) gaps.push(gap('photon.constraints', 'it states no constraints'));
  if (version === '')
    gaps.push(gap('photon.version', 'without a version, no skill can require one'));
  return gaps;
}

function toolsIn(text: string, all: readonly string[]): readonly string[] {
  return all.filter(tool => new RegExp(`(^|[^\\w-])${tool}($|[^\\w-])`).test(text));
}

/** Each step may use allowed tools only, and each granted tool needs a step. */
function* stepGaps(
  skill: Skill,
  steps: WorkPlan['steps'],
  { all, core }: ToolTable,
): Generator<Gap> {
  const granted = realTools(skill, { all, core });
  const may = new Set([...core, ...granted]);
  for (const [i, step] of steps.entries())
    for (const tool of step.tools.filter(t => !may.has(t)))
      yield gap(
        'photon.interface.steps',
        `step ${i + 1} uses ${tool}, which allowed-tools does not name`,
      );
  const named = new Set(steps.flatMap(s => s.tools));
  const idle = granted.filter(t => !core.includes(t) && !named.has(t));
  if (idle.length > 0 && steps.length > 0)
    yield gap(
      'photon.interface.steps',
      `no step uses ${idle.join(', ')}; remove unneeded tools or add a step`,
    );
}

function* toolGaps(skill: Skill, { all }: ToolTable): Generator<Gap> {
  for (const tool of unknownTools(skill, new Set(all)))
    yield gap(
      'allowed-tools',
      tool.includes('(')
        ? `${tool}: Photon cannot enforce this rule, so it grants nothing; only Bash(words:*) is read`
        : `${tool}: Photon has no tool of that name, so this grants nothing`,
    );
  for (const tool of skill.requiredTools.filter(t => !all.includes(t)))
    yield gap(
      'photon.requires.tools',
      `${tool} is not a tool, so the skill can never be activated`,
      true,
    );
}

function* guardGaps(skill: Skill, tools: ToolTable): Generator<Gap> {
  const { guards } = skill;
  for (const key of ['paths', 'except'] as const)
    for (const pattern of (guards[key] ?? []).filter(p => p.startsWith('@')))
      if (!isPathClass(pattern))
        yield gap(
          `photon.guards.${key}`,
          `${pattern} is not a path class; the classes are ${pathClassNames.join(', ')}`,
        );
  if (Object.keys(guards).length > 0 && !realTools(skill, tools).includes('apply_patch'))
    yield gap('photon.guards', 'guards limit apply_patch, which the skill does not grant');
}

/** The body must explain the work, and each file that it names must exist. */
function* textGaps({ skill, kernel, files }: CheckedSkill): Generator<Gap> {
  if (kernel.length < 80)
    yield gap('kernel', 'the body explains too little about how to do the work');
  if (skill.description.length < 20)
    yield gap('description', 'it does not say when to use the skill');
  const text = [kernel, ...skill.interface.steps, ...skill.constraints].join('\n');
  const named =
    text.match(/\b(?:references|scripts|assets)\/[\p{L}\p{M}\p{N}_./-]*[\p{L}\p{N}_]/gu) ?? [];
  for (const file of new Set(named))
    if (!files.includes(file)) yield gap('kernel', `it names ${file}, which is not in the folder`);
  for (const file of files.filter(f => !isReadable(f)))
    yield gap('folder', `${quoteText(file)} cannot be read, because of a character in its name`);
}
