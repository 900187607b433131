/** Opens the services of a run: session, sandbox, verifier, navigation. */
import { randomBytes } from 'node:crypto';
import { PhotonError } from '../../codes.ts';
import { detectNarrower } from '../../ecosystems/commands/detect.ts';
import { findProofCommands, type ProofCommands } from '../../ecosystems/commands/runnable.ts';
import type { ProjectFiles } from '../../ecosystems/shared/project-files.ts';
import type { McpServers } from '../../mcp/servers.ts';
import { openSymbolThread } from '../../navigation/symbol-thread.ts';
import type { Outcome } from '../../outcome.ts';
import { openInstalled } from '../../process/programs.ts';
import { openCommandView } from '../../sandbox/command-view.ts';
import { logCommands } from '../../sandbox/log-commands.ts';
import { mustHold, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Settings } from '../../settings/settings.ts';
import { type BaseFiles, openBaseFiles } from '../../verify/base-files.ts';
import type { SetUpCache } from '../../verify/set-up/set-up-cache.ts';
import { type OpenSetUp, shareSetUp } from '../../verify/set-up/set-up-views.ts';
import { openVerifier, type Verifier, type VerifierOptions } from '../../verify/verify.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { readBounded } from '../../workspace/files/read-foreign.ts';
import type { Git } from '../../workspace/git/git.ts';
import { joinChanges } from '../../workspace/git/reapply.ts';
import { openSession, type Session } from '../../workspace/session/session.ts';
import type { SessionStore } from '../../workspace/session/session-store.ts';
import { openViews, type View } from '../../workspace/views/view.ts';
import { openNavigation } from '../context/navigation.ts';
import { namedPaths } from '../context/prompt.ts';

import { openEgressLog } from './egress-log.ts';
import { type KeptSetUps, openKeptSetUps } from './kept-set-ups.ts';
import { measurePatch } from './measure-patch.ts';
import type { RunServices } from './run-services.ts';
import type { LoadedRun } from './stages.ts';

/**
 * Opens the services of a run over its checkout. A sandbox that must hold, or that will be needed for the tests, is opened
 * at once, before the model gets a request.
 * @throws PhotonError `SETTING_INVALID`, `VERIFY_COMMAND_MISSING`, `TEST_COMMAND_UNRUNNABLE`, `SANDBOX_UNAVAILABLE`, `GIT`.
 */
export async function openRunServices(
  run: LoadedRun,
  { signal, store }: { readonly signal: AbortSignal; readonly store: SessionStore },
): Promise<RunServices> {
  const { environment, policy, folder, input, task } = run;
  const { settings } = policy;
  const { git, shipped, log } = environment;
  const session = openSession(git);
  const kept = openKeptSetUps(run);
  const sandbox = lazySandbox(run, { store, kept });
  const open = openViews({ git, scratch: folder.scratch, programs: input.programs });
  const openOwnView: OpenOwnView = ({ support }, changes) => open(support, changes);
  const proof = await findProof(run, session);
  // loaded for the task of a finding alone
  const alerts =
    task.alert === undefined || settings.sarifCommand === ''
      ? null
      : await import('../../verify/verify-alert.ts');
  const onBase = (base: Git, openView: OpenOwnView, measure: VerifierOptions['measure']) => {
    const isFirst = base === git;
    const files = openBaseFiles(base, {
      command: proof?.command ?? '',
      setupCommand: proof?.setupCommand ?? '',
    });
    const setUp = proof?.setupCommand ?? settings.setupCommand;
    const cache = (isFirst && kept?.cacheFor(setUp, files)) || null;
    const parts = { sandbox: sandbox.open, openView, files, cache };
    const openSetUp = makeSetUp(run, setUp, parts);
    const scanner = openBaseFiles(base, { command: settings.sarifCommand, setupCommand: '' });
    const scan = alerts && { ...alerts, commandFiles: scanner.commandFiles };
    const options = { ...files, openSetUp, signal, measure, scan, sandbox: sandbox.open };
    return { openSetUp, verifier: proof === null ? null : makeVerifier(run, proof, options) };
  };
  const measures = settings.proofBudgetMs !== 0;
  const measureWith =
    (over: () => RunServices): VerifierOptions['measure'] =>
    patch =>
      measurePatch(run, over(), { patch, signal });
  const { openSetUp, verifier } = onBase(
    git,
    openOwnView,
    measures ? measureWith(() => services) : null,
  );
  const openSeen = async (seenUntil: AbortSignal) => {
    try {
      return (await openSetUp([], seenUntil)).view;
    } catch (error) {
      if (!(error instanceof PhotonError) || error.code !== 'SETUP_FAILED') throw error;
      log('The set-up failed, so run_command works without it.');
      return openOwnView(await sandbox.open(), []);
    }
  };
  const commands = openCommandView({ sandbox: sandbox.open, open: openSeen }, session);
  if (opensFirst(run, proof)) await sandbox.open();
  const mcp = await openMcp(run, { session, sandbox: sandbox.open, openView: openOwnView, signal });
  const symbols = openSymbolThread(shipped, shipped);
  const parts = { session, symbols, sandbox: sandbox.open, openView: openOwnView };
  const navigation = openNavigation({ ...parts, settings, env: input.env, log });
  const runner: RunServices['runner'] = { adapter: null };
  const services: RunServices = {
    session,
    symbols,
    navigation,
    commands,
    mcp,
    verifier,
    reopen: async (other, drift) => {
      // views are made of the checkout, which still holds the old base
      const openMoved: OpenOwnView = (opened, changes) =>
        openOwnView(opened, joinChanges(drift, changes));
      const own = { session: openSession(other), runner: { adapter: null } };
      const moved = onBase(
        other,
        openMoved,
        measures && isStrict(settings)
          ? measureWith(() => ({ ...services, ...own, ...moved }))
          : null,
      );
      return { ...own, verifier: moved.verifier };
    },
    testCommand: proof?.command ?? null,
    sandbox: sandbox.open,
    openSetUp,
    runner,
    sandboxState: sandbox.state,
    close: () => closeAll([runner.adapter, verifier, navigation, symbols, mcp, commands, sandbox]),
  };
  return services;
}

/** Closes all in order, each also when one before it cannot be closed. */
async function closeAll(
  parts: readonly ({ close(): void | Promise<void> } | null)[],
): Promise<void> {
  const open = new AsyncDisposableStack();
  for (const each of parts.toReversed()) open.defer(() => each?.close());
  await open.disposeAsync();
}

/** True if the sandbox must hold, or if the tests will need it: who has none learns it before a model is paid for. */
function opensFirst({ policy, input }: LoadedRun, proof: Proof | null): boolean {
  const { sandbox } = policy.settings;
  return (sandbox !== 'none' && proof !== null) || mustHold(sandbox, input.env);
}

/** The MCP servers of the configuration; a run without any loads nothing of them. */
async function openMcp(
  { policy: { settings }, environment, note }: LoadedRun,
  parts: {
    readonly session: Session;
    readonly sandbox: () => Promise<Sandbox>;
    readonly openView: OpenOwnView;
    readonly signal: AbortSignal;
  },
): Promise<McpServers | null> {
  const { mcpServers: servers, network } = settings;
  if (Object.keys(servers).length === 0) return null;
  const { openMcpServers } = await import('../../mcp/servers.ts');
  return openMcpServers({
    ...parts,
    servers,
    openView: (support, changes) => parts.openView({ support }, changes),
    network: network.commands === 'allow',
    log: line => {
      environment.log(line);
      note(line);
    },
  });
}

/** A sandbox whose guarantees may be missing is opened by the first command. */
function lazySandbox(
  { environment, policy, folder, input, scrub }: LoadedRun,
  { store, kept }: { readonly store: SessionStore; readonly kept: KeptSetUps | null },
) {
  const { settings } = policy;
  const { git, log } = environment;
  let opening: Promise<Sandbox> | null = null;
  let opened: Sandbox | null = null;
  const { hosts } = settings.network;
  const egress = hosts === null ? null : openEgressLog(hosts, { log, scrub });
  const open = () => {
    // loaded here, since the first request to the model does not wait for it
    opening ??= import('../../sandbox/open-sandbox.ts')
      .then(({ openSandbox }) =>
        openSandbox({
          mode: settings.sandbox,
          hosted: input.hosted,
          scratch: folder.scratch,
          hidePaths: [...input.hidePaths, kept === null ? undefined : kept.folder].filter(
            item => item !== undefined,
          ),
          env: input.env,
          programs: input.programs,
          token: `photon${randomBytes(8).toString('hex')}`,
          log,
          workspacePath: git.checkout,
          extraEnv: settings.commandEnv,
          readPaths: settings.commandReads,
          memoryBytes: settings.commandMemoryBytes,
          processes: settings.commandProcesses,
          hosts,
          connected: egress === null ? undefined : egress.connected,
        }),
      )
      .then(bare => {
        const sandbox = logCommands(bare, {
          record: store.recordCommand,
          now: input.now,
          scrub,
          begin: input.log.watch?.begin,
        });
        opened = sandbox;
        const missing = sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
        const state =
          missing.length > 0 ? `without ${missing.join(', ')}` : 'every guarantee holds';
        log(`Sandbox: ${sandbox.launcher}, ${state}.`);
        return sandbox;
      });
    return opening;
  };
  return {
    open,
    state: (): Outcome['sandbox'] => {
      const { launcher = 'none', guarantees = [] } = opened ?? {};
      const online = settings.network.commands !== 'none' && settings.setupCommand !== '';
      const setUpNetwork = (online && opened?.setUpNetwork()) || [];
      const setUpCache = kept?.use() ?? null;
      return {
        launcher,
        guarantees,
        setUpNetwork: setUpNetwork.length > 0 ? setUpNetwork : undefined,
        setUpCache: setUpCache ?? undefined,
        egress: egress === null ? undefined : egress.use(),
      };
    },
    close: async () => (await opening?.catch(() => null))?.close(),
  };
}

/** How a patch of this run is proven. */
interface Proof extends ProofCommands {
  readonly require: VerifierOptions['require'];
}

/** True if the requirement is about what the tests show of each line. */
function isStrict({ require }: Pick<Settings, 'require'>): boolean {
  return require === 'executed' || require === 'decided';
}

/** Null when verification is waived. */
async function findProof(
  { environment, policy, input, task }: LoadedRun,
  session: Session,
): Promise<Proof | null> {
  const { settings } = policy;
  const { git, log } = environment;
  // an answer is about the code as it is
  if (settings.require === 'none' || task.until === 'answer') return null;
  if (isStrict(settings) && settings.proofBudgetMs === 0)
    throw new PhotonError(
      'SETTING_INVALID',
      `verify is ${settings.require}, which needs the proof, and proof-seconds is 0. Give it time, or set verify to pass.`,
    );
  const installed = openInstalled(input.env.PATH ?? '', git.checkout);
  const given = { command: settings.testCommand, setupCommand: settings.setupCommand };
  const files = await filesOf(session);
  const named = namedPaths(task, files.paths);
  const found = await findProofCommands(given, { files, named, installed });
  // a review without a test command proves less
  if (found === null && task.until === 'review') return null;
  if (found === null) throw new PhotonError('VERIFY_COMMAND_MISSING');
  const { detected, lacks } = found;
  // a run that ends with its plan runs no tests
  if (lacks !== null && task.until === undefined)
    throw new PhotonError('TEST_COMMAND_UNRUNNABLE', lacks.why, { hint: lacks.cure });
  if (detected !== null) {
    log(`Verify: ${found.command} (${detected.tool}, from ${detected.because}).`);
    const narrower = await detectNarrower(files, named);
    if (narrower !== null && narrower.command !== detected.command)
      log(`The files of the task alone are tested by: ${narrower.command}.`);
  }
  return { ...found, require: settings.require };
}

type OpenOwnView = (
  sandbox: Pick<Sandbox, 'support'>,
  changes: readonly FileChange[],
) => Promise<View>;

interface SetUpParts {
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: OpenOwnView;
  readonly files: BaseFiles;
  readonly cache: SetUpCache<View> | null;
}

/** The set-up of one base, which its verifier and the embedded engine share. */
function makeSetUp(
  { policy, environment, scrub }: LoadedRun,
  command: string,
  { files, ...parts }: SetUpParts,
): OpenSetUp<View> {
  const { network, testTimeoutMs } = policy.settings;
  return shareSetUp({
    ...parts,
    command,
    files: files.setUpFiles,
    network: network.commands,
    timeoutMs: testTimeoutMs,
    scrub,
    log: environment.log,
  });
}

interface VerifierParts extends BaseFiles {
  readonly openSetUp: OpenSetUp<View>;
  readonly signal: AbortSignal;
  readonly measure: VerifierOptions['measure'];
  readonly sandbox: () => Promise<Sandbox>;
  /** Null for a task without a finding, or without the command of a scanner. */
  readonly scan:
    | (Pick<BaseFiles, 'commandFiles'> & typeof import('../../verify/verify-alert.ts'))
    | null;
}

function makeVerifier(
  { policy, environment, task, scrub }: LoadedRun,
  { command, setupCommand, require }: Proof,
  { openSetUp, signal, scan, ...parts }: VerifierParts,
): Verifier {
  const { settings } = policy;
  const shared = {
    open: async (changes: readonly FileChange[], until: AbortSignal) => {
      const { sandbox, view } = await openSetUp(changes, until);
      return {
        sandbox,
        view: { ...view, readReport: (path: string) => readBounded(view.written, path) },
      };
    },
    scrub,
    log: environment.log,
    signal,
    readBase: parts.readBase,
    paths: parts.paths,
    network: settings.network.commands,
    timeoutMs: settings.testTimeoutMs,
  };
  const verifier = openVerifier({
    ...shared,
    command,
    commandFiles: parts.commandFiles,
    setUpFiles: setupCommand === '' ? null : parts.setUpFiles,
    task: task.prompt,
    require,
    reruns: settings.reruns,
    measure: parts.measure,
    testChanges: settings.testChanges,
    report: settings.report,
  });
  return scan === null || task.alert === undefined
    ? verifier
    : scan.withAlert(verifier, {
        ...shared,
        target: task.alert,
        command: settings.sarifCommand,
        commandFiles: scan.commandFiles,
        report: settings.sarif,
        workspace: environment.git.checkout,
      });
}

async function filesOf(session: Session): Promise<ProjectFiles> {
  const paths = (await session.files()).map(f => f.path);
  const known = new Set(paths);
  const read = async (path: string) => (known.has(path) ? session.plainText(path) : null);
  return { paths, has: p => known.has(p), read };
}
