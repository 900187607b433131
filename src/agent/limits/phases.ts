/** The pipeline as a state machine: one table, and the pure step over it (constitution §2). */
import { isSuccess, type Phase, type Status } from '../../base/outcome.ts';
import type { ClaimFacts, PathFacts } from '../../guard/claim.ts';
import type { Evidence } from '../../guard/evidence.ts';
import { findChanged, isReached } from '../../guard/reach.ts';
import type { PhaseState } from '../../memory/states.ts';
import type { PipelineStep } from '../../tools/tool.ts';

type PhaseStep = Exclude<PipelineStep, undefined>;

/** Where the steps of the work itself lead, whichever of them came before. */
const work = {
  navigate: 'NAVIGATE',
  read: 'READ',
  patch: 'PATCH',
  verify: 'VERIFY',
  finish: 'COMMIT',
  abort: 'ROLLBACK',
} as const;

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
    finish: 'COMMIT',
    abort: 'ROLLBACK',
  },
  NAVIGATE: { plan: 'NAVIGATE', ...work },
  READ: { plan: 'READ', ...work },
  PATCH: { plan: 'PATCH', ...work },
  VERIFY: { plan: 'VERIFY', ...work },
  COMMIT: { abort: 'ROLLBACK' },
  ROLLBACK: {},
};

/** The named state that a phase turns on; prompts with that condition are sent meanwhile. */
export const stateOfPhase: Readonly<Record<Phase, PhaseState | undefined>> = {
  INPUT: 'planning',
  PLAN: 'planning',
  NAVIGATE: 'navigating',
  READ: 'reading',
  PATCH: 'executing',
  VERIFY: 'evaluating',
  COMMIT: undefined,
  ROLLBACK: undefined,
};

/** A finish whose patch did not verify is not a commit. A look before there is a plan is a part of planning. */
export function stepIn(evidence: Evidence, step: PipelineStep): PipelineStep {
  const { plan, patchDigest, verified, verificationWaived } = evidence;
  if ((step === 'navigate' || step === 'read') && plan === undefined) return 'plan';
  const failing =
    patchDigest !== '' &&
    !verificationWaived &&
    verified?.patchDigest === patchDigest &&
    !verified.passed;
  return step === 'finish' && failing ? 'abort' : step;
}

/** The phase after a step; undefined when the table has none. A call without a step changes nothing. */
export function nextPhase(phase: Phase, step: PipelineStep): Phase | undefined {
  return step === undefined ? phase : transitions[phase][step];
}

/** What decides the way of a call: its claims, and what the run knows. */
export interface CallFacts {
  readonly claims: readonly ClaimFacts[];
  readonly evidence: Evidence;
  readonly facts: ReadonlyMap<string, PathFacts>;
}

/** The phases that a call enters in order, all by steps of the table; undefined when the table has no way. */
export type Route = readonly Phase[] | undefined;

/**
 * The way of a call through the table. Evidence that the run already has can be the step before: a path that the task
 * names, or that a look before the plan led to, is the navigation of a read, or of a patch that only creates files,
 * right after the plan; an earlier look at lines of every existing file that a patch changes is the read before the
 * patch. Without that read, a patch after navigation may only create files. A patch that only shows the places that it
 * would change is a read. A call without a step enters no phase.
 */
export function findRoute(step: PipelineStep, call: CallFacts): Route {
  const { phase } = call.evidence;
  const taken = stepIn(call.evidence, onlyShows(call) ? 'read' : step);
  if (taken === undefined) return [];
  // a file of a skill is no code: reading it is no step
  if (step === 'read' && !call.claims.some(c => c.kind === 'read')) return [];
  const before = stepBefore(phase, taken, call);
  if (before === undefined) return undefined;
  const route: Phase[] = [];
  for (const each of [...before, taken]) {
    const entered = nextPhase(route.at(-1) ?? phase, each);
    if (entered === undefined) return undefined;
    route.push(entered);
  }
  return route;
}

/** True for a patch that writes nothing yet. */
function onlyShows({ claims }: CallFacts): boolean {
  const writes = claims.filter(c => c.kind === 'write');
  return writes.length > 0 && writes.every(w => w.preview === true);
}

/** The step that evidence stands for before a step; undefined when it is missing. NAVIGATION_MISSING judges paths. */
function stepBefore(
  phase: Phase,
  step: PhaseStep,
  call: CallFacts,
): readonly PhaseStep[] | undefined {
  if (phase === 'PLAN' && step === 'read') return ['navigate'];
  // what is asked may be answered at once
  if (phase === 'INPUT' && call.claims.some(c => c.kind === 'commit' && c.answers)) return ['plan'];
  if (step !== 'patch') return [];
  const existing = findChanged(call.claims, call.facts);
  const isKnown = existing.every(path => call.evidence.known.has(path));
  if (phase === 'PLAN')
    return isKnown && (existing.length > 0 || writesFoundFiles(call)) ? ['navigate'] : [];
  if (phase !== 'NAVIGATE' || existing.length === 0) return [];
  return isKnown ? ['read'] : undefined;
}

/** True for a call that writes files, to all of which the task or a look has led. */
function writesFoundFiles({ claims, evidence, facts }: CallFacts): boolean {
  const writes = claims.filter(c => c.kind === 'write');
  return writes.length > 0 && writes.every(w => isReached(w, { evidence, facts }));
}

/** The phase that a run with this status ends in, given its current phase. */
export function lastPhase(status: Status, phase: Phase): Phase {
  return isSuccess(status) ? phase : (nextPhase(phase, 'abort') ?? phase);
}
