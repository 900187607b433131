/** What a run leaves in the records, and what it proposes to leave there. */
import { findSecret } from '../../guard/secrets/secrets.ts';
import type { Ending } from '../../outcome.ts';
import { openTimeLimit } from '../../process/time-limit.ts';
import { type FinishedWork, keepMemory, proposalOf } from './keep-memory.ts';
import type { RunFacts } from './outcome-of.ts';
import type { PreparedRun, RunStage, RunTracker } from './stages.ts';

/** Longest that a run waits for its records, in milliseconds: they only advise. */
export const memoryTimeoutMs = 10_000;

/** Longest that a run which has ended goes on trying to write them. */
const keepingMs = 60_000;

/** Keeps what the run leaves in the records; notes say what became of it. */
export async function keepRecords({ stage }: RunTracker, ending: Ending): Promise<void> {
  if (!('loop' in stage) || !stage.mode.keepsRecords) return;
  const work = finishedWork(stage);
  if (work === null) return;
  const { ledger, input, note } = stage;
  const { signal, now } = input;
  const limit = openTimeLimit(signal, { ms: keepingMs, now });
  try {
    const retry = { random: limit.clock.random, wait: limit.pause };
    const notes = await keepMemory({ ran: work, ending, ledger, retry, nowMs: now() });
    for (const each of notes) note(each);
  } finally {
    limit.close();
  }
}

/** The run as its memory sees it; null where memory is off. */
function finishedWork(run: PreparedRun): FinishedWork | null {
  const { policy, task, memory, state, services, environment } = run;
  if (memory === null) return null;
  const holdsSecret = (text: string) => findSecret(text, environment.secrets);
  const { settings } = policy;
  return { settings, task, memory, state, session: services.session, holdsSecret };
}

/** What a run that commits proposes to keep; undefined when it proposes nothing. */
export function proposed(stage: RunStage): RunFacts['proposal'] {
  const work = 'loop' in stage ? finishedWork(stage) : null;
  if (work === null) return undefined;
  const { changes, digest } = proposalOf(work);
  const mode = work.settings.memoryMode === 'yolo' ? 'yolo' : 'reviewed';
  return changes.length === 0 ? undefined : { mode, changes, digest };
}
