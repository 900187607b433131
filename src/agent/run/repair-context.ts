/** What the embedded engine gets of a run: texts, trees, and copies of the checkout behind the sandbox. */
import { availableParallelism } from 'node:os';
import { PhotonError } from '../../codes.ts';
import { policyFor } from '../../guard/constitution.ts';
import { closedBy } from '../../guard/paths.ts';
import type { RepairContext } from '../../repair/repair-context.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { parseJsonReport } from '../../testing/report-json.ts';
import { parseJunit } from '../../testing/report-junit.ts';
import { parseTap } from '../../testing/report-tap.ts';
import type { ReportedCase, RunnerView } from '../../testing/runners/runner-context.ts';
import { isTestPath } from '../../testing/test-paths.ts';
import type { FileState } from '../../workspace/files/change.ts';
import { readBounded } from '../../workspace/files/read-foreign.ts';
import type { Shipped } from '../../workspace/trusted/shipped.ts';
import type { View } from '../../workspace/views/view.ts';
import type { Policy } from '../context/policy.ts';
import type { RunServices } from './run-services.ts';

export interface RepairContextOptions {
  readonly services: RunServices;
  readonly policy: Policy;
  readonly shipped: Shipped;
  readonly log: (line: string) => void;
  readonly scrub: (text: string) => string;
  readonly now: () => number;
  readonly deadline: number;
  readonly signal: AbortSignal;
}

const outputBytes = 4_000_000;
const maxCopies = 8;
/** Part of the run's time that the engine leaves to the verification and the delivery. */
const reservedShare = 0.25;
/** Most milliseconds of a search, however much time the run has. */
const maxSearchMs = 600_000;

/** Makes the workbench; copies are opened when the engine asks for them. */
export async function makeRepairContext(options: RepairContextOptions): Promise<RepairContext> {
  const { services, policy, shipped, log, now, deadline, signal } = options;
  const { session, symbols } = services;
  const { settings, constitution } = policy;
  const text = async (path: string) => {
    const file = await session.text(path);
    if (file === null || file === 'binary' || file.encoding !== undefined) return null;
    return file.lines.join('\n') + (file.lines.length > 0 ? '\n' : '');
  };
  const { launcher } =
    services.testCommand === null ? { launcher: 'plain' } : await services.sandbox();
  const left = Math.max(0, deadline - now());
  return {
    testCommand: services.testCommand,
    report: settings.report,
    testTimeoutMs: settings.testTimeoutMs,
    // without walls the copies share ports and temporary files
    copies: launcher === 'plain' ? 1 : Math.min(maxCopies, availableParallelism()),
    skill:
      policy.skills.find(s => s.allowedTools.includes('apply_patch') && s.name === 'test-repair')
        ?.name ??
      policy.skills.find(s => s.allowedTools.includes('apply_patch'))?.name ??
      null,
    files: async () =>
      (await session.files()).filter(f => f.mode.startsWith('100')).map(f => f.path),
    text,
    isTest: isTestPath,
    mayChange: path =>
      !isTestPath(path) && closedBy(policyFor(constitution, [path]).protectedPaths)(path) === null,
    withTree: (path, source, look) => symbols.withTree(path, source, look),
    readCases,
    runner: shipped.runner,
    testsNeverEnd: () => services.verifier?.endBaseline(),
    open: () => openRepairView(options),
    log,
    now,
    deadline: now() + Math.min(maxSearchMs, left * (1 - reservedShare)),
    signal,
  };
}

async function readCases(text: string): Promise<readonly ReportedCase[] | null> {
  const read = (await parseJunit(text)) ?? parseJsonReport(text) ?? parseTap(text);
  return read === 'too-large' ? null : read;
}

async function openRepairView(options: RepairContextOptions): Promise<RunnerView> {
  const { services, policy, signal } = options;
  const { settings } = policy;
  const sandbox = await services.sandbox();
  const view = await services.openView(sandbox, services.session.changes());
  const run = (line: string, timeoutMs: number, network: boolean) =>
    inView({ sandbox, view, signal }, { line, timeoutMs, network });
  try {
    if (settings.setupCommand !== '') {
      const end = await run(
        settings.setupCommand,
        settings.testTimeoutMs,
        settings.network !== 'none',
      );
      if (end.exitCode !== 0)
        throw new PhotonError(
          'SETUP_FAILED',
          `The set-up command failed:\n${options.scrub(end.output).slice(-1500)}`,
        );
    }
  } catch (error) {
    await view.close();
    throw error;
  }
  const network = settings.network === 'allow';
  return {
    run: (line, timeoutMs) => run(line, timeoutMs, network),
    start: argv => sandbox.start({ argv, view, cwd: '.', network }),
    place: async files => {
      const states = [...files].map(
        async ([path, text]) => [path, await stateOf(services, path, text)] as const,
      );
      await view.place(new Map(await Promise.all(states)));
    },
    read: path => readBounded(view.written, path),
    // what cannot be removed goes with the folder of the run
    close: () => void view.close().catch(() => {}),
  };
}

interface Inside {
  readonly sandbox: Sandbox;
  readonly view: View;
  readonly signal: AbortSignal;
}

async function inView(
  { sandbox, view, signal }: Inside,
  { line, timeoutMs, network }: { line: string; timeoutMs: number; network: boolean },
) {
  const argv = ['sh', '-c', line];
  const end = await sandbox.run({
    argv,
    view,
    cwd: '.',
    network,
    timeoutMs,
    maxOutputBytes: outputBytes,
    signal,
  });
  if (end.cancelled)
    throw signal.reason instanceof PhotonError ? signal.reason : new PhotonError('CANCELLED');
  return end;
}

/** A text as a state: the mode of the file that it takes the place of, lines ended by LF. */
async function stateOf(
  { session }: RunServices,
  path: string,
  text: string | null,
): Promise<FileState | null> {
  if (text === null) return null;
  const before = await session.state(path);
  return { mode: before?.mode ?? '100644', bytes: Buffer.from(text) };
}
