/** The pipeline as a state machine: one table, and the pure step over it (constitution §2). */
import type { Phase } from '../outcome.ts';
import type { PipelineStep } from '../tools/tool.ts';

type Step = Exclude<PipelineStep, null>;

/**
 * Which step leads where. A step that a phase does not list is not possible in it. An amended plan
 * keeps its phase; a failed verification goes back by navigate, read or patch.
 */
export const transitions: Readonly<Record<Phase, Readonly<Partial<Record<Step, Phase>>>>> = {
  INPUT: { plan: 'PLAN' },
  PLAN: { plan: 'PLAN', navigate: 'NAVIGATE', read: 'READ', finish: 'COMMIT' },
  NAVIGATE: {
    plan: 'NAVIGATE',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
  },
  READ: {
    plan: 'READ',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
  },
  PATCH: {
    plan: 'PATCH',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
  },
  VERIFY: {
    plan: 'VERIFY',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
  },
  COMMIT: {},
  ROLLBACK: {},
};

/** The phase after a step; null when the table has none. A call without a step changes nothing. */
export function nextPhase(phase: Phase, step: PipelineStep): Phase | null {
  return step === null ? phase : (transitions[phase][step] ?? null);
}
