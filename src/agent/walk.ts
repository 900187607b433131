/** One run on its way: what it has come to, and the outcome that this makes. */
import { randomBytes } from 'node:crypto';
import { codes, PhotonError } from '../codes.ts';
import { redactSecrets } from '../guard/secrets.ts';
import { type BuiltinModel, openBuiltin } from '../model/builtin/builtin.ts';
import type { TaskText } from '../model/builtin/match-task.ts';
import { openModel } from '../model/client.ts';
import { parserVersions } from '../model/protocol.ts';
import type { Model } from '../model/turn.ts';
import type { Delivered, Ending, Staged } from '../outcome.ts';
import type { FileChange } from '../session/change.ts';
import { type LawOfRun, type Ledger, openLedger } from '../session/ledger.ts';
import { openRunFolder, type RunFolder } from '../session/run-folder.ts';
import type { TimeLimit } from '../session/time-limit.ts';
import { openFolderFiles, type TrustedFiles } from '../session/trusted-files.ts';
import type { Task } from '../task.ts';
import { openDayShare } from './day-budget.ts';
import { type Execution, executeTask, maxViolations } from './execute.ts';
import { type Law, loadLaw } from './law.ts';
import { mark } from './mark.ts';
import { modelAfter, recordedModel, renderHeader } from './record.ts';
import type { Ground, RunInput } from './run-input.ts';
import { planEnding } from './run-mode.ts';
import type { Rejected } from './take-turn.ts';
import { memoryTimeoutMs, remember } from './walk-memory.ts';

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
  /** Called as a round begins, with its number. */
  onRound: ((round: number) => void) | null;
  /** Head of the task's branch as the run saw it when it began; undefined when it did not look. */
  startedFrom: Promise<string | null | undefined> | undefined;
  /** What the base moved by since the checkout, when the patch was applied to the newer one. */
  drift: readonly FileChange[];
  notes: readonly string[];
  /** What a person approves the plan of this run by; empty when there is nothing to approve. */
  planDigest: string;
  /** The embedded engine, when it drives the run. */
  builtin: BuiltinModel | null;
}

/** An ending, and where a committed patch was put. */
export type Delivery = Ending & { readonly delivered?: Delivered; readonly staged?: Staged };

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
  return {
    ...about,
    law: null,
    workshop: null,
    store: null,
    progress: null,
    memory: null,
    tree: '',
    onRound: null,
    startedFrom: undefined,
    drift: [],
    notes: [],
    planDigest: '',
    builtin: null,
  };
}

/** What a run is given from outside while it goes. */
export interface Pursuit {
  readonly limit: TimeLimit;
  /** What must hold before the model is asked; it throws when it does not. */
  readonly ready: Promise<unknown>;
  readonly trusted: () => Promise<TrustedFiles>;
  /** Called on a committed ending, while the session is still open. */
  readonly deliver: (ending: Ending) => Promise<Delivery>;
}

/**
 * Law, model, loop and delivery.
 * @throws PhotonError for endings that are errors.
 */
export async function pursue(
  walk: Walk,
  { limit, ready, trusted, deliver }: Pursuit,
): Promise<Delivery> {
  const { ground, task, input } = walk;
  if (ground === null || task === null) return quietEnding(task);
  const { settings, log, shipped, git } = ground;
  let share: Awaited<ReturnType<typeof openDayShare>> = null;
  try {
    const { deadline, signal, clock } = limit;
    if (git.holdsCredential) walk.notes = [...walk.notes, credentialNote];
    const mindOf = () => openMind(walk, { clock, deadline, signal, log });
    const model = modelAfter(ready, recording(walk, task, input.replay?.model ?? mindOf()));
    walk.law = await loadLaw({
      ...{ settings, trusted: await trusted(), shipped },
      ...(input.watchSkills ? { skillFiles: openFolderFiles(git.checkout) } : {}),
    });
    walk.ledger.append({
      ...mark('run.start', {
        version: walk.law.constitution.version,
        constitution: walk.law.constitutionSha256,
        ...promptFacts(walk.law),
        base: git.commit,
      }),
      law: lawOfRun(walk.law),
    });
    share = await openDayShare(walk, { random: clock.random, wait: limit.pause });
    if (share !== null && 'status' in share) return share;
    const ending = await execute(walk, walk.law, { model, limit });
    const ended =
      ending.status === 'committed' ? await deliver(ending) : await settle(walk, ending);
    await remember(walk, ended);
    return ended;
  } finally {
    if (share !== null && 'settle' in share) await share.settle();
    walk.memory?.close();
    walk.store?.close();
    await walk.workshop?.close();
  }
}

interface MindOptions {
  readonly clock: TimeLimit['clock'];
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** What drives the run by its settings; the endpoint is got ready, the embedded engine waits. */
function openMind(walk: Walk, options: MindOptions): Model {
  const { ground, input, task } = walk;
  if (ground === null || task === null) throw new PhotonError('INTERNAL');
  const { settings, shipped, scrub } = ground;
  if (settings.engine === 'openai') {
    const endpoint = openModel({ ...settings, ...options });
    endpoint.warmUp();
    return endpoint;
  }
  walk.builtin = openBuiltin({
    task: taskTextOf(task),
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

/** The words of a task, without those that Photon set beside them. */
function taskTextOf({ prompt, trigger, context }: Task): TaskText {
  const said = context.filter(c => c.author !== 'Photon').map(c => c.text);
  return { prompt, isFix: trigger === 'comment', context: said };
}

/** Carries the task out with what the walk has. */
async function execute(
  walk: Walk,
  law: Law,
  { model, limit }: { readonly model: Model; readonly limit: TimeLimit },
): Promise<Ending> {
  const { ground, task, input } = walk;
  if (ground === null || task === null) throw new PhotonError('INTERNAL');
  const { log, shipped, git, secrets, scrub } = ground;
  const { deadline, signal, clock } = limit;
  const agentLog = {
    round: (n: number) => {
      walk.onRound?.(n);
      input.log.group(`Round ${n}`);
    },
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
    programs: input.programs,
    hosted: input.hosted,
    hidePaths: input.hidePaths,
    watch: input.watchSkills === true,
  };
  const mind = {
    task,
    law,
    model,
    secrets,
    ledger: walk.ledger,
    deadline,
    signal,
    now: input.now,
  };
  return executeTask(
    {
      ...{ ...place, ...mind, scrub, log, agentLog, keepRejected: rejectedKeeper(walk) },
      ...{ token: `photon${random}`, mark: `data-${random}` },
      memory: ground.memory,
      memoryTimeout: until => clock.sleep(memoryTimeoutMs, until),
      note: text => {
        walk.notes = [...walk.notes, text];
      },
    },
    walk,
  );
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

/** Most bytes of refused replies that a run keeps; past it, the ledger's digest stands for them. */
const mostRejectedBytes = 10_000_000;

/** Keeps the text of replies that could not be read beside the ledger, secrets taken out. */
function rejectedKeeper({ ground, folder }: Walk): (rejected: Rejected) => void {
  let bytes = 0;
  return rejected => {
    const line = `${ground?.scrub(JSON.stringify(rejected)) ?? ''}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes <= mostRejectedBytes) folder.append(folder.rejectedPath, line);
  };
}

/** Which prompt a run follows, and how its replies are read. */
function promptFacts({ profile }: Law) {
  const { sha256: prompt, agentName: agent, version: profileVersion, protocol, memory } = profile;
  return { prompt, agent, profileVersion, protocol, memory, parser: parserVersions[protocol] };
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
  if (walk.task?.until !== undefined) return planEnding(walk.task, ending);
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
