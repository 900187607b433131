/** Holds the named states that an agent turns on and off; the engine controls the reserved ones. */

/** States that follow the phase of the pipeline; one is on at a time. */
export const phaseStates = [
  'planning',
  'navigating',
  'reading',
  'executing',
  'evaluating',
] as const;
export type PhaseState = (typeof phaseStates)[number];

/** States that an agent cannot change; `paging` means that memory is nearly full. */
const reserved: ReadonlySet<string> = new Set(['default', 'paging', ...phaseStates]);
const maxStates = 16;

export class States {
  readonly #on = new Set<string>();

  on(): readonly string[] {
    return [...this.#on];
  }

  /** Why a state cannot be turned on or off by the agent; null when it can. */
  refusal(state: string, turn: 'on' | 'off'): string | null {
    if (reserved.has(state)) return `/state: ${state} is reserved; the engine sets it`;
    const full = turn === 'on' && !this.#on.has(state) && this.#on.size >= maxStates;
    return full ? `/state: at most ${maxStates} states may be on` : null;
  }

  add(state: string): void {
    this.#on.add(state);
  }

  delete(state: string): boolean {
    return this.#on.delete(state);
  }
}

/** True for a state that the agent controls. */
export function isOwnState(state: string): boolean {
  return !reserved.has(state);
}
