/** A walk at its end: the one outcome that it makes, and what is kept of it. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { redactTexts } from '../../guard/secrets.ts';
import { mark } from '../../ledger/mark.ts';
import type { Ending, Outcome } from '../../outcome.ts';
import { renderDiff } from '../../workspace/text/diff.ts';
import { lastPhase } from '../limits/phases.ts';
import { endingOfError, outcomeOf, type RunFacts } from './outcome-of.ts';
import type { Delivery } from './run.ts';
import type { Walk } from './run-context.ts';
import type { RunInput } from './run-input.ts';
import { proposed } from './run-memory.ts';

/** Whatever happens in `work`, there is one outcome. */
export async function outcomeOfWalk(walk: Walk, work: () => Promise<Delivery>): Promise<Outcome> {
  const made = await soonAfterCancel(work(), walk.input.signal).then(
    ({ delivered, staged, ...ending }) => ({
      ending,
      more: { ...(delivered ? { delivered } : {}), ...(staged ? { staged } : {}) },
    }),
    (error: unknown) => {
      const { ending, hint } = endingOfError(error, walk.progress?.evidence.phase ?? 'INPUT');
      return { ending, more: { hint } };
    },
  );
  walk.folder.freeReserve();
  const message = walk.ground?.scrub(made.ending.message) ?? made.ending.message;
  endLedger(walk, made.ending);
  return outcomeOf({ ...made.ending, message }, factsOf(walk), made.more);
}

/**
 * Longest that work may go on after its job was cancelled. GitHub's runner kills a step ten seconds after
 * it sent SIGINT, and the report (`reportMsOf`) and the files of the run are still to be written by then.
 */
const cancelGraceMs = 4_000;

/** What some work comes to. After a cancel it has little time left: then the cancel is what it comes to. */
async function soonAfterCancel<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  const cancelled = async () => {
    if (!signal.aborted) await once(signal, 'abort', settled);
    await sleep(cancelGraceMs, undefined, settled);
    throw signal.reason;
  };
  return Promise.race([work, cancelled()]).finally(() => settled.abort());
}

/** The last entry. Where it cannot be written the outcome stands, and says so. */
function endLedger(walk: Walk, { status, code, phase }: Ending): void {
  const stood = walk.progress?.evidence.phase ?? 'INPUT';
  const last = { ...mark('run.end', { status, at: phase }), phase: lastPhase(status, stood) };
  try {
    walk.ledger.append({ ...last, code });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    walk.notes = [...walk.notes, `The ledger could not be written to its end: ${why}`];
  }
}

/** Address of the workflow run, as the runner's variables say it; empty outside of Actions. */
export function pageOf({ env, repository }: Pick<RunInput, 'env' | 'repository'>): string {
  const { GITHUB_SERVER_URL: server = '', GITHUB_RUN_ID: id = '' } = env;
  const plain = /^https?:\/\/[\w.:-]+$/.test(server) && /^\d{1,20}$/.test(id) && repository !== '';
  return plain ? `${server}/${repository}/actions/runs/${id}` : '';
}

/** What is known of a walk now. */
export function factsOf(walk: Walk): RunFacts {
  const { input, ground, task, services, progress, policy, tree, notes } = walk;
  const session = services?.session;
  const proposal = proposed(walk);
  return {
    ...(proposal === undefined ? {} : { proposal }),
    ...{
      task,
      policy,
      progress,
      notes: [...notes, ...(services?.navigation.servers?.notes() ?? [])],
      tree,
      runId: walk.id,
      planDigest: walk.planDigest,
      startedAt: walk.startedAt,
      endedAt: input.now(),
    },
    photon: ground?.shipped.version ?? '',
    repository: input.repository,
    page: pageOf(input),
    // a patch that was applied to a newer base lies over that
    baseCommit: session?.git.commit ?? ground?.git.commit ?? '',
    engine: ground?.settings.engine ?? 'openai',
    model: ground?.settings.model ?? '',
    repair: walk.builtin?.repair() ?? null,
    changes: session?.changes() ?? [],
    patchDigest: session?.patchDigest() ?? '',
    sandbox: services?.sandboxState() ?? { launcher: 'none', guarantees: [] },
    ledger: walk.ledger.head(),
  };
}

/** Longest that a cancelled run waits for its scratch space to be removed; its runner empties the rest. */
const cancelledRemovalMs = 1_000;

/** Removes what a run needs no more. */
export async function leaveFolder({
  folder,
  input,
}: Pick<Walk, 'folder' | 'input'>): Promise<void> {
  const removed = folder.close();
  await (input.signal.aborted ? Promise.race([removed, sleep(cancelledRemovalMs)]) : removed);
}

/**
 * Closes the ledger and writes patch, report and outcome. A disk that takes neither does not change how the
 * run ended: the outcome that is returned says in a note what could not be kept.
 */
export function closeWalk(
  walk: Walk,
  outcome: Outcome,
  render: (runs: readonly { outcome: Outcome; diff: string }[]) => string,
): { outcome: Outcome; diff: string } {
  const { folder } = walk;
  const scrub = walk.ground?.scrub ?? ((text: string) => text);
  const diff = scrub(renderDiff(walk.services?.session.changes() ?? []));
  walk.ledger.close();
  try {
    folder.write(folder.patchPath, diff);
    folder.write(folder.reportPath, scrub(render([{ outcome, diff }])));
    folder.write(folder.outcomePath, `${JSON.stringify(redactTexts(outcome, scrub), null, 2)}\n`);
    return { outcome, diff };
  } catch (error) {
    const note = `Patch and outcome could not be kept as files: ${(error as Error).message}`;
    return { outcome: { ...outcome, notes: [...outcome.notes, note] }, diff };
  }
}
