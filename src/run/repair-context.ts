/** The repair context of a run: texts, syntax trees, and copies of the checkout in the sandbox. */
import { availableParallelism } from 'node:os';
import type { Task } from '../base/task.ts';
import { isTestPath } from '../ecosystems/tests/path-classes.ts';
import { protectedMatcher } from '../guard/paths.ts';
import { policyFor } from '../guard/policy/constitution.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import type { BaselineEnd, RepairContext, RunnerView, TaskText } from '../repair/engine.ts';
import { listGrantedTools } from '../skills/skill.ts';
import { requireStarted, runInView } from '../verify/set-up/run-in-view.ts';
import type { Verifier } from '../verify/verify.ts';
import type { FileState } from '../workspace/files/change.ts';
import { readBounded } from '../workspace/files/read-foreign.ts';
import type { RunServices } from './services/run-services.ts';
import { isApart } from './services/sandbox.ts';
import type { LoadedRun } from './stages.ts';

interface RepairContextOptions {
  /** What the commands are for. */
  readonly caller: 'repair' | 'proof';
  readonly log: (line: string) => void;
  readonly limit: Pick<TimeLimit, 'deadline' | 'signal'>;
}

/** A task as the engine reads it: without what Photon added to it. */
export function describeRepairTask({ prompt, trigger, context }: Task): TaskText {
  const texts = context.filter(c => c.author !== 'Photon').map(c => c.text);
  return { prompt, isFix: trigger === 'comment', context: texts };
}

const outputBytes = 4_000_000;
const maxCopies = 8;
/** Share of the run's time that the engine leaves for verification and delivery. */
const reservedShare = 0.25;
/** Maximum milliseconds of a search, however much time the run has. */
const maxSearchMs = 300_000;

/** Makes the repair context. Copies are opened when the engine needs them. */
export async function makeRepairContext(
  run: LoadedRun,
  services: RunServices,
  options: RepairContextOptions,
): Promise<RepairContext> {
  const { request, policy } = run;
  const { environment, input } = request;
  const { caller, log, limit } = options;
  const { deadline, signal } = limit;
  const { now } = input;
  const { session, symbols, verifier } = services;
  const { settings, constitution } = policy;
  const text = async (path: string) => {
    const file = await session.text(path);
    if (file === undefined || file === 'binary' || file.encoding !== undefined) return undefined;
    return file.lines.join('\n') + (file.lines.length > 0 ? '\n' : '');
  };
  const apart = services.testCommand !== undefined && isApart(await services.sandbox(), settings);
  const left = Math.max(0, deadline - now());
  const apply = new Set(['apply_patch']);
  const patching = policy.skills.filter(s => listGrantedTools(s, apply).length > 0);
  return {
    testCommand: services.testCommand,
    baseline:
      caller === 'repair' && verifier !== undefined ? () => runBaseline(verifier) : undefined,
    report: settings.report,
    testTimeoutMs: settings.testTimeoutMs,
    copies: apart ? Math.min(maxCopies, availableParallelism()) : 1,
    skill: (patching.find(s => s.name === 'test-repair') ?? patching[0])?.name,
    files: async () =>
      (await session.files()).filter(f => f.mode.startsWith('100')).map(f => f.path),
    text,
    isTest: isTestPath,
    mayChange: rememberAnswers(
      path =>
        !isTestPath(path) &&
        protectedMatcher(policyFor(constitution, [path]).protectedPaths)(path) === undefined,
    ),
    withTree: (path, source, look) => symbols.withTree(path, source, look),
    runner: environment.shipped.runner,
    open: () => openRepairView(run, services, options),
    log,
    now,
    deadline: now() + Math.min(maxSearchMs, left * (1 - reservedShare)),
    signal,
  };
}

/** How the verifier's run before the patch ends. */
async function runBaseline(verifier: Verifier): Promise<BaselineEnd> {
  const { exitCode, outputTail } = (await verifier.run([])).run;
  return { exitCode: exitCode ?? undefined, output: outputTail };
}

/** A function of a path that is computed once for each path, because coverage names a path for each line. */
function rememberAnswers(decide: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return path => {
    const found = known.get(path) ?? decide(path);
    known.set(path, found);
    return found;
  };
}

async function openRepairView(
  { request: { scrub }, policy: { settings } }: LoadedRun,
  services: RunServices,
  { caller, limit: { signal } }: RepairContextOptions,
): Promise<RunnerView> {
  const { sandbox, view } = await services.openSetUp(services.session.changes(), signal);
  const limits = { maxOutputBytes: outputBytes, signal };
  const network = settings.network.commands === 'allow';
  return {
    run: async (command, timeoutMs) => {
      const how = { ...limits, caller, command, network, timeoutMs };
      const end = await runInView({ sandbox, view }, how);
      requireStarted(end, scrub);
      return end;
    },
    place: async files => {
      const states = [...files].map(
        async ([path, text]) => [path, await makeFileState(services, path, text)] as const,
      );
      await view.place(new Map(await Promise.all(states)));
    },
    read: path => readBounded(view.written, path),
    // a file that cannot be removed is removed with the folder of the run
    close: () => void view.close().catch(() => {}),
  };
}

/** A text as a file state: the mode of the file that it replaces, and LF line ends. */
async function makeFileState(
  { session }: RunServices,
  path: string,
  text: string | undefined,
): Promise<FileState | undefined> {
  if (text === undefined) return undefined;
  const before = await session.state(path);
  return { mode: before?.mode ?? '100644', bytes: Buffer.from(text) };
}
