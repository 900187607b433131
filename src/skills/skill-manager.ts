/** The skills that may be used, those and those that are active (constitution §5). */
import type { Skill } from './skill.ts';

/** Answer of an activation. */
export type Activation =
  | { readonly ok: true; readonly activated: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Allowlist and activation state of one run. */
export class SkillManager {
  readonly #skills: ReadonlyMap<string, Skill>;
  readonly #tools: ReadonlySet<string>;
  readonly #active = new Set<string>();
  readonly #uses = new Map<string, number>();

  /** `skills` is the allowlist; `tools` are the names of all tools there are. */
  constructor(skills: readonly Skill[], tools: readonly string[]) {
    this.#skills = new Map(skills.map(s => [s.name, s]));
    this.#tools = new Set(tools);
  }

  names(): readonly string[] {
    return [...this.#skills.keys()];
  }

  /** The SKILL.md of a skill on the allowlist; null when there is none of that name. */
  pathOf(name: string): string | null {
    return this.#skills.get(name)?.path ?? null;
  }

  active(): readonly string[] {
    return [...this.#active];
  }

  /** Every skill that was active at some time in this run. */
  used(): readonly string[] {
    return [...this.#uses.keys()];
  }

  isActive(name: string): boolean {
    return this.#active.has(name);
  }

  /** Activates a skill and, before it, those that it requires. */
  activate(name: string): Activation {
    const order = this.#order(name, []);
    if (typeof order === 'string') return { ok: false, reason: order };
    for (const skill of order) {
      this.#active.add(skill);
      this.#uses.set(skill, (this.#uses.get(skill) ?? 0) + 1);
    }
    return { ok: true, activated: order };
  }

  deactivate(name: string): boolean {
    return this.#active.delete(name);
  }

  deactivateAll(): void {
    this.#active.clear();
  }

  /** Tools that the active skills grant. */
  grantedTools(): readonly string[] {
    return [...new Set(this.activeSkills().flatMap(s => s.allowedTools))].filter(t =>
      this.#tools.has(t),
    );
  }

  /** Stage 1: every skill of the allowlist; only name and description are for the prompt. */
  listed(): readonly Skill[] {
    return [...this.#skills.values()];
  }

  /** Stage 2: the active skills, for tools, constraints and interface. */
  activeSkills(): readonly Skill[] {
    return [...this.#active].flatMap(name => this.#skills.get(name) ?? []);
  }

  /** The skill after all that it requires, or why that cannot be. */
  #order(name: string, above: readonly string[]): string[] | string {
    const skill = this.#skills.get(name);
    if (skill === undefined) return `there is no skill ${name} on the allowlist`;
    if (above.includes(name)) return `skills require each other: ${[...above, name].join(' > ')}`;
    const missing = skill.requiredTools.filter(t => !this.#tools.has(t));
    if (missing.length > 0)
      return `${name} requires tools that are not there: ${missing.join(', ')}`;
    const order: string[] = [];
    for (const required of skill.requiredSkills) {
      const before = this.#order(required, [...above, name]);
      if (typeof before === 'string') return before;
      order.push(...before.filter(s => !order.includes(s)));
    }
    return [...order, name];
  }
}
