/** Manages the allowed and the active skills of a run, and their prompts. */
import { PhotonError } from '../base/codes.ts';
import { normalisePath } from '../guard/paths.ts';
import type { SkillGrant } from '../guard/policy/skill-grant.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import { describeUnknown, type SkillSource } from './load.ts';
import { inOrder } from './requirements.ts';
import {
  buildGrant,
  formatAddress,
  getSkillFile,
  interfaceGap,
  isReadable,
  quoteText,
  type Skill,
  unknownTools,
} from './skill.ts';
import {
  type Discovery,
  renderActive,
  renderDiscovery,
  renderLine,
  type SkillMessages,
  searchSkills,
} from './skill-prompt.ts';
import {
  decodeVisible,
  divideBody,
  findBoundaryEnd,
  requireSize,
  type SkillBody,
} from './skill-text.ts';

/** Result of an activation. */
export type Activation =
  | { readonly ok: true; readonly activated: readonly ActivatedSkill[] }
  | { readonly ok: false; readonly reason: string };

/** A skill that has just become active. */
export interface ActivatedSkill extends Pick<Skill, 'name' | 'origin'> {
  /** Description, tools, constraints and interface, as the model sees them. */
  readonly prompt: string;
  /** What its SKILL.md says first, and the sections that follow. */
  readonly body: SkillBody;
  /** What its interface lacks, as a phrase; empty when it is complete. */
  readonly interfaceGap: string;
  /** Path of its SKILL.md, inside its folder. */
  readonly file: string;
  /** Tools of its list that there are not, as a phrase; empty when all exist. */
  readonly unknownTools: string;
  /** Addresses of its other files. */
  readonly files: readonly string[];
  /** Files that cannot be read, because of a character in their path; in quotes. */
  readonly unreadable: readonly string[];
}

interface SkillManagerOptions {
  /** The allowlist. */
  readonly skills: readonly Skill[];
  /** Allowed skills that cannot be activated, with the reason (`findUnready`). */
  readonly unready: ReadonlyMap<string, string>;
  readonly source: SkillSource;
  /** Names of all tools. */
  readonly tools: readonly string[];
  /** The task text, by which skills are ranked. */
  readonly task: string;
  /** Texts of the agent profile. */
  readonly messages: SkillMessages;
}

/** Maximum files of a skill that an activation shows. */
const maxFiles = 40;

/** Allowlist and activation state of one run. */
export class SkillManager {
  readonly #source: SkillSource;
  readonly #tools: Set<string>;
  readonly #task: string;
  readonly #messages: SkillMessages;
  #skills: ReadonlyMap<string, Skill>;
  /** The names of skills by their ids. */
  #ids: ReadonlyMap<string, string>;
  #unready: ReadonlyMap<string, string>;
  /** Skills that were activated by name; the skills that they require are active, too. */
  readonly #chosen = new Set<string>();
  /** How often each skill was activated. */
  readonly #activations = new Map<string, number>();
  #discovery: Discovery | undefined = undefined;

  constructor({ skills, unready, source, tools, task, messages }: SkillManagerOptions) {
    this.#skills = new Map(skills.map(s => [s.name, s]));
    this.#ids = indexIds(skills);
    this.#unready = unready;
    this.#source = source;
    this.#tools = new Set(tools);
    this.#task = task;
    this.#messages = messages;
  }

  /** Names on the allowlist. */
  names(): readonly string[] {
    return [...this.#skills.keys()];
  }

  /** Names and ids of the allowlist: what a call may name. */
  callable(): readonly string[] {
    return [...this.names(), ...this.#ids.keys()];
  }

  /** Skills that cannot be activated, by name and by id, with the reason. */
  unready(): ReadonlyMap<string, string> {
    const byId = [...this.#ids].flatMap(([id, name]) => {
      const lacks = this.#unready.get(name);
      return lacks === undefined ? [] : [[id, lacks] as const];
    });
    return new Map([...this.#unready, ...byId]);
  }

  /** The name of the skill that a name or an id means, or the text itself. */
  resolveName(nameOrId: string): string {
    return this.#ids.get(nameOrId) ?? nameOrId;
  }

  /** The SKILL.md of a skill on the allowlist; undefined for an unknown name. */
  pathOf(name: string): string | undefined {
    return this.#skills.get(this.resolveName(name))?.path;
  }

  getActiveSkills(): readonly string[] {
    return this.#active().map(s => s.name);
  }

  isActive(name: string): boolean {
    return this.getActiveSkills().includes(name);
  }

  /**
   * Activates a skill and those that it requires, and reads their bodies for the first time. A body that
   * may not be shown activates nothing.
   */
  async activate(nameOrId: string): Promise<Activation> {
    const name = this.resolveName(nameOrId);
    if (!this.#skills.has(name))
      return { ok: false, reason: `skill ${name} is not on the allowlist` };
    const lacks = this.#unready.get(name);
    if (lacks !== undefined) return { ok: false, reason: lacks };
    // an active skill gives its text again, which may have left the conversation
    const before = new Set(this.getActiveSkills().filter(n => n !== name));
    const fresh = inOrder(name, this.#skills)
      .filter(n => !before.has(n))
      .flatMap(n => this.#skills.get(n) ?? []);
    try {
      const activated = await Promise.all(fresh.map(s => this.#open(s)));
      // what an active skill gave stays as it is
      if (!this.isActive(name)) this.#activations.set(name, (this.#activations.get(name) ?? 0) + 1);
      this.#chosen.add(name);
      return { ok: true, activated };
    } catch (error) {
      if (error instanceof PhotonError && error.code === 'SKILL_INVALID')
        return { ok: false, reason: `${error.code}: ${error.message}` };
      throw error;
    }
  }

  /** Names the current activation of a skill; text that belongs to it is shown until it ends. */
  getActivation(name: string): string {
    return `${name}#${this.#activations.get(name) ?? 0}`;
  }

  /** Whether an activation lasts: its skill is active, and was not deactivated in between. */
  lasts(activation: string): boolean {
    const name = activation.slice(0, activation.lastIndexOf('#'));
    return this.isActive(name) && this.getActivation(name) === activation;
  }

  /** Deactivates a skill and the skills that only it required; `reason` says why that is impossible. */
  deactivate(nameOrId: string): { readonly ok: boolean; readonly reason: string } {
    const name = this.resolveName(nameOrId);
    if (!this.isActive(name)) return { ok: false, reason: `${name} is not active` };
    this.#chosen.delete(name);
    const by = [...this.#chosen].filter(c => inOrder(c, this.#skills).includes(name));
    return by.length === 0
      ? { ok: true, reason: '' }
      : { ok: false, reason: `${name} is required by ${by.join(', ')}` };
  }

  deactivateAll(): void {
    this.#chosen.clear();
  }

  /** Replaces the allowlist after a reload; skills that are gone or not ready become inactive. */
  replace(skills: readonly Skill[], unready: ReadonlyMap<string, string>): void {
    this.#skills = new Map(skills.map(s => [s.name, s]));
    this.#ids = indexIds(skills);
    this.#unready = unready;
    this.#discovery = undefined;
    for (const name of [...this.#chosen])
      if (!this.#skills.has(name) || unready.has(name)) this.#chosen.delete(name);
  }

  /** Takes tools out of the run: no skill grants them any more. */
  withdraw(tools: readonly string[]): void {
    for (const tool of tools) this.#tools.delete(tool);
  }

  /** What each active skill permits. The permissions add up. */
  grants(): readonly SkillGrant[] {
    return this.#active().map(s => buildGrant(s, this.#tools));
  }

  /** Tools that the active skills grant. */
  grantedTools(): readonly string[] {
    return [...new Set(this.grants().flatMap(g => g.tools))];
  }

  /** Names of the skills that would grant a tool. */
  whichGrant(tool: string): readonly string[] {
    return [...this.#skills.values()]
      .filter(s => !this.#unready.has(s.name) && buildGrant(s, this.#tools).tools.includes(tool))
      .map(s => s.name);
  }

  /** Stage 1: names and one-line descriptions, nothing else. */
  getSkillDiscoveryPrompt(): string {
    return this.#discover().text;
  }

  /** True when a search can find more than the discovery prompt shows. */
  hasMore(): boolean {
    return this.#discover().more;
  }

  /** A line for each skill that matches a query, best first. */
  search(query: string): readonly string[] {
    const found = searchSkills([...this.#skills.values()], query);
    return found.map(s => renderLine(s, this.#messages));
  }

  /** Stage 2: tools, constraints and interface of each active skill. */
  getActiveSkillsPrompt(): string {
    return this.#active()
      .map(s => renderActive(s, this.#tools, this.#messages))
      .join('\n\n');
  }

  /**
   * Text of a file of an active skill; undefined when the file does not exist or is not text.
   * @throws PhotonError `SKILL_INVALID` for hidden characters.
   */
  async readFile(name: string, file: string): Promise<string | undefined> {
    const path = normalisePath(file);
    const skill = this.#active().find(s => s.name === name);
    if (skill === undefined || path === undefined || path === '') return undefined;
    const bytes = await this.#source[skill.origin].read(`${skill.folder}/${path}`);
    return bytes === undefined || bytes.includes(0)
      ? undefined
      : decodeVisible(bytes, formatAddress(skill, path));
  }

  /** The scripts of active skills for commands, by `<name>/scripts/…`. */
  async scripts(): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const skill of this.#active()) {
      const files = this.#source[skill.origin];
      for (const path of await files.list(`${skill.folder}/scripts`)) {
        const bytes = isReadable(path) ? await files.read(path) : undefined;
        if (bytes !== undefined)
          found.set(`${skill.name}${path.slice(skill.folder.length)}`, bytes);
      }
    }
    return found;
  }

  #active(): readonly Skill[] {
    const names = new Set([...this.#chosen].flatMap(name => inOrder(name, this.#skills)));
    return [...names].flatMap(name => this.#skills.get(name) ?? []);
  }

  #discover(): Discovery {
    this.#discovery ??= renderDiscovery([...this.#skills.values()], this.#task, this.#messages);
    return this.#discovery;
  }

  async #open(skill: Skill): Promise<ActivatedSkill> {
    const { kernel, kernelLine, files } = await readSkillFolder(skill, this.#source[skill.origin]);
    const { name, origin } = skill;
    return {
      name,
      origin,
      prompt: renderActive(skill, this.#tools, this.#messages),
      body: divideBody(kernel, kernelLine),
      file: getSkillFile(skill).slice(skill.folder.length + 1),
      unknownTools: describeUnknown(unknownTools(skill, this.#tools), [...this.#tools]),
      interfaceGap: interfaceGap(skill),
      files: files
        .filter(isReadable)
        .slice(0, maxFiles)
        .map(f => formatAddress(skill, f)),
      unreadable: files
        .filter(f => !isReadable(f))
        .slice(0, maxFiles)
        .map(quoteText),
    };
  }
}

/** The names of skills by their ids. A name counts before an id, and of two equal ids the first. */
function indexIds(skills: readonly Skill[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const names = new Set(skills.map(s => s.name));
  for (const { id, name } of skills)
    if (id !== '' && !names.has(id) && !ids.has(id)) ids.set(id, name);
  return ids;
}

/**
 * The body of a skill's SKILL.md, and the names of its other files.
 * @throws PhotonError `SKILL_INVALID` for a body that may not be shown.
 */
export async function readSkillFolder(
  skill: Skill,
  source: TrustedFiles,
): Promise<{
  readonly kernel: string;
  /** Line of the file that the kernel begins at. */
  readonly kernelLine: number;
  readonly files: readonly string[];
}> {
  const path = getSkillFile(skill);
  const bytes = (await source.read(path)) ?? new Uint8Array();
  requireSize(bytes.length, skill.path);
  // decodes the whole file, so that line numbers in errors are those of the file
  const text = decodeVisible(bytes, skill.path);
  const end = findBoundaryEnd(bytes) ?? bytes.length;
  const others = (await source.list(skill.folder)).filter(p => p !== path);
  const from = decodeVisible(bytes.subarray(0, end), skill.path).length;
  const body = text.slice(from);
  const blank = body.length - body.trimStart().length;
  return {
    kernel: body.trim(),
    kernelLine: text.slice(0, from + blank).split('\n').length,
    files: others.map(p => p.slice(skill.folder.length + 1)),
  };
}
