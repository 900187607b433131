/** Defines a skill as the front matter of its SKILL.md states it; the body is read on activation. */

import type { SkillBudgets, SkillGrant, SkillGuards } from '../guard/skill-grant.ts';
import { digest } from '../ledger/ledger.ts';

/** A skill that must also be active; an empty range allows any version. */
export interface RequiredSkill {
  readonly name: string;
  readonly range: string;
}

/** The contract of a skill, from which a role and a plan can be built. */
export interface SkillInterface {
  /** Who does the work, and what they are responsible for. */
  readonly role: string;
  /** What the skill needs. */
  readonly input: string;
  readonly steps: readonly string[];
  /** What the skill produces. */
  readonly output: string;
  /** How success is judged. */
  readonly success: string;
  /** When not to use the skill, or when to give up. */
  readonly abstain: string;
}

export interface Skill {
  readonly name: string;
  /** Whether the skill ships with Photon or is in the trusted ref of the repository. */
  readonly origin: 'photon' | 'repository';
  /** Its folder, relative to the files of its origin. */
  readonly folder: string;
  /** Path of its SKILL.md, as messages show it. */
  readonly path: string;
  readonly description: string;
  readonly license: string;
  readonly compatibility: string;
  /** Semantic version; empty when it states none. */
  readonly version: string;
  /** Tool names as written; empty without a list. */
  readonly allowedTools: readonly string[];
  readonly constraints: readonly string[];
  readonly interface: SkillInterface;
  readonly requiredTools: readonly string[];
  readonly requiredSkills: readonly RequiredSkill[];
  readonly guards: SkillGuards;
  readonly budgets: SkillBudgets;
}

/** Address of a skill file for the read tools: `photon:<name>/<file>` or `skill:<name>/<file>`. */
export function addressOf(skill: Pick<Skill, 'name' | 'origin'>, file: string): string {
  return `${skill.origin === 'photon' ? 'photon' : 'skill'}:${skill.name}/${file}`;
}

/** Parses the address of a skill file; null when the text is not an address. Ignores the prefix. */
export function parseAddress(
  text: string,
): { readonly skill: string; readonly file: string } | null {
  const [, skill, file] = /^(?:photon|skill):([a-z0-9-]{1,64})\/(.+)$/s.exec(text) ?? [];
  return skill === undefined || file === undefined ? null : { skill, file };
}

/** What a skill permits while it is active: its tools that exist, its guards and budgets. */
export function grantOf(skill: Skill, tools: ReadonlySet<string>): SkillGrant {
  const { name, allowedTools, guards, budgets, constraints } = skill;
  return {
    name,
    tools: allowedTools.filter(t => tools.has(t)),
    guards,
    budgets,
    ...(constraints.length === 0 ? {} : { constraints: constraints.map(constraintDigest) }),
  };
}

/** The digest by which a question quotes a constraint of a skill; spaces and a final full stop do not count. */
export function constraintDigest(text: string): string {
  return digest(text.replace(/\s+/g, ' ').trim().replace(/\.$/, ''));
}
