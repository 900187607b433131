/** The end of a run: its one outcome, and what is kept of it. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastPhase } from '../agent/limits/phases.ts';
import { deriveOutcome, remainingFields } from '../audit/derive-outcome.ts';
import { inTotoStatement } from '../audit/statement.ts';
import { type Outcome, type Phase, UnfinishedDelivery } from '../base/outcome.ts';
import { redactTexts } from '../guard/secrets/secrets.ts';
import type { Delivery } from '../hosts/host.ts';
import { mark, statePart, withTexts } from '../ledger/ledger.ts';
import { renderDiff } from '../workspace/text/diff.ts';
import { buildOutcome, endingOfError } from './build-outcome.ts';
import { keepRecords } from './keep-memory.ts';
import type { FinishedRun, OpenedRun, Run, RunProgress } from './stages.ts';

/** The outcome of some work. There is exactly one, whatever happens in `work`. */
export async function outcomeOfRun(
  progress: RunProgress,
  work: () => Promise<Delivery>,
): Promise<Outcome> {
  const { opened } = progress;
  const { folder, input, scrub, ledger } = opened;
  const asMade = ({ delivered, staged, planDigest, left, ...ending }: Delivery) => ({
    ending,
    more: { delivered, staged, planDigest, left },
  });
  const made = await soonAfterCancel(work(), input.signal).then(asMade, (error: unknown) => {
    const { ending, hint } = endingOfError(error, getPhase(progress));
    const left = error instanceof UnfinishedDelivery ? error.left : undefined;
    if (progress.delivered === undefined) return { ending, more: { hint, left } };
    opened.note(`After the delivery: ${scrub(ending.message)}`);
    return asMade(progress.delivered);
  });
  folder.freeReserve();
  const ending = { ...made.ending, message: scrub(made.ending.message) };
  const built = buildOutcome(ending, progress, made.more);
  const problem = endLedger(progress, built);
  return problem === undefined
    ? withTexts(deriveOutcome(ledger.entries()), built)
    : { ...built, notes: [...built.notes, problem], ledger: ledger.head() };
}

/** Does the work that ends a run, and keeps the records that it leaves, also if the work fails. */
export async function withRecords(
  progress: RunProgress,
  run: Run,
  work: () => Promise<Delivery>,
): Promise<Delivery> {
  const keep = (ended: Delivery) => keepRecords(run, ended);
  const ended = await work().catch(async (error: unknown) => {
    await keep(progress.delivered ?? endingOfError(error, run.state.evidence.phase).ending);
    throw error;
  });
  await keep(ended);
  return ended;
}

/** Adds a note to the outcome of a run that has ended, and to its ledger, if there is one. */
export function addNote(
  progress: RunProgress,
  outcome: Outcome,
  note: string | undefined,
): Outcome {
  if (note === undefined) return outcome;
  const { ledger, scrub } = progress.opened;
  const noted = { ...outcome, notes: [...outcome.notes, note] };
  try {
    const phase = lastPhase(outcome.status, getPhase(progress));
    ledger.append({ ...mark('run.note', {}), phase, states: statePart('notes', [note], scrub) });
  } catch (error) {
    return { ...noted, notes: [...noted.notes, unwritten(error)] };
  }
  return { ...noted, ledger: ledger.head() };
}

/** The phase that a run is in. */
function getPhase({ run }: RunProgress): Phase {
  return run?.state.evidence.phase ?? 'INPUT';
}

/**
 * Longest that work may go on after its job was cancelled. GitHub's runner kills a step ten seconds after
 * it sent SIGINT, and the report (`reportMsOf`) and the files of the run are still to be written by then.
 */
const cancelGraceMs = 4_000;

/** The result of some work; after a cancel it has little time left, and then the cancel is the result. */
async function soonAfterCancel<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  const waitForCancel = async () => {
    if (!signal.aborted) await once(signal, 'abort', settled);
    await sleep(cancelGraceMs, undefined, settled);
    throw signal.reason;
  };
  return Promise.race([work, waitForCancel()]).finally(() => settled.abort());
}

/** Writes the last entries, which state what no earlier one does. @returns a note if that fails; the outcome stands. */
function endLedger(progress: RunProgress, outcome: Outcome): string | undefined {
  const { ledger, scrub } = progress.opened;
  const { status, code, phase: at, sandbox, durationMs } = outcome;
  const phase = getPhase(progress);
  try {
    // a call whose session could not be written has entered its phase in the ledger alone
    const now = ledger.entries().at(-1)?.phase ?? phase;
    for (const row of sandbox.egress?.connections ?? [])
      ledger.append({ ...mark('network.use', { ...row }), phase: now });
    ledger.append({
      ...mark('sandbox.use', { launcher: sandbox.launcher }),
      phase: now,
      states: statePart('sandbox', sandbox, scrub),
    });
    const written = redactTexts(outcome, scrub);
    ledger.append({
      ...mark('run.end', { status, at }),
      phase: lastPhase(status, phase),
      code,
      durationMs,
      states: remainingFields({ ...written }, ledger.entries()),
    });
    return undefined;
  } catch (error) {
    return unwritten(error);
  }
}

function unwritten(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The ledger could not be written to its end: ${why}`;
}

/** Longest that a cancelled run waits for its scratch space to be removed; its runner empties the rest. */
const cancelledRemovalMs = 1_000;

/** Removes what a run no longer needs. What cannot be removed is a line in the log. */
export async function leaveFolder({ folder, input }: OpenedRun): Promise<void> {
  const removed = folder.close();
  const late = sleep(cancelledRemovalMs, undefined, { ref: false });
  const stays = await (input.signal.aborted ? Promise.race([removed, late]) : removed);
  if (stays !== undefined) input.log.line(stays);
}

/** Turn a finished run into what people read. */
interface RunRenderers {
  summary(runs: readonly { outcome: Outcome; diff: string }[]): string;
  page(run: { outcome: Outcome; diff: string; ledger: string }): string;
}

/** The inputs with which a local run goes on, besides its task. All others are those of the new run alone, such as its rights. */
export const lastingInputs = [
  'sarif',
  'test-command',
  'setup-command',
  'working-directory',
] as const;

function renderInputs({ opened: { input, scrub }, task }: RunProgress): string {
  const { inputs, event } = input;
  const words = task?.alert === undefined ? task?.prompt : event.taskInput;
  const lasting = lastingInputs.map(name => [name, inputs[name]]);
  return JSON.stringify(redactTexts({ ...Object.fromEntries(lasting), task: words }, scrub));
}

/**
 * Closes the ledger and writes patch, report and outcome. A failure to write them does not change how the
 * run ended: a note in the returned outcome says what could not be kept.
 */
export async function closeRun(
  progress: RunProgress,
  outcome: Outcome,
  { summary, page }: RunRenderers,
): Promise<FinishedRun> {
  const { opened, services, run } = progress;
  const { folder, scrub, ledger, input } = opened;
  const changes = (run?.services ?? services)?.session.changes() ?? [];
  let diff = '';
  try {
    diff = scrub(renderDiff(changes));
    ledger.close();
    folder.write(folder.patchPath, diff);
    folder.write(folder.reportPath, scrub(summary([{ outcome, diff }])));
    if (input.event.name === 'local') folder.write(folder.inputsPath, renderInputs(progress));
    const written = redactTexts(outcome, scrub);
    folder.write(folder.outcomePath, `${JSON.stringify(written, null, 2)}\n`);
    const statement = inTotoStatement(written, diff);
    if (statement !== undefined)
      folder.write(folder.statementPath, `${JSON.stringify(statement, null, 2)}\n`);
    // it shows texts without secrets: its markup could hide a secret from the search for it
    const shown = page({ outcome: written, diff, ledger: ledger.text() });
    folder.write(folder.pagePath, scrub(shown));
    return { outcome, diff, files: folder };
  } catch (error) {
    const note = `Patch and outcome could not be kept as files: ${(error as Error).message}`;
    return { outcome: { ...outcome, notes: [...outcome.notes, note] }, diff, files: folder };
  }
}
