/** The pipeline as a state machine: one table, and the pure step over it (constitution §2). */
import type { Evidence } from '../../guard/evidence.ts';
import type { PhaseState } from '../../memory/states.ts';
import { isSuccess, type Phase, type Status } from '../../outcome.ts';
import type { PipelineStep } from '../../tools/tool.ts';

type PhaseStep = Exclude<PipelineStep, null>;

/**
 * Which step leads where. A step that a phase does not list is not possible in it. An amended plan
 * keeps its phase; a failed verification goes back by navigate, read or patch. `abort` is whatever
 * ends a run without a commit: a violation, a budget, a question, a failed delivery.
 */
export const transitions: Readonly<Record<Phase, Readonly<Partial<Record<PhaseStep, Phase>>>>> = {
  INPUT: { plan: 'PLAN', abort: 'ROLLBACK' },
  PLAN: {
    plan: 'PLAN',
    navigate: 'NAVIGATE',
    read: 'READ',
    finish: 'COMMIT',
    abort: 'ROLLBACK',
  },
  NAVIGATE: {
    plan: 'NAVIGATE',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
    abort: 'ROLLBACK',
  },
  READ: {
    plan: 'READ',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
    abort: 'ROLLBACK',
  },
  PATCH: {
    plan: 'PATCH',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
    abort: 'ROLLBACK',
  },
  VERIFY: {
    plan: 'VERIFY',
    navigate: 'NAVIGATE',
    read: 'READ',
    patch: 'PATCH',
    verify: 'VERIFY',
    finish: 'COMMIT',
    abort: 'ROLLBACK',
  },
  COMMIT: { abort: 'ROLLBACK' },
  ROLLBACK: {},
};

/** The named state that a phase turns on; prompts with that condition are sent meanwhile. */
export const stateOfPhase: Readonly<Record<Phase, PhaseState | null>> = {
  INPUT: 'planning',
  PLAN: 'planning',
  NAVIGATE: 'navigating',
  READ: 'reading',
  PATCH: 'executing',
  VERIFY: 'evaluating',
  COMMIT: null,
  ROLLBACK: null,
};

/** A finish whose patch did not verify is not a commit. */
export function stepIn(evidence: Evidence, step: PipelineStep): PipelineStep {
  const { patchDigest, verified, verificationWaived } = evidence;
  const failing =
    patchDigest !== '' &&
    !verificationWaived &&
    verified?.patchDigest === patchDigest &&
    !verified.passed;
  return step === 'finish' && failing ? 'abort' : step;
}

/** The phase after a step; null when the table has none. A call without a step changes nothing. */
export function nextPhase(phase: Phase, step: PipelineStep): Phase | null {
  return step === null ? phase : (transitions[phase][step] ?? null);
}

/** The phase that a run with this status ends in, given its current phase. */
export function lastPhase(status: Status, phase: Phase): Phase {
  return isSuccess(status) ? phase : (nextPhase(phase, 'abort') ?? phase);
}
