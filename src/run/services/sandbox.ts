/** Opens the sandbox of a run. */
import { randomBytes } from 'node:crypto';
import type { Outcome } from '../../base/outcome.ts';
import { logCommands, openEgressLog } from '../../sandbox/egress/log-commands.ts';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import { mustHold, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SessionStore } from '../../workspace/session/session-store.ts';
import type { LoadedRun } from '../stages.ts';

/** The sandbox of a run, opened by its first command. */
interface RunSandbox {
  readonly open: () => Promise<Sandbox>;
  /** What the outcome says of it, as far as it was opened. */
  readonly state: () => Outcome['sandbox'];
  close(): Promise<void>;
}

/** A sandbox whose guarantees may be missing is opened by the first command. */
export function openRunSandbox(run: LoadedRun, store: SessionStore): RunSandbox {
  const { request, policy } = run;
  const { environment, scrub } = request;
  const { settings } = policy;
  const { services } = settings;
  const { hosts = [] } = settings.network;
  const egress =
    hosts.length + services.length === 0
      ? undefined
      : openEgressLog({ hosts, services }, { log: environment.log, scrub });
  let opening: Promise<Sandbox> | undefined;
  let opened: Sandbox | undefined;
  const open = async () => {
    const sandbox = await openSandbox({ ...sandboxOptions(run), connected: egress?.connected });
    opened = recordCommands(run, sandbox, store);
    return opened;
  };
  return {
    open: () => {
      opening ??= open();
      return opening;
    },
    state: () => {
      const { launcher = 'none', guarantees = [] } = opened ?? {};
      const online = settings.network.commands !== 'none' && settings.setupCommand !== '';
      const setUpNetwork = (online && opened?.setUpNetwork()) || [];
      return {
        launcher,
        guarantees,
        setUpNetwork: setUpNetwork.length > 0 ? setUpNetwork : undefined,
        egress: egress?.use(),
      };
    },
    close: async () => (await opening?.catch(() => null))?.close(),
  };
}

function sandboxOptions({
  request: { environment, folder, input },
  policy: { settings },
}: LoadedRun): Parameters<typeof openSandbox>[0] {
  return {
    mode: settings.sandbox,
    hosted: input.hosted,
    scratch: folder.scratch,
    hidePaths: input.hidePaths,
    env: input.env,
    programs: input.programs,
    token: `photon${randomBytes(8).toString('hex')}`,
    log: environment.log,
    workspacePath: environment.git.checkout,
    extraEnv: settings.commandEnv,
    readPaths: settings.commandReads,
    memoryBytes: settings.commandMemoryBytes,
    processes: settings.commandProcesses,
    hosts: settings.network.hosts,
    services: settings.services,
  };
}

/** The sandbox whose commands are recorded and shown; the log says which guarantees it lacks. */
function recordCommands(
  { request: { environment, input, scrub } }: LoadedRun,
  sandbox: Sandbox,
  store: SessionStore,
): Sandbox {
  const missing = sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
  const state = missing.length > 0 ? `without ${missing.join(', ')}` : 'every guarantee holds';
  environment.log(`Sandbox: ${sandbox.launcher}, ${state}.`);
  return logCommands(sandbox, {
    record: store.recordCommand,
    now: input.now,
    scrub,
    begin: input.log.watch?.begin,
  });
}

/** True if the sandbox must hold, or if the tests will need it: who has none learns it before a model is paid for. */
export function opensFirst({ request: { input }, policy }: LoadedRun, testsRun: boolean): boolean {
  const { sandbox } = policy.settings;
  return (sandbox !== 'none' && testsRun) || mustHold(sandbox, input.env);
}

/** False if commands that run at the same time would share ports, services or temporary files of the machine. */
export function isApart(
  { launcher }: Pick<Sandbox, 'launcher'>,
  { network, services }: Pick<Settings, 'network' | 'services'>,
): boolean {
  const own = launcher === 'bubblewrap' || launcher === 'namespaces';
  return (
    own && services.length === 0 && (network.commands !== 'allow' || network.hosts !== undefined)
  );
}
