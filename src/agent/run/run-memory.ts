/** What a walk leaves behind in the records, and what it proposes to leave there. */
import { findSecret } from '../../guard/secrets.ts';
import type { Ending } from '../../outcome.ts';
import { openTimeLimit } from '../../process/time-limit.ts';
import { type FinishedWork, keepMemory, proposalOf } from './keep-memory.ts';
import type { RunFacts } from './outcome-of.ts';
import type { Walk } from './run-context.ts';

/** Longest that a run waits for its records: they only advise. */
export const memoryTimeoutMs = 10_000;

/** Longest that a run which has ended goes on trying to write them. */
const keepingMs = 60_000;

/** What the run leaves behind in the records; what came of it is told in the notes. */
export async function remember(walk: Walk, ending: Ending): Promise<void> {
  const ran = ranOf(walk);
  if (ran === null || leavesNothing(ran.settings, walk.input.delivery)) return;
  const { ledger, input } = walk;
  const { signal, now } = input;
  const limit = openTimeLimit(signal, { ms: keepingMs, now });
  try {
    const retry = { random: limit.clock.random, wait: limit.pause };
    const said = await keepMemory({ ran, ending, ledger, retry, nowMs: now() });
    walk.notes = [...walk.notes, ...said];
  } finally {
    limit.close();
  }
}

/** True for a run that was asked to leave nothing on GitHub: its records would be something. */
function leavesNothing(
  { dryRun, staged, delivery }: FinishedWork['settings'],
  way: Walk['input']['delivery'],
): boolean {
  return dryRun || staged || (way === 'github' && delivery === 'patch');
}

/** The run as its memory sees it; null where it came to none. */
function ranOf({ policy, task, memory, progress, services, ground }: Walk): FinishedWork | null {
  if (policy === null || task === null || memory === null || ground === null) return null;
  if (progress === null || services === null) return null;
  const holdsSecret = (text: string) => findSecret(text, ground.secrets);
  const { settings } = policy;
  return { settings, task, memory, progress, session: services.session, holdsSecret };
}

/** What a run that commits proposes to keep; there only when it proposes something. */
export function proposed(walk: Walk): RunFacts['proposal'] {
  const ran = ranOf(walk);
  if (ran === null) return undefined;
  const { changes, digest } = proposalOf(ran);
  const mode = ran.settings.memoryMode === 'yolo' ? 'yolo' : 'reviewed';
  return changes.length === 0 ? undefined : { mode, changes, digest };
}
