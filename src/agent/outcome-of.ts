/** Progress and ending ► the outcome. Pure. */
import { type Code, codes, PhotonError } from '../codes.ts';
import type { Constitution } from '../guard/constitution.ts';
import type { Delivered, Ending, Engine, Guarantee, Outcome, Repair } from '../outcome.ts';
import type { FileChange } from '../session/change.ts';
import type { Task } from '../task.ts';
import { costOf } from './budget.ts';
import { describePatch } from './final-check.ts';
import type { Law } from './law.ts';
import type { Progress } from './progress.ts';

/** All that is known of a run when it ends; what it did not come to is null. */
export interface RunFacts {
  readonly runId: string;
  readonly photon: string;
  readonly task: Task | null;
  readonly repository: string;
  readonly baseCommit: string;
  readonly law: Law | null;
  readonly engine: Engine;
  readonly model: string;
  /** How the embedded engine found its patch; null when it did not search. */
  readonly repair: Repair | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly progress: Progress | null;
  readonly changes: readonly FileChange[];
  readonly patchDigest: string;
  readonly tree: string;
  readonly sandbox: { readonly launcher: string; readonly guarantees: readonly Guarantee[] };
  readonly ledger: { readonly entries: number; readonly head: string };
  readonly notes: readonly string[];
}

const nothing: Delivered = { kind: 'none', operation: 'none' };

/** The outcome of an ending. `hint` is the code's own unless the error had a better one. */
export function outcomeOf(
  ending: Ending,
  facts: RunFacts,
  more: { hint?: string; delivered?: Delivered } = {},
): Outcome {
  const { task, law, progress } = facts;
  const constitution: Pick<Constitution, 'version'> | undefined = law?.constitution;
  return {
    ...ending,
    schema: 1,
    runId: facts.runId,
    photon: facts.photon,
    task: { id: task?.id ?? '', trigger: task?.trigger ?? '', askedBy: task?.askedBy ?? '' },
    repository: facts.repository,
    base: { ref: task?.baseRef ?? '', commit: facts.baseCommit },
    constitution: { version: constitution?.version ?? '', sha256: law?.constitutionSha256 ?? '' },
    prompt: {
      agent: law?.profile.agentName ?? '',
      version: law?.profile.version ?? '',
      sha256: law?.profile.sha256 ?? '',
    },
    engine: facts.engine,
    model: facts.model,
    ...(facts.repair === null ? {} : { repair: facts.repair }),
    startedAt: new Date(facts.startedAt).toISOString(),
    durationMs: facts.endedAt - facts.startedAt,
    usage: usageOf(progress, law),
    ...(law?.settings.showPlan && progress?.evidence.plan ? { plan: progress.evidence.plan } : {}),
    patch: {
      files:
        law === null || task === null
          ? []
          : describePatch(facts.changes, law.constitution, task.prompt),
      digest: facts.patchDigest,
      tree: facts.tree,
    },
    verification: progress?.verification ?? null,
    decisions: [...(progress?.decisions.values() ?? [])],
    degraded: progress?.degraded ?? false,
    skills: progress?.usedSkills() ?? [],
    sandbox: facts.sandbox,
    hiddenRemoved: task?.hiddenRemoved ?? 0,
    notes: facts.notes,
    ledger: facts.ledger,
    delivered: more.delivered ?? nothing,
    hint: more.hint ?? codes[ending.code].hint,
  };
}

function usageOf(progress: Progress | null, law: Law | null): Outcome['usage'] {
  const spent = progress?.spent ?? { rounds: 0, inputTokens: 0, outputTokens: 0 };
  const cost = costOf(law?.settings.price ?? null, spent);
  const counts = {
    rounds: spent.rounds,
    inputTokens: spent.inputTokens,
    outputTokens: spent.outputTokens,
  };
  return {
    ...counts,
    toolCalls: progress?.toolCalls ?? 0,
    ...(cost === undefined ? {} : { cost }),
  };
}

/** The ending that an error makes: always `failed`, with the error's code. */
export function endingOfError(
  error: unknown,
  phase: Ending['phase'],
): { ending: Ending; hint: string } {
  if (error instanceof PhotonError) {
    return {
      ending: { status: 'failed', code: error.code, phase, message: error.message },
      hint: error.hint,
    };
  }
  const code: Code = isDisk(error) ? 'DISK' : 'INTERNAL';
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    ending: { status: 'failed', code, phase, message: message.slice(0, 500) },
    hint: codes[code].hint,
  };
}

function isDisk(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOSPC' || code === 'EROFS' || code === 'EDQUOT';
}
