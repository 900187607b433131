/** The end of a run: its one outcome, and what is kept of it. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { redactTexts } from '../../guard/secrets/secrets.ts';
import { mark } from '../../ledger/mark.ts';
import { UnfinishedDelivery } from '../../left-behind.ts';
import { digestOf } from '../../memory/record.ts';
import { providerName } from '../../model/providers.ts';
import type { Outcome, Phase } from '../../outcome.ts';
import type { Settings } from '../../settings/settings.ts';
import { renderDiff } from '../../workspace/text/diff.ts';
import { lastPhase } from '../limits/phases.ts';
import { endingOfError, outcomeOf, type RunFacts } from './outcome-of.ts';
import { sealOutcome } from './outcome-seal.ts';
import type { RunInput } from './run-input.ts';
import { proposed } from './run-memory.ts';
import type { Delivery, FinishedRun, OpenedRun, RunStage, RunTracker } from './stages.ts';
import { inTotoStatement } from './statement.ts';

/** The outcome of some work. There is exactly one, whatever happens in `work`. */
export async function outcomeOfRun(
  tracker: RunTracker,
  work: () => Promise<Delivery>,
): Promise<Outcome> {
  const { folder, input, scrub } = tracker.stage;
  const asMade = ({ delivered, staged, planDigest, left, ...ending }: Delivery) => ({
    ending,
    more: { delivered, staged, planDigest, left },
  });
  const made = await soonAfterCancel(work(), input.signal).then(asMade, (error: unknown) => {
    const { ending, hint } = endingOfError(error, phaseOf(tracker.stage));
    const left = error instanceof UnfinishedDelivery ? error.left : undefined;
    if (tracker.delivered === undefined) return { ending, more: { hint, left } };
    tracker.stage.note(`After the delivery: ${scrub(ending.message)}`);
    return asMade(tracker.delivered);
  });
  folder.freeReserve();
  const ending = { ...made.ending, message: scrub(made.ending.message) };
  const { stage } = tracker;
  const outcome = outcomeOf(ending, factsOf(stage), made.more);
  const problem = endLedger(stage, outcome);
  const notes = problem === null ? outcome.notes : [...outcome.notes, problem];
  return { ...outcome, notes, ledger: stage.ledger.head() };
}

/** Adds a note to the outcome of a run that has ended, and seals it in the ledger as its outcome is. */
export function addNote({ stage }: RunTracker, outcome: Outcome, note: string): Outcome {
  const { ledger, scrub } = stage;
  const noted = { ...outcome, notes: [...outcome.notes, note] };
  try {
    const phase = lastPhase(outcome.status, phaseOf(stage));
    ledger.append({ ...mark('run.note', {}), phase, outcome: { note: digestOf(scrub(note)) } });
  } catch (error) {
    return { ...noted, notes: [...noted.notes, unwritten(error)] };
  }
  return { ...noted, ledger: ledger.head() };
}

/** The phase that a run is in. */
export function phaseOf(stage: RunStage): Phase {
  return 'state' in stage ? stage.state.evidence.phase : 'INPUT';
}

/**
 * Longest that work may go on after its job was cancelled. GitHub's runner kills a step ten seconds after
 * it sent SIGINT, and the report (`reportMsOf`) and the files of the run are still to be written by then.
 */
const cancelGraceMs = 4_000;

/** The result of some work; after a cancel it has little time left, and then the cancel is the result. */
async function soonAfterCancel<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  const cancelled = async () => {
    if (!signal.aborted) await once(signal, 'abort', settled);
    await sleep(cancelGraceMs, undefined, settled);
    throw signal.reason;
  };
  return Promise.race([work, cancelled()]).finally(() => settled.abort());
}

/** Writes the last entry, which seals the outcome. @returns a note if that fails; the outcome stands. */
function endLedger(stage: RunStage, outcome: Outcome): string | null {
  const { status, code, phase } = outcome;
  try {
    const last = lastPhase(status, phaseOf(stage));
    const used = 'services' in stage ? stage.services.sandboxState().egress : undefined;
    for (const row of used?.connections ?? [])
      stage.ledger.append({ ...mark('network.use', { ...row }), phase: phaseOf(stage) });
    const written = redactTexts(outcome, stage.scrub);
    const seal = { ...sealOutcome(written), notes: digestOf(written.notes) };
    stage.ledger.append({
      ...mark('run.end', { status, at: phase }),
      phase: last,
      code,
      outcome: seal,
    });
    return null;
  } catch (error) {
    return unwritten(error);
  }
}

function unwritten(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The ledger could not be written to its end: ${why}`;
}

/** Address of the workflow run, as the runner's variables say it; empty outside of Actions. */
export function pageOf({ env, repository }: Pick<RunInput, 'env' | 'repository'>): string {
  const { GITHUB_SERVER_URL: server = '', GITHUB_RUN_ID: id = '' } = env;
  const plain = /^https?:\/\/[\w.:-]+$/.test(server) && /^\d{1,20}$/.test(id) && repository !== '';
  return plain ? `${server}/${repository}/actions/runs/${id}` : '';
}

/** What is known of a run at a stage. */
export function factsOf(stage: RunStage): RunFacts {
  const { id, input, ledger, startedAt } = stage;
  const environment = 'environment' in stage ? stage.environment : null;
  const services = 'services' in stage ? stage.services : null;
  const prepared = 'loop' in stage ? stage : null;
  const session = services?.session;
  const proposal = proposed(stage);
  return {
    proposal,
    task: 'task' in stage ? stage.task : null,
    policy: 'policy' in stage ? stage.policy : null,
    state: prepared?.state ?? null,
    notes: [...stage.notes(), ...(services?.navigation.servers?.notes() ?? [])],
    tree: 'tree' in stage ? stage.tree : '',
    runId: id,
    startedAt,
    endedAt: input.now(),
    photon: environment?.shipped.version ?? '',
    repository: input.repository,
    page: pageOf(input),
    // a patch that was applied to a newer base lies over that base
    baseCommit: session?.git.commit ?? environment?.git.commit ?? '',
    engine: environment?.settings.engine ?? 'openai',
    model: environment?.settings.model ?? '',
    provider: environment === null ? '' : providerOf(environment.settings),
    repair: prepared?.builtin?.repair() ?? null,
    changes: session?.changes() ?? [],
    patchDigest: session?.patchDigest() ?? '',
    sandbox: services?.sandboxState() ?? { launcher: 'none', guarantees: [] },
    ledger: ledger.head(),
  };
}

function providerOf({ engine, baseUrl }: Settings): string {
  return engine === 'builtin' ? 'photon' : providerName(baseUrl);
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
export interface RunRenderers {
  summary(runs: readonly { outcome: Outcome; diff: string }[]): string;
  page(run: { outcome: Outcome; diff: string; ledger: string }): Promise<string>;
}

/**
 * Closes the ledger and writes patch, report and outcome. A failure to write them does not change how the
 * run ended: a note in the returned outcome says what could not be kept.
 */
export async function closeRun(
  { stage }: RunTracker,
  outcome: Outcome,
  { summary, page }: RunRenderers,
): Promise<FinishedRun> {
  const { folder, scrub, ledger } = stage;
  const changes = 'services' in stage ? stage.services.session.changes() : [];
  let diff = '';
  try {
    diff = scrub(renderDiff(changes));
    ledger.close();
    folder.write(folder.patchPath, diff);
    folder.write(folder.reportPath, scrub(summary([{ outcome, diff }])));
    const written = redactTexts(outcome, scrub);
    folder.write(folder.outcomePath, `${JSON.stringify(written, null, 2)}\n`);
    const statement = inTotoStatement(written, diff);
    if (statement !== null)
      folder.write(folder.statementPath, `${JSON.stringify(statement, null, 2)}\n`);
    // it shows texts without secrets: its markup could hide a secret from the search for it
    const shown = await page({ outcome: written, diff, ledger: ledger.text() });
    folder.write(folder.pagePath, scrub(shown));
    return { outcome, diff, files: folder };
  } catch (error) {
    const note = `Patch and outcome could not be kept as files: ${(error as Error).message}`;
    return { outcome: { ...outcome, notes: [...outcome.notes, note] }, diff, files: folder };
  }
}
