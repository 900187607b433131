/** One run on its way: what it has come to, and the outcome that this makes. */
import { randomBytes } from 'node:crypto';
import { codes, PhotonError } from '../codes.ts';
import { redactSecrets } from '../guard/secrets.ts';
import { type BuiltinModel, openBuiltin } from '../model/builtin/builtin.ts';
import { openModel } from '../model/client.ts';
import type { Model } from '../model/turn.ts';
import type { Delivered, Ending, Outcome } from '../outcome.ts';
import { renderDiff } from '../session/diff.ts';
import { type LawOfRun, type Ledger, openLedger } from '../session/ledger.ts';
import { openRunFolder, type RunFolder } from '../session/run-folder.ts';
import { openTimeLimit } from '../session/time-limit.ts';
import type { TrustedFiles } from '../session/trusted-files.ts';
import type { Task } from '../task.ts';
import { type Execution, executeTask, maxViolations } from './execute.ts';
import { type Law, loadLaw } from './law.ts';
import { mark } from './mark.ts';
import { endingOfError, outcomeOf, type RunFacts } from './outcome-of.ts';
import { lastPhase } from './phases.ts';
import { recordedModel, renderHeader } from './record.ts';
import type { Ground, RunInput } from './run-input.ts';

export interface Walk extends Execution {
  readonly input: RunInput;
  /** Null when the run ended before there was ground to stand on. */
  readonly ground: Ground | null;
  readonly task: Task | null;
  readonly folder: RunFolder;
  readonly ledger: Ledger;
  readonly id: string;
  readonly startedAt: number;
  law: Law | null;
  tree: string;
  notes: readonly string[];
  /** The embedded engine, when it drives the run. */
  builtin: BuiltinModel | null;
}

/** An ending, and where a committed patch was put. */
export type Delivery = Ending & { readonly delivered?: Delivered };

/** Starts a walk with a folder and a ledger of its own. Throws PhotonError `DISK`. */
export function openWalk(input: RunInput, ground: Ground | null, task: Task | null): Walk {
  const id = `${new Date(input.now()).toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(4).toString('hex')}`;
  const folder = openRunFolder(input.tempRoot, id);
  const ledger = openLedger({
    path: folder.ledgerPath,
    run: id,
    caller: input.actor || 'local',
    now: input.now,
    // no pattern character, since a path is judged again from the ledger
    scrub: text => (ground === null ? text : redactSecrets(text, ground.secrets, '(secret)')),
  });
  const about = { input, ground, task, folder, ledger, id, startedAt: input.now() };
  return { ...about, law: null, builtin: null, ...nothingYet };
}

const nothingYet = { workshop: null, store: null, progress: null, tree: '', notes: [] } as const;

/**
 * Law, model and loop; on a committed ending `deliver` is called while the session is still open.
 * @throws PhotonError for endings that are errors.
 */
export async function pursue(
  walk: Walk,
  trusted: () => Promise<TrustedFiles>,
  deliver: (ending: Ending) => Promise<Delivery>,
): Promise<Delivery> {
  const { ground, task, input } = walk;
  if (ground === null || task === null) return quietEnding(task);
  const { settings, log, shipped, git, secrets, scrub } = ground;
  const limit = openTimeLimit(input.signal, { ms: settings.timeoutMs, now: input.now });
  try {
    const { deadline, signal, clock } = limit;
    if (git.holdsCredential) walk.notes = [...walk.notes, credentialNote];
    const mindOf = () => openMind(walk, { clock, deadline, signal, log });
    const model = recording(walk, task, input.replay?.model ?? mindOf());
    walk.law = await loadLaw(settings, await trusted(), shipped);
    walk.ledger.append({
      ...mark('run.start', {
        version: walk.law.constitution.version,
        constitution: walk.law.constitutionSha256,
        prompt: walk.law.profile.sha256,
        base: git.commit,
      }),
      law: lawOfRun(walk.law),
    });
    const agentLog = {
      round: (n: number) => input.log.group(`Round ${n}`),
      think: (text: string) => input.log.line(`[Think] ${text.replace(/\s+/g, ' ')}`),
      call: (line: string) => input.log.line(line),
    };
    const random = randomBytes(8).toString('hex');
    const place = {
      git,
      shipped,
      scratch: walk.folder.scratch,
      sessionPath: walk.folder.sessionPath,
      env: input.env,
      hosted: input.hosted,
      hidePaths: input.hidePaths,
    };
    const mind = {
      task,
      law: walk.law,
      model,
      secrets,
      ledger: walk.ledger,
      deadline,
      signal,
      now: input.now,
    };
    const ending = await executeTask(
      { ...place, ...mind, scrub, log, agentLog, token: `photon${random}`, mark: `data-${random}` },
      walk,
    );
    return ending.status === 'committed' ? await deliver(ending) : await settle(walk, ending);
  } finally {
    limit.close();
    walk.store?.close();
    await walk.workshop?.close();
  }
}

interface MindOptions {
  readonly clock: ReturnType<typeof openTimeLimit>['clock'];
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** What drives the run by its settings; the endpoint is got ready, the embedded engine waits. */
function openMind(walk: Walk, options: MindOptions): Model {
  const { ground, input } = walk;
  if (ground === null) throw new PhotonError('INTERNAL');
  const { settings, shipped, scrub } = ground;
  if (settings.engine === 'openai') {
    const endpoint = openModel({ ...settings, ...options });
    endpoint.warmUp();
    return endpoint;
  }
  walk.builtin = openBuiltin({
    bench: async () => {
      const { workshop, law } = walk;
      if (workshop === null || law === null) throw new PhotonError('INTERNAL');
      // loaded here, since a run with an endpoint does not need it
      const { makeWorkbench } = await import('./workbench.ts');
      return makeWorkbench({ ...options, workshop, law, shipped, scrub, now: input.now });
    },
  });
  return walk.builtin;
}

const credentialNote =
  'The checkout holds a git credential, which commands do not see; give actions/checkout persist-credentials: false.';

/** With `record`, the task and each reply are kept beside the ledger, secrets taken out. */
function recording({ ground, folder, input, id }: Walk, task: Task, model: Model): Model {
  if (ground?.settings.record !== true) return model;
  const keep = (line: string) => folder.append(folder.recordPath, ground.scrub(line));
  keep(renderHeader(id, task, input.inputs));
  return recordedModel(model, keep);
}

/** The rules without their prose, which its sha256 stands for. */
function lawOfRun({ constitution, settings }: Law): LawOfRun {
  const { folders } = constitution;
  const bare = folders.map(f => ({ ...f, prose: '' }));
  return {
    constitution: { ...constitution, prose: '', folders: bare },
    violations: maxViolations(settings, constitution),
  };
}

/**
 * Judges the trace of a run again before anything is delivered (constitution §2).
 * @throws PhotonError `EXECUTION_INVALID`.
 */
export async function requireValidTrace({ ledger, law }: Walk): Promise<void> {
  if (law === null) throw new PhotonError('INTERNAL');
  // loaded here, since the first request to the model does not wait for it
  const { auditLedger } = await import('./audit.ts');
  const { finding } = auditLedger(ledger.text(), { shipped: law.shipped, complete: false });
  if (finding === null) return;
  const { seq, code, message } = finding;
  throw new PhotonError('EXECUTION_INVALID', `Entry ${seq} of the ledger: ${code}: ${message}.`);
}

function quietEnding(task: Task | null): Ending {
  const code = task === null ? 'TASK_MISSING' : 'INTERNAL';
  return { status: 'failed', code, phase: 'INPUT', message: codes[code].meaning };
}

/** A finish without a patch: nothing to do unless the tests fail as they stand, which is a failure. */
async function settle(walk: Walk, ending: Ending): Promise<Ending> {
  if (ending.status !== 'no_change') return ending;
  const baseline = await walk.workshop?.verifier?.baseline();
  if (baseline && !baseline.passed)
    return {
      ...ending,
      status: 'failed',
      message: 'The run changed nothing, though the tests fail.',
    };
  return walk.task?.trigger === 'schedule'
    ? { ...ending, code: 'NOTHING_TO_DO', message: codes.NOTHING_TO_DO.meaning }
    : ending;
}

/** Whatever happens in `work`, there is one outcome. */
export async function outcomeOfWalk(walk: Walk, work: () => Promise<Delivery>): Promise<Outcome> {
  const made = await work().then(
    ({ delivered, ...ending }) => ({ ending, more: delivered === undefined ? {} : { delivered } }),
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

/** What is known of a walk now. */
export function factsOf(walk: Walk): RunFacts {
  const { input, ground, task, workshop, progress, law, tree, notes } = walk;
  const session = workshop?.session;
  return {
    ...{
      task,
      law,
      progress,
      notes: [...notes, ...(workshop?.navigation.servers?.notes() ?? [])],
      tree,
      runId: walk.id,
      startedAt: walk.startedAt,
      endedAt: input.now(),
    },
    photon: ground?.shipped.version ?? '',
    repository: input.repository,
    baseCommit: ground?.git.commit ?? '',
    engine: ground?.settings.engine ?? 'openai',
    model: ground?.settings.model ?? '',
    repair: walk.builtin?.repair() ?? null,
    changes: session?.changes() ?? [],
    patchDigest: session?.patchDigest() ?? '',
    sandbox: workshop?.sandboxState() ?? { launcher: 'none', guarantees: [] },
    ledger: walk.ledger.head(),
  };
}

/**
 * Closes the ledger and writes patch and outcome. A disk that takes neither does not change how the
 * run ended: the outcome that is returned says in a note what could not be kept.
 */
export function closeWalk(walk: Walk, outcome: Outcome): { outcome: Outcome; diff: string } {
  const { folder } = walk;
  const scrub = walk.ground?.scrub ?? ((text: string) => text);
  const diff = scrub(renderDiff(walk.workshop?.session.changes() ?? []));
  walk.ledger.close();
  try {
    folder.write(folder.patchPath, diff);
    folder.write(folder.outcomePath, scrub(`${JSON.stringify(outcome, null, 2)}\n`));
    return { outcome, diff };
  } catch (error) {
    const note = `Patch and outcome could not be kept as files: ${(error as Error).message}`;
    return { outcome: { ...outcome, notes: [...outcome.notes, note] }, diff };
  }
}
