/** Is a skill a complete method description: can role and plan be built from its interface alone (FPF §1.3)? Pure. */
import { pathClasses } from '../guard/path-classes.ts';
import type { Skill } from './skill.ts';

/** Who carries a skill out, on what terms. */
export interface RoleAssignment {
  readonly role: string;
  readonly given: string;
  readonly tools: readonly string[];
  readonly withdraws: string;
}

/** What is done, in order, and by what it is judged. */
export interface WorkPlan {
  readonly steps: readonly { readonly does: string; readonly tools: readonly string[] }[];
  readonly output: string;
  readonly acceptance: string;
}

/** Something that a skill lacks, and why it matters. */
export interface Gap {
  /** Key of the front matter, or `kernel`. */
  readonly key: string;
  readonly reason: string;
}

export interface SkillCheck {
  readonly name: string;
  readonly path: string;
  /** Null when it cannot be built from the interface. */
  readonly role: RoleAssignment | null;
  readonly plan: WorkPlan | null;
  readonly gaps: readonly Gap[];
}

export interface CheckedSkill {
  readonly skill: Skill;
  /** The body of its SKILL.md. */
  readonly kernel: string;
  /** Its other files, relative to its folder. */
  readonly files: readonly string[];
}

export interface ToolTable {
  readonly all: readonly string[];
  /** Those that need no skill. */
  readonly core: readonly string[];
}

/** Builds role and plan from the interface, and says what is missing for them and for the rest. */
export function checkSkill(checked: CheckedSkill, tools: ToolTable): SkillCheck {
  const { skill } = checked;
  const missing = missingParts(skill);
  const steps = skill.interface.steps.map(does => ({ does, tools: toolsIn(does, tools.all) }));
  const planGaps = [...stepGaps(skill, steps, tools)];
  const { role, input, output, success, abstain } = skill.interface;
  const has = (...parts: readonly string[]) =>
    parts.every(part => !missing.some(g => g.key === part));
  const granted = skill.allowedTools.filter(t => tools.all.includes(t));
  return {
    name: skill.name,
    path: skill.path,
    role: has('photon.interface.role', 'photon.interface.input', 'photon.interface.abstain')
      ? { role, given: input, tools: granted, withdraws: abstain }
      : null,
    plan:
      has('photon.interface.steps', 'photon.interface.output', 'photon.interface.success') &&
      planGaps.length === 0
        ? { steps, output, acceptance: success }
        : null,
    gaps: [
      ...missing,
      ...planGaps,
      ...toolGaps(skill, tools),
      ...guardGaps(skill),
      ...textGaps(checked),
    ],
  };
}

/** Each part that an interface must state, and why. */
const parts = [
  ['role', 'nobody can be made answerable without it'],
  ['input', 'it does not say what must be given before it can begin'],
  ['output', 'it does not say what comes out'],
  ['success', 'nobody could tell whether it succeeded'],
  ['abstain', 'it does not say when to leave it'],
] as const;

function missingParts({ interface: about, constraints, version }: Skill): readonly Gap[] {
  const gaps: Gap[] = parts
    .filter(([part]) => about[part].length < 8)
    .map(([part, reason]) => ({ key: `photon.interface.${part}`, reason }));
  if (about.steps.length < 2)
    gaps.push({
      key: 'photon.interface.steps',
      reason: 'a plan needs at least two steps in their order',
    });
  if (constraints.length === 0)
    gaps.push({ key: 'photon.constraints', reason: 'it states nothing that must hold meanwhile' });
  if (version === '')
    gaps.push({ key: 'photon.version', reason: 'no skill could require a version of it' });
  return gaps;
}

function toolsIn(text: string, all: readonly string[]): readonly string[] {
  return all.filter(tool => new RegExp(`(^|[^\\w-])${tool}($|[^\\w-])`).test(text));
}

/** A plan can be carried out when each tool it names may be used, and each granted one has a step. */
function* stepGaps(
  skill: Skill,
  steps: WorkPlan['steps'],
  { all, core }: ToolTable,
): Generator<Gap> {
  const may = new Set([...core, ...skill.allowedTools]);
  for (const [i, step] of steps.entries())
    for (const tool of step.tools.filter(t => !may.has(t)))
      yield {
        key: 'photon.interface.steps',
        reason: `step ${i + 1} uses ${tool}, which allowed-tools does not name`,
      };
  const named = new Set(steps.flatMap(s => s.tools));
  const idle = skill.allowedTools.filter(
    t => all.includes(t) && !core.includes(t) && !named.has(t),
  );
  if (idle.length > 0 && steps.length > 0)
    yield {
      key: 'photon.interface.steps',
      reason: `no step uses ${idle.join(', ')}; what is granted must be needed`,
    };
}

function* toolGaps(skill: Skill, { all }: ToolTable): Generator<Gap> {
  for (const tool of skill.allowedTools.filter(t => !all.includes(t)))
    yield {
      key: 'allowed-tools',
      reason: tool.includes('(')
        ? `${tool}: Photon enforces no rule in parentheses, so this grants nothing`
        : `${tool}: Photon has no tool of that name, so this grants nothing`,
    };
  for (const tool of skill.requiredTools.filter(t => !all.includes(t)))
    yield {
      key: 'photon.requires.tools',
      reason: `${tool} is no tool, so it can never be activated`,
    };
}

function* guardGaps({ guards, allowedTools }: Skill): Generator<Gap> {
  for (const key of ['paths', 'except'] as const)
    for (const pattern of (guards[key] ?? []).filter(p => p.startsWith('@')))
      if (!Object.hasOwn(pathClasses, pattern))
        yield {
          key: `photon.guards.${key}`,
          reason: `${pattern} is no class of paths; there are ${Object.keys(pathClasses).join(', ')}`,
        };
  if (Object.keys(guards).length > 0 && !allowedTools.includes('apply_patch'))
    yield { key: 'photon.guards', reason: 'guards bound apply_patch, which it does not grant' };
}

/** The kernel is there, and each file of the skill that it names too. */
function* textGaps({ skill, kernel, files }: CheckedSkill): Generator<Gap> {
  if (kernel.length < 80)
    yield { key: 'kernel', reason: 'the body says too little of how the work is done' };
  if (skill.description.length < 20)
    yield { key: 'description', reason: 'it does not tell when the skill is the right one' };
  const text = [kernel, ...skill.interface.steps, ...skill.constraints].join('\n');
  const named = text.match(/\b(?:references|scripts|assets)\/[\w./-]*\w/g) ?? [];
  for (const file of new Set(named))
    if (!files.includes(file))
      yield { key: 'kernel', reason: `it names ${file}, which is not in the folder` };
}
