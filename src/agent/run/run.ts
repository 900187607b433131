/** One run on its way: what it has come to, and the outcome that this makes. */
import { randomBytes } from 'node:crypto';
import { codes, PhotonError } from '../../codes.ts';
import type { RunPolicy } from '../../ledger/ledger.ts';
import { mark } from '../../ledger/mark.ts';
import { openModel } from '../../model/client.ts';
import { parserVersions } from '../../model/protocol.ts';
import type { Model } from '../../model/turn.ts';
import type { Delivered, Ending, Staged } from '../../outcome.ts';
import type { TimeLimit } from '../../process/time-limit.ts';
import { openBuiltin } from '../../repair/engine.ts';
import type { TaskText } from '../../repair/match-task.ts';
import type { Task } from '../../task.ts';
import { openFolderFiles, type TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import { loadPolicy, type Policy } from '../context/policy.ts';
import { openDayShare } from '../limits/day-budget.ts';
import { planEnding } from '../limits/run-mode.ts';
import type { Rejected } from '../loop/take-turn.ts';
import { modelAfter, recordedModel, renderHeader } from './record.ts';
import type { Walk } from './run-context.ts';
import { executeTask, maxViolations } from './run-loop.ts';
import { memoryTimeoutMs, remember } from './run-memory.ts';

/** An ending, and where a committed patch was put. */
export type Delivery = Ending & { readonly delivered?: Delivered; readonly staged?: Staged };

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
    const engineOf = () => openEngine(walk, { clock, deadline, signal, log });
    const model = modelAfter(ready, recording(walk, task, input.replay?.model ?? engineOf()));
    walk.policy = await loadPolicy({
      ...{ settings, trusted: await trusted(), shipped },
      ...(input.watchSkills ? { skillFiles: openFolderFiles(git.checkout) } : {}),
    });
    walk.ledger.append({
      ...mark('run.start', {
        version: walk.policy.constitution.version,
        constitution: walk.policy.constitutionSha256,
        ...promptFacts(walk.policy),
        base: git.commit,
      }),
      policy: runPolicy(walk.policy),
    });
    share = await openDayShare({
      run: walk.id,
      settings,
      memory: ground.memory,
      nowMs: input.now(),
      retry: { random: clock.random, wait: limit.pause },
      spent: () => walk.progress?.spent ?? null,
      note: text => {
        walk.notes = [...walk.notes, text];
      },
    });
    if (share !== null && 'status' in share) return share;
    const ending = await execute(walk, walk.policy, { model, limit });
    const ended =
      ending.status === 'committed' ? await deliver(ending) : await settle(walk, ending);
    await remember(walk, ended);
    return ended;
  } finally {
    if (share !== null && 'settle' in share) await share.settle();
    walk.memory?.close();
    walk.store?.close();
    await walk.services?.close();
  }
}

interface EngineOptions {
  readonly clock: TimeLimit['clock'];
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** What drives the run by its settings; the endpoint is got ready, the embedded engine waits. */
function openEngine(walk: Walk, options: EngineOptions): Model {
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
    context: async () => {
      const { services, policy } = walk;
      if (services === null || policy === null) throw new PhotonError('INTERNAL');
      // loaded here, since a run with an endpoint does not need it
      const { makeRepairContext } = await import('./repair-context.ts');
      return makeRepairContext({ ...options, services, policy, shipped, scrub, now: input.now });
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
  policy: Policy,
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
  const engine = {
    task,
    policy,
    model,
    secrets,
    ledger: walk.ledger,
    deadline,
    signal,
    now: input.now,
  };
  return executeTask(
    {
      ...{ ...place, ...engine, scrub, log, agentLog, keepRejected: rejectedKeeper(walk) },
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
const maxRejectedBytes = 10_000_000;

/** Keeps the text of replies that could not be read beside the ledger, secrets taken out. */
function rejectedKeeper({ ground, folder }: Walk): (rejected: Rejected) => void {
  let bytes = 0;
  return rejected => {
    const line = `${ground?.scrub(JSON.stringify(rejected)) ?? ''}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes <= maxRejectedBytes) folder.append(folder.rejectedPath, line);
  };
}

/** Which prompt a run follows, and how its replies are read. */
function promptFacts({ profile }: Policy) {
  const { sha256: prompt, agentName: agent, version: profileVersion, protocol, memory } = profile;
  return { prompt, agent, profileVersion, protocol, memory, parser: parserVersions[protocol] };
}

/** The rules without their prose, which its sha256 stands for. */
function runPolicy({ constitution, settings }: Policy): RunPolicy {
  const { folders } = constitution;
  const bare = folders.map(f => ({ ...f, prose: '' }));
  return {
    constitution: { ...constitution, prose: '', folders: bare },
    violations: maxViolations(settings, constitution),
  };
}

function quietEnding(task: Task | null): Ending {
  const code = task === null ? 'TASK_MISSING' : 'INTERNAL';
  return { status: 'failed', code, phase: 'INPUT', message: codes[code].meaning };
}

/** A finish without a patch: nothing to do unless the tests fail as they stand, which is a failure. */
async function settle(walk: Walk, ending: Ending): Promise<Ending> {
  if (walk.task?.until !== undefined) return planEnding(walk.task, ending);
  if (ending.status !== 'no_change') return ending;
  const baseline = await walk.services?.verifier?.baseline();
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
