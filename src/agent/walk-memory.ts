/** What a walk leaves behind in the records, and what it proposes to leave there. */
import { findSecret } from '../guard/secrets.ts';
import type { Ending } from '../outcome.ts';
import type { TimeLimit } from '../session/time-limit.ts';
import { keepMemory, proposalOf, type Ran } from './keep-memory.ts';
import type { RunFacts } from './outcome-of.ts';
import type { Walk } from './walk.ts';

/** Longest that a run waits for its records: they only advise. */
export const memoryTimeoutMs = 10_000;

/** What the run leaves behind in the records; what came of it is told in the notes. */
export async function remember(
  walk: Walk,
  ending: Ending,
  clock: TimeLimit['clock'],
): Promise<void> {
  const ran = ranOf(walk);
  if (ran === null || leavesNothing(ran.settings, walk.input.delivery)) return;
  const { signal } = walk.input;
  const retry = { random: clock.random, wait: (ms: number) => clock.sleep(ms, signal) };
  const { ledger } = walk;
  const said = await keepMemory({ ran, ending, ledger, retry, nowMs: clock.now() });
  walk.notes = [...walk.notes, ...said];
}

/** True for a run that was asked to leave nothing on GitHub: its records would be something. */
function leavesNothing(
  { dryRun, staged, delivery }: Ran['settings'],
  way: Walk['input']['delivery'],
): boolean {
  return dryRun || staged || (way === 'github' && delivery === 'patch');
}

/** The run as its memory sees it; null where it came to none. */
function ranOf({ law, task, memory, progress, workshop, ground }: Walk): Ran | null {
  if (law === null || task === null || memory === null || ground === null) return null;
  if (progress === null || workshop === null) return null;
  const holdsSecret = (text: string) => findSecret(text, ground.secrets);
  const { settings } = law;
  return { settings, task, memory, progress, session: workshop.session, holdsSecret };
}

/** What a run that commits proposes to keep; there only when it proposes something. */
export function proposed(walk: Walk): RunFacts['proposal'] {
  const ran = ranOf(walk);
  if (ran === null) return undefined;
  const { changes, digest } = proposalOf(ran);
  const mode = ran.settings.memoryMode === 'yolo' ? 'yolo' : 'reviewed';
  return changes.length === 0 ? undefined : { mode, changes, digest };
}
