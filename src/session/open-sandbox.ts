/** The ladder of launchers: the first whose walls the probe sees hold is taken (THREATS 2.3). */
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { PhotonError } from '../codes.ts';
import type { Guarantee } from '../outcome.ts';
import { childEnvironment, type Environment } from './environment.ts';
import { bubblewrap } from './launch-bubblewrap.ts';
import { plain } from './launch-plain.ts';
import type { Launcher, Machine } from './launcher.ts';
import { findOverlay } from './overlay.ts';
import { probeGuarantees } from './probe.ts';
import { runProcess } from './process.ts';
import type { Sandbox, SandboxMode } from './sandbox.ts';

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** True on a GitHub-hosted Linux runner, where passwordless sudo may open the way. */
  readonly hosted: boolean;
  readonly workspacePath: string;
  /** Photon's own folder; commands never see it. */
  readonly scratch: string;
  readonly hidePaths: readonly string[];
  readonly env: Environment;
  /** Names of further variables that commands may see. */
  readonly extraEnv: readonly string[];
  readonly token: string;
  readonly log: (line: string) => void;
}

/**
 * Opens the best sandbox of this machine.
 * @throws PhotonError `SANDBOX_UNAVAILABLE` when a guarantee is missing that the mode requires.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const machine = describeMachine(options);
  const undo: (() => Promise<void>)[] = [];
  const wanted = options.mode !== 'none' && process.platform === 'linux';
  let best = wanted ? await tryBubblewrap(options, machine) : null;
  if (best === null && wanted && options.hosted) {
    undo.push(await openTheWay(options));
    best = await tryBubblewrap(options, machine);
  }
  const launcher = best?.launcher ?? plain(findProgram('prlimit', options) !== null);
  const guarantees = best?.guarantees ?? (await probe(launcher, options, machine));
  const close = async () => {
    for (const step of undo) await step();
  };
  const missing = guarantees.filter(g => !g.holds).map(g => g.name);
  const required = options.mode === 'required' || (options.mode === 'auto' && options.hosted);
  if (required && missing.length > 0) {
    await close();
    const how = 'Install bubblewrap (apt-get install bubblewrap) and allow user namespaces.';
    throw new PhotonError(
      'SANDBOX_UNAVAILABLE',
      `The sandbox lacks: ${missing.join(', ')}. ${how}`,
    );
  }
  // without walls a command would find the way to mount itself
  const overlay =
    launcher.name === 'plain'
      ? null
      : await findOverlay({
          ...{ checkout: options.workspacePath, scratch: options.scratch },
          find: name => findProgram(name, options),
        });
  return {
    launcher: launcher.name,
    guarantees,
    overlay,
    close,
    run: command => {
      const launch = launcher.launch(machine, command);
      return runProcess({
        ...launch,
        timeoutMs: command.timeoutMs,
        maxOutputBytes: command.maxOutputBytes,
        signal: command.signal,
      });
    },
  };
}

interface Tried {
  readonly launcher: Launcher;
  readonly guarantees: readonly Guarantee[];
}

/** bubblewrap with what it guarantees here; null when it is missing or does not work at all. */
async function tryBubblewrap(options: SandboxOptions, machine: Machine): Promise<Tried | null> {
  const program = findProgram('bwrap', options);
  if (program === null) return null;
  const launcher = bubblewrap(program);
  const guarantees = await probe(launcher, options, machine);
  return guarantees.some(g => g.holds) ? { launcher, guarantees } : null;
}

function probe(
  launcher: Launcher,
  options: SandboxOptions,
  machine: Machine,
): Promise<readonly Guarantee[]> {
  const node = realpathSync(process.execPath);
  const probeView = { path: options.scratch, enter: [] };
  const seeing = { ...machine, readOnlyPaths: [...machine.readOnlyPaths, dirname(node)] };
  return probeGuarantees({
    launch: argv => launcher.launch(seeing, { argv, view: probeView, cwd: '.', network: false }),
    scratch: options.scratch,
    node,
    token: options.token,
    writeTargets: [dirname(options.scratch), '/var/tmp'],
    guardedTargets: [options.workspacePath, machine.home].filter(p => p !== ''),
  });
}

/** A program on the PATH, but never one inside the checkout. */
function findProgram(name: string, options: SandboxOptions): string | null {
  for (const folder of (options.env.PATH ?? '').split(delimiter)) {
    if (!folder.startsWith('/') || `${folder}/`.startsWith(`${options.workspacePath}/`)) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return null;
}

/** Tool folders below the home folder that builds need; never those that hold credentials. */
const homeTools =
  '.cargo/bin .cargo/registry .cargo/git .rustup go .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .npm/_cacache .nvm .pyenv .rbenv .sdkman .bun .deno .dotnet .nuget/packages .local/bin .local/lib .local/share/pnpm .cache'.split(
    ' ',
  );

function describeMachine(options: SandboxOptions): Machine {
  const { env } = options;
  const home = env.HOME && env.HOME !== '/' ? env.HOME : '/nonexistent';
  const below = homeTools.map(name => join(home, name));
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(p => p.startsWith('/'))
    .map(toolRoot);
  const covered = ['/tmp', '/run', '/var/tmp', home, ...options.hidePaths];
  const readOnlyPaths = [...new Set([...below, ...onPath])].filter(
    p =>
      existsSync(p) &&
      !covered.includes(p) &&
      covered.some(c => p.startsWith(`${c}/`)) &&
      !p.startsWith(options.scratch),
  );
  return {
    workspacePath: options.workspacePath,
    home: existsSync(home) ? home : '/tmp',
    hidePaths: [options.scratch, ...options.hidePaths].filter(p => existsSync(p)),
    readOnlyPaths,
    env: childEnvironment(env, options.extraEnv),
    user: user(),
  };
}

function user(): Machine['user'] {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return uid === 0 ? null : { uid: String(uid), gid: String(gid) };
}

/** The folder that a PATH entry needs to work: all of node_modules for its .bin, else itself. */
function toolRoot(entry: string): string {
  return entry.endsWith('/node_modules/.bin') ? dirname(entry) : entry;
}

const appArmor = 'kernel.apparmor_restrict_unprivileged_userns';

/** On hosted runners only: installs bubblewrap and lifts the restriction; the answer restores it. */
async function openTheWay(options: SandboxOptions): Promise<() => Promise<void>> {
  const sudo = (argv: readonly string[], timeoutMs: number) =>
    runProcess({
      argv: ['sudo', '-n', ...argv],
      cwd: '/',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs,
      maxOutputBytes: 4000,
      signal: new AbortController().signal,
    });
  if ((await sudo(['true'], 10_000)).exitCode !== 0) return async () => {};
  if (findProgram('bwrap', options) === null) {
    options.log('Sandbox: installing bubblewrap.');
    const install = () =>
      sudo(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'bubblewrap'], 180_000);
    // the list of packages of an image can be too old to install from
    if ((await install()).exitCode !== 0) {
      await sudo(['apt-get', 'update', '-qq'], 180_000);
      await install();
    }
  }
  const before = (await sudo(['sysctl', '-n', appArmor], 10_000)).output.trim();
  if (before !== '1') return async () => {};
  options.log(`Sandbox: ${appArmor} is set to 0 for this run and restored after it.`);
  await sudo(['sysctl', '-w', `${appArmor}=0`], 10_000);
  return async () => {
    await sudo(['sysctl', '-w', `${appArmor}=1`], 10_000);
  };
}
