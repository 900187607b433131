/** Opens the services of a run: session, sandbox, verifier, navigation. */
import { PhotonError } from '../../base/codes.ts';
import type { McpServers } from '../../mcp/servers.ts';
import { openNavigation } from '../../navigation/open-navigation.ts';
import { openSymbols } from '../../navigation/symbols.ts';
import { openCommandView } from '../../sandbox/command-view.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { openBaseFiles } from '../../verify/base-files.ts';
import type { OpenSetUp } from '../../verify/set-up/set-up-views.ts';
import type { Verifier, VerifierOptions } from '../../verify/verify.ts';
import { joinChanges } from '../../workspace/commits/reapply.ts';
import type { Git } from '../../workspace/git/git.ts';
import { openSession } from '../../workspace/session/session.ts';
import type { SessionStore } from '../../workspace/session/session-store.ts';
import { openViews, type View } from '../../workspace/views/view.ts';
import { measurePatch } from '../inspect-patch.ts';
import type { LoadedRun } from '../stages.ts';
import { findReadable, openLockFiles } from './lock-files.ts';
import type { RunServices } from './run-services.ts';
import { openRunSandbox, opensFirst } from './sandbox.ts';
import {
  type CommandParts,
  findProof,
  isStrict,
  makeSetUp,
  makeVerifier,
  type OpenOwnView,
  type Proof,
} from './verification.ts';

/** What the services of every base share. */
interface SharedServices {
  readonly run: LoadedRun;
  readonly proof: Proof | undefined;
  readonly sandbox: () => Promise<Sandbox>;
}

/**
 * Opens the services of a run over its checkout. A sandbox that must hold, or that will be needed for the tests, begins to
 * open at once.
 * @throws PhotonError `SETTING_INVALID`, `VERIFY_COMMAND_MISSING`, `TEST_COMMAND_UNRUNNABLE`, `GIT`.
 */
export async function openRunServices(run: LoadedRun, store: SessionStore): Promise<RunServices> {
  const { request, policy } = run;
  const { environment, folder, input, limit } = request;
  const { settings } = policy;
  const { git, shipped, log } = environment;
  const session = openSession(git);
  const sandbox = openRunSandbox(run, store);
  const open = openViews({ git, scratch: folder.scratch, programs: input.programs });
  // views are made of the checkout, which may be at another base
  const drift = (environment.start?.drift ?? []).filter(({ path }) => !git.withholds(path));
  const openView: OpenOwnView = ({ support }, changes) =>
    open(support, joinChanges(drift, changes));
  const readable = findReadable(environment.start?.merge);
  const base =
    readable.length === 0
      ? git
      : await git.rebased({ commit: git.commit, tree: await git.writeFullTree(readable) });
  const openBaseView: OpenOwnView = (opened, changes) =>
    openView(opened, joinChanges(readable, changes));
  const found = await findProof(run, base === git ? session : openSession(base));
  const ready = opensFirst(run, found !== undefined) ? sandbox.open() : Promise.resolve();
  ready.catch(() => {}); // whoever waits for it reports it
  const measures = settings.proofBudgetMs !== 0;
  const over = measures ? () => services : undefined;
  const common = { run, sandbox: sandbox.open };
  const { proof, first } = await openCounting(run, found, tried =>
    openBase({ ...common, proof: tried }, { base, openView: openBaseView, over }),
  );
  const shared = { ...common, proof };
  const commands = openCommandView(
    {
      sandbox: sandbox.open,
      open: until => openForCommands(shared, first.openSetUp, { until, openView }),
      note: run.request.note,
    },
    session,
  );
  const parts = { session, sandbox: sandbox.open, openView, signal: limit.signal };
  const mcp = await openMcp(run, parts);
  const symbols = openSymbols(shipped);
  const navigation = openNavigation({ ...parts, symbols, settings, env: input.env, log });
  const services: RunServices = {
    session,
    drift,
    symbols,
    navigation,
    commands,
    mcp,
    verifier: first.verifier,
    locks: openLockFiles(run, parts),
    reopen: async (base, drift) => {
      const own = { session: openSession(base) };
      const moved: Base = openBase(shared, {
        base,
        // views are made of the checkout, which still holds the old base
        openView: (opened, changes) => openView(opened, joinChanges(drift, changes)),
        over:
          measures && isStrict(settings) ? () => ({ ...services, ...own, ...moved }) : undefined,
      });
      return { ...own, verifier: moved.verifier };
    },
    testCommand: proof?.command,
    sandbox: sandbox.open,
    ready,
    openSetUp: first.openSetUp,
    sandboxState: sandbox.state,
    close: () => closeAll([first.verifier, navigation, mcp, commands, sandbox]),
  };
  return services;
}

/** Closes all in order, each also when one before it cannot be closed. */
async function closeAll(
  parts: readonly ({ close(): void | Promise<void> } | undefined)[],
): Promise<void> {
  const open = new AsyncDisposableStack();
  for (const part of parts.toReversed()) open.defer(() => part?.close());
  await open.disposeAsync();
}

/**
 * The base with the first detected command whose run without changes has a test case, which counts as its run before the
 * patch. If none has, the one that was detected first.
 */
async function openCounting(
  { request: { environment, kind, note } }: LoadedRun,
  proof: Proof | undefined,
  open: (proof: Proof | undefined) => Base,
): Promise<{ readonly proof: Proof | undefined; readonly first: Base }> {
  const first = open(proof);
  const detected = { proof, first };
  if (proof === undefined || proof.others.length === 0 || kind.tests !== 'runs') return detected;
  const words = await findNoCase(first.verifier);
  for (const command of words === undefined ? [] : proof.others) {
    const line = `"${proof.command}" ran no test case (${words}), so it is not the tests. "${command}" is tried.`;
    environment.log(line);
    note(line);
    const tried = { proof: { ...proof, command }, first: open({ ...proof, command }) };
    if ((await findNoCase(tried.first.verifier)) === undefined) {
      await first.verifier?.close();
      return tried;
    }
    await tried.first.verifier?.close();
  }
  return detected;
}

/** The words by which the run without changes says that no test case ran; undefined if one did, or nothing says so. */
async function findNoCase(verifier: Verifier | undefined): Promise<string | undefined> {
  try {
    const ran = (await verifier?.run([]))?.ran;
    return ran?.kind === 'none' ? ran.words : undefined;
  } catch (error) {
    if (error instanceof PhotonError) return undefined; // the verification says it again
    throw error;
  }
}

/** Set-up and verifier of one base. */
interface Base {
  readonly openSetUp: OpenSetUp<View>;
  readonly verifier: Verifier | undefined;
}

function openBase(
  { run, proof, sandbox }: SharedServices,
  {
    base,
    openView,
    over,
  }: {
    readonly base: Git;
    readonly openView: OpenOwnView;
    /** The services that measure a verified patch; undefined if nothing is measured. */
    readonly over: (() => RunServices) | undefined;
  },
): Base {
  const { policy } = run;
  const files = openBaseFiles(base, {
    command: proof?.command ?? '',
    setupCommand: proof?.setupCommand ?? '',
  });
  const setUp = proof?.setupCommand ?? policy.settings.setupCommand;
  const openSetUp = makeSetUp(run, setUp, { sandbox, openView, files });
  if (proof === undefined) return { openSetUp, verifier: undefined };
  const measure: VerifierOptions['measure'] =
    over === undefined ? undefined : patch => measurePatch({ ...run, services: over() }, patch);
  const parts = { files, base, openSetUp, measure };
  return { openSetUp, verifier: makeVerifier(run, proof, parts) };
}

/** The view of `run_command`, after the set-up if that succeeds. */
async function openForCommands(
  { run, sandbox }: SharedServices,
  openSetUp: OpenSetUp<View>,
  { until, openView }: { readonly until: AbortSignal; readonly openView: OpenOwnView },
): Promise<View> {
  try {
    return (await openSetUp([], until)).view;
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code !== 'SETUP_FAILED') throw error;
    run.request.environment.log('The set-up failed, so run_command works without it.');
    return openView(await sandbox(), []);
  }
}

/** The MCP servers of the configuration; undefined without any. */
async function openMcp(
  { request: { environment, note }, policy: { settings } }: LoadedRun,
  parts: CommandParts,
): Promise<McpServers | undefined> {
  const { mcpServers: servers, network } = settings;
  if (Object.keys(servers).length === 0) return undefined;
  // the SDK is loaded for a run with servers alone
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
