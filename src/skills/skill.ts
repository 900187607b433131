/** One skill as its SKILL.md states it: the Boundary (front matter); the Kernel (body) is read later. */
import type { SkillBudgets, SkillGrant, SkillGuards } from '../guard/skill-grant.ts';

/** A skill that must be active too, at a version in a range; an empty range takes any. */
export interface RequiredSkill {
  readonly name: string;
  readonly range: string;
}

/** What a skill promises, in parts, so that role and plan can be built from it (FPF §1.3). */
export interface SkillInterface {
  /** What whoever carries it out is answerable for. */
  readonly role: string;
  /** What must be given. */
  readonly input: string;
  readonly steps: readonly string[];
  /** What comes out. */
  readonly output: string;
  /** By what its success is judged. */
  readonly success: string;
  /** When it is not to be used, or is to be given up. */
  readonly abstain: string;
}

export interface Skill {
  readonly name: string;
  /** Where it comes from: with Photon, or the repository's trusted ref. */
  readonly origin: 'photon' | 'repository';
  /** Its folder, in the files of its origin. */
  readonly folder: string;
  /** Its SKILL.md as people and messages name it. */
  readonly path: string;
  readonly description: string;
  readonly license: string;
  readonly compatibility: string;
  /** Semantic version; empty when it states none. */
  readonly version: string;
  /** Names as they stand there; no list means none. */
  readonly allowedTools: readonly string[];
  readonly constraints: readonly string[];
  readonly interface: SkillInterface;
  readonly requiredTools: readonly string[];
  readonly requiredSkills: readonly RequiredSkill[];
  readonly guards: SkillGuards;
  readonly budgets: SkillBudgets;
}

/** Address of a file of a skill, as the read tools take it: `photon:<name>/<file>` or `skill:…`. */
export function addressOf(skill: Pick<Skill, 'name' | 'origin'>, file: string): string {
  return `${skill.origin === 'photon' ? 'photon' : 'skill'}:${skill.name}/${file}`;
}

/** What an address names; null when the text is none. Both spellings name a skill by its name. */
export function parseAddress(
  text: string,
): { readonly skill: string; readonly file: string } | null {
  const [, skill, file] = /^(?:photon|skill):([a-z0-9-]{1,64})\/(.+)$/s.exec(text) ?? [];
  return skill === undefined || file === undefined ? null : { skill, file };
}

/** What a skill permits while it is active: those of its tools that exist. */
export function grantOf(skill: Skill, tools: ReadonlySet<string>): SkillGrant {
  const { name, allowedTools, guards, budgets } = skill;
  return { name, tools: allowedTools.filter(t => tools.has(t)), guards, budgets };
}
