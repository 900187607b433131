/** How far a run has come: what an outcome is made of, whatever ends the run. */

import type { Degrade, Refusal } from '../../guard/decide.ts';
import type { Evidence } from '../../guard/evidence.ts';
import type { DecisionCount, Phase, Verification } from '../../outcome.ts';
import { nothingSpent, type Spent } from './budget.ts';

/** Changed by the loop as it goes; read by whoever reports. */
export interface Progress {
  evidence: Evidence;
  spent: Spent;
  toolCalls: number;
  corrections: number;
  violations: number;
  failedVerifications: number;
  degraded: boolean;
  /** Hidden characters in what tools told the model, where they were shown by their names. */
  hiddenShown: number;
  verification: Verification | null;
  readonly decisions: Map<string, DecisionCount>;
  readonly onPhase: (phase: Phase) => void;
}

/** Progress at the start; `onPhase` is told each phase that is new. */
export function startProgress(
  evidence: Evidence,
  onPhase: (phase: Phase) => void = () => {},
): Progress {
  return {
    onPhase,
    evidence,
    spent: nothingSpent,
    toolCalls: 0,
    corrections: 0,
    violations: 0,
    failedVerifications: 0,
    degraded: false,
    hiddenShown: 0,
    verification: null,
    decisions: new Map(),
  };
}

/** Counts one decision that was not a pass. */
export function countDecision(progress: Progress, decision: Refusal | Degrade, tool: string): void {
  const { code, state, section } = decision;
  const name = /^[a-z_]{1,40}$/.test(tool) ? tool : tool === '' ? 'none' : 'unknown';
  const key = `${code} ${name}`;
  const count = (progress.decisions.get(key)?.count ?? 0) + 1;
  progress.decisions.set(key, { code, state, section, tool: name, count });
}

/** Moves the run to a phase. */
export function enterPhase(progress: Progress, phase: Phase): void {
  if (phase !== progress.evidence.phase) progress.onPhase(phase);
  progress.evidence = { ...progress.evidence, phase };
}
