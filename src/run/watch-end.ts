/** The end of a run whose time is up while the thread of Photon is busy. */
import { redactTexts } from '../guard/secrets/secrets.ts';
import type { RunEnvironment } from '../hosts/host.ts';
import { endIfBusy } from '../process/end-busy.ts';
import { buildOutcome } from './build-outcome.ts';
import { leaveFolder } from './end-run.ts';
import type { RunProgress } from './stages.ts';

/** Longest that a run's records may be written after its time is up, in milliseconds. */
export const graceMs = 60_000;

/**
 * Lets another thread end the run if this one is too busy for it when the time is up.
 * @returns what ends this, and leaves the folder of the run.
 */
export function watchEnd(
  progress: RunProgress,
  { settings, input, scrub }: Pick<RunEnvironment, 'settings' | 'input' | 'scrub'>,
  signal: AbortSignal,
): () => Promise<void> {
  const { outcomePath, ledgerPath } = progress.opened.folder;
  const message =
    'The time of the run was up while Photon itself was busy, so its process was killed. The ledger has no end, and scratch files stay.';
  const ending = { status: 'failed', code: 'BUDGET_TIME', phase: 'INPUT', message } as const;
  const stop = endIfBusy({
    signal,
    ms: settings.timeoutMs,
    // some time to write the files, after the last request
    graceMs: graceMs + 30_000,
    outcomePath,
    outcome: redactTexts(buildOutcome(ending, progress), scrub),
    ledgerPath,
    texts: input.lastTexts?.(ending, outcomePath) ?? [],
  });
  return () => {
    stop();
    return leaveFolder(progress.opened);
  };
}
