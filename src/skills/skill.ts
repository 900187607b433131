/** Defines a skill as the front matter of its SKILL.md states it; the body is read on activation. */
import { PhotonError } from '../base/codes.ts';
import { digest } from '../base/digest.ts';
import { hiddenCharactersIn } from '../guard/content/hidden-characters.ts';
import { normalisePath } from '../guard/paths.ts';
import type { SkillBudgets, SkillGrant, SkillGuards } from '../guard/policy/skill-grant.ts';
import { type AllowedTool, readAllowedTool } from './tool-aliases.ts';

/** A skill that must also be active; an empty range allows any version. */
export interface RequiredSkill {
  readonly name: string;
  readonly range: string;
}

/** The contract of a skill, from which a role and a plan can be built. */
export interface SkillInterface {
  /** Who does the work, and what they are responsible for. */
  readonly role: string;
  readonly input: string;
  readonly steps: readonly string[];
  readonly output: string;
  readonly success: string;
  /** When not to use the skill, or when to give up. */
  readonly abstain: string;
}

export interface Skill {
  readonly name: string;
  /** How another system names it; empty if it states no id. A skill is activated by either. */
  readonly id: string;
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
  /** What its author wrote otherwise than the format has it, and how Photon reads it; a phrase each. */
  readonly deviations: readonly string[];
  /** Keys of the front matter that Photon does not read. */
  readonly ignoredKeys: readonly string[];
  readonly constraints: readonly string[];
  readonly interface: SkillInterface;
  /** By Photon's names. */
  readonly requiredTools: readonly string[];
  readonly requiredSkills: readonly RequiredSkill[];
  readonly guards: SkillGuards;
  readonly budgets: SkillBudgets;
}

/** Maximum characters of the name of a skill. */
export const maxSkillName = 64;

/** The form in which names of skills are compared: one text has one form (NFKC). */
export function normaliseSkillName(text: string): string {
  return text.trim().normalize('NFKC');
}

/** True for lower-case words of any script, joined by `-` or `_`: what the Agent Skills format accepts, and `_`. */
export function isSkillName(text: string): boolean {
  return /^[\p{L}\p{N}]+([-_][\p{L}\p{N}]+)*$/u.test(text) && text === text.toLowerCase();
}

export type SkillLocation = Pick<Skill, 'origin' | 'folder' | 'path'>;

/** The path of its SKILL.md among the files of its origin. */
export function getSkillFile({ folder, path }: SkillLocation): string {
  return `${folder}/${path.slice(path.lastIndexOf('/') + 1)}`;
}

/** The error for a SKILL.md that cannot be used; one line per problem. */
export function invalid(...problems: readonly string[]): PhotonError {
  return new PhotonError('SKILL_INVALID', problems.join('\n'));
}

/** Address of a skill file for the read tools: `photon:<name>/<file>` or `skill:<name>/<file>`. */
export function formatAddress(skill: Pick<Skill, 'name' | 'origin'>, file: string): string {
  return `${skill.origin === 'photon' ? 'photon' : 'skill'}:${skill.name}/${file}`;
}

/** True for a file that an address can name: the others have a character in their path that no call may hold. */
export function isReadable(file: string): boolean {
  return normalisePath(file) === file && hiddenCharactersIn(file).length === 0;
}

/** A text in quotes, with escapes for every character outside printable ASCII. */
export function quoteText(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Parses the address of a skill file; undefined when the text is not an address. Ignores the prefix. */
export function parseAddress(
  text: string,
): { readonly skill: string; readonly file: string } | undefined {
  const [, skill, file] = /^(?:photon|skill):([\p{L}\p{M}\p{N}_-]{1,64})\/(.+)$/su.exec(text) ?? [];
  return skill === undefined || file === undefined
    ? undefined
    : { skill: normaliseSkillName(skill), file };
}

/** True for a skill that names no tools: it may be activated and read, and grants nothing. */
export function isKnowledgeOnly({ allowedTools }: Pick<Skill, 'allowedTools'>): boolean {
  return allowedTools.length === 0;
}

/** What the interface lacks, as a phrase; empty when it states all of its parts. */
export function interfaceGap({ interface: about }: Pick<Skill, 'interface'>): string {
  const parts = Object.entries(about);
  const missing = parts.filter(([, text]) => text.length === 0).map(([part]) => part);
  if (missing.length === parts.length)
    return 'it has no interface, so role and plan are what its text says; the tools that it names are granted';
  return missing.length === 0 ? '' : `its interface does not state ${missing.join(', ')}`;
}

/** The tools that a skill grants: those of its list that exist. */
export function listGrantedTools(skill: Skill, tools: ReadonlySet<string>): readonly AllowedTool[] {
  return skill.allowedTools.flatMap(entry => readAllowedTool(entry, tools) ?? []);
}

export function unknownTools(
  { allowedTools }: Pick<Skill, 'allowedTools'>,
  tools: ReadonlySet<string>,
): readonly string[] {
  return allowedTools.filter(entry => readAllowedTool(entry, tools) === undefined);
}

/** What a skill permits while it is active: its tools that exist, its guards and budgets. */
export function buildGrant(skill: Skill, tools: ReadonlySet<string>): SkillGrant {
  const { name, guards, budgets, constraints } = skill;
  const allowed = listGrantedTools(skill, tools);
  const commands = allowed.filter(a => a.tool === 'run_command').map(a => a.prefix);
  const limited = commands.filter(c => c !== undefined);
  return {
    name,
    tools: [...new Set(allowed.map(a => a.tool))],
    commands: commands.length > 0 && limited.length === commands.length ? limited : undefined,
    guards,
    budgets,
    constraints: constraints.length === 0 ? undefined : constraints.map(constraintDigest),
  };
}

/** The digest by which a question quotes a constraint of a skill; spaces and a final full stop do not count. */
export function constraintDigest(text: string): string {
  return digest(text.replace(/\s+/g, ' ').trim().replace(/\.$/, ''));
}
