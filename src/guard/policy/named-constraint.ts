/** Constraints that a question can name (§9): which are in force, and which refusals show that one is in the way. */
import type { Evidence } from '../evidence.ts';
import type { Constitution, RuleCode } from './constitution.ts';
import type { SkillGrant } from './skill-grant.ts';

/** How a question names a constraint: by a name, or by the digest of a constraint that a skill states. */
export type NamedConstraint =
  | { readonly name: string }
  | { readonly skill: string; readonly quote: string };

/** A constraint in force. */
interface ConstraintInForce {
  /** Two names of one constraint have the same id. */
  readonly id: string;
  /** Entries of `Evidence.refused` that show that it refused a call. */
  readonly refusals: readonly string[];
}

/** Where constraints come from. */
interface InForce {
  readonly evidence: Evidence;
  readonly policy: Constitution;
}

/** Rules that no further evidence satisfies. The others ask for a step that the run can still take. */
const lasting: ReadonlySet<string> = new Set<RuleCode>([
  'READ_LIMIT',
  'READ_UNBOUNDED',
  'PATH_ESCAPE',
  'WRITE_BYPASS',
  'SKILL_NOT_ALLOWED',
  'PATH_PROTECTED',
  'SECRET_IN_PATCH',
  'PATH_FILTERED',
  'TOOL_NOT_PERMITTED',
  'SKILL_REQUIREMENT',
  'SKILL_BUDGET',
  'SKILL_GUARD',
  'VERIFY_MISSING',
]);

/** The code of a verification that asks for a decision between the task and the tests. */
const testsChanged = 'VERIFY_TESTS_CHANGED';

/** The rule that enforces a limit, where a call can breach it. */
const ruleOfLimit: Readonly<Record<string, RuleCode>> = {
  read_lines: 'READ_LIMIT',
  patch_files: 'PLAN_SCOPE',
};

/** Finds a constraint by its name; undefined when nothing of that name is in force. */
export function findConstraint(named: NamedConstraint, c: InForce): ConstraintInForce | undefined {
  const { evidence } = c;
  const { activeSkills } = evidence;
  if ('quote' in named) {
    const stated = activeSkills.find(s => s.name === named.skill)?.constraints ?? [];
    return stated.includes(named.quote)
      ? { id: `${named.skill}: ${named.quote}`, refusals: [] }
      : undefined;
  }
  const { name } = named;
  // the tests as they are are a constraint against the task, once a patch passes only with other ones
  if (evidence.verified?.testsChanged === true) {
    if (name === 'task') return { id: name, refusals: [] };
    if (name === testsChanged) return { id: name, refusals: [testsChanged] };
  }
  if (lasting.has(name)) return { id: name, refusals: [name] };
  const skill = activeSkills.find(s => s.name === name);
  return skill === undefined ? findLimit(name, c) : limitsOfSkill(skill);
}

function findLimit(name: string, { evidence, policy }: InForce): ConstraintInForce | undefined {
  if (name === 'approved_plan' && evidence.approved !== undefined)
    return { id: name, refusals: ['PLAN_SCOPE'] };
  if (name === 'within' && evidence.within !== undefined)
    return { id: name, refusals: ['PLAN_SCOPE'] };
  if (Object.hasOwn(policy.limits, name)) {
    const rule = ruleOfLimit[name];
    return { id: rule ?? name, refusals: rule === undefined ? [] : [rule] };
  }
  return policy.protectedPaths.includes(name)
    ? { id: 'PATH_PROTECTED', refusals: ['PATH_PROTECTED'] }
    : undefined;
}

function limitsOfSkill({ name, guards, budgets }: SkillGrant): ConstraintInForce | undefined {
  const some = Object.keys(guards).length + Object.keys(budgets).length > 0;
  return some ? { id: name, refusals: [`SKILL_GUARD ${name}`, `SKILL_BUDGET ${name}`] } : undefined;
}
