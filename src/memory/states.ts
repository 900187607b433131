/** Holds the named states that an agent turns on and off, among them those that the engine turns on. */

/** States that follow the phase of the pipeline; one is on at a time. */
const phaseStates = ['planning', 'navigating', 'reading', 'executing', 'evaluating'] as const;
export type PhaseState = (typeof phaseStates)[number];

/** States that the engine turns on: `paging` while memory is nearly full, `changing` in a run that may change files. */
const engineStates: ReadonlySet<string> = new Set(['paging', 'changing', ...phaseStates]);
const maxStates = 16;

/**
 * The changes that an agent made to its states. They choose prompts alone: the phase stays what it is,
 * and the guard never reads them.
 */
export class States {
  readonly #added = new Set<string>();
  readonly #deleted = new Set<string>();

  /** States that the agent turned on; each stays on until it is deleted. */
  added(): readonly string[] {
    return [...this.#added];
  }

  /** States of the engine that the agent turned off in this phase. */
  deleted(): readonly string[] {
    return [...this.#deleted];
  }

  /** Why the agent cannot change a state; undefined when it can. */
  refusal(state: string, turn: 'on' | 'off'): string | undefined {
    if (state === 'default') return '/state: default is no state; its prompts are always sent';
    const full = turn === 'on' && !this.#added.has(state) && this.#added.size >= maxStates;
    return full ? `/state: at most ${maxStates} states may be on` : undefined;
  }

  add(state: string): void {
    this.#deleted.delete(state);
    this.#added.add(state);
  }

  delete(state: string): void {
    this.#added.delete(state);
    if (engineStates.has(state)) this.#deleted.add(state);
  }

  /** In a new phase, the engine's states are on again. */
  enterPhase(): void {
    this.#deleted.clear();
  }
}

/** True for a state that only the agent turns on. */
export function isOwnState(state: string): boolean {
  return state !== 'default' && !engineStates.has(state);
}
