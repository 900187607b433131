/** What a sandbox knows of the machine: its programs, its tool folders, who it runs as. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { childEnvironment, type Environment } from './environment.ts';
import type { Machine } from './launcher.ts';
import type { Programs } from './programs.ts';

export interface MachineOptions {
  readonly workspacePath: string;
  /** Photon's own folder; commands never see it. */
  readonly scratch: string;
  readonly hidePaths: readonly string[];
  readonly env: Environment;
  readonly programs: Programs;
  /** Names of further variables that commands may see. */
  readonly extraEnv: readonly string[];
}

/** A program of the machine that commands may use (a language server), never one inside the checkout. */
export function findProgram(
  name: string,
  options: Pick<MachineOptions, 'env' | 'workspacePath'>,
): string | null {
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

/**
 * A program of the project (`node_modules/.bin`), else of the machine; never a tracked file's folder.
 * @param wanted.unless a file of the project with which its own program is not meant, and then only
 * the project's own counts.
 */
export function findProjectProgram(
  { program, unless }: { readonly program: string; readonly unless: string | null },
  options: Pick<MachineOptions, 'env' | 'workspacePath'>,
): string | null {
  const { workspacePath } = options;
  const own = join(workspacePath, 'node_modules', '.bin', program);
  if (existsSync(own)) return unless && existsSync(join(workspacePath, unless)) ? null : own;
  return unless === null ? findProgram(program, options) : null;
}

/** Tool folders below the home folder that builds need; never those that hold credentials. */
const homeTools =
  '.cargo/bin .cargo/registry .cargo/git .rustup go .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .npm/_cacache .nvm .pyenv .rbenv .sdkman .bun .deno .dotnet .nuget/packages .local/bin .local/lib .local/share/pnpm .cache'.split(
    ' ',
  );

export function describeMachine(options: MachineOptions): Machine {
  const { env } = options;
  const home = env.HOME && env.HOME !== '/' ? env.HOME : '/nonexistent';
  const inside = [options.scratch, options.workspacePath];
  const caches = homeTools
    .map(name => join(home, name))
    .filter(p => existsSync(p) && !inside.some(i => `${i}/`.startsWith(`${p}/`)));
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(p => p.startsWith('/'))
    .map(toolRoot);
  const covered = ['/tmp', '/run', '/var/tmp', home, ...options.hidePaths];
  const readOnlyPaths = [...new Set([...caches, ...onPath])].filter(
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
    caches,
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

export const appArmor = 'kernel.apparmor_restrict_unprivileged_userns';

/** What to do on this machine for the walls of a sandbox to stand, most likely first. */
export function sandboxAdvice({ paths }: Programs): readonly string[] {
  if (process.platform !== 'linux')
    return ['The sandbox needs Linux; elsewhere runs say what is missing.'];
  const root = process.getuid?.() === 0;
  return [
    ...(paths.bwrap === undefined ? ['Install bubblewrap: apt-get install bubblewrap.'] : []),
    ...(!root && control('kernel/apparmor_restrict_unprivileged_userns') === '1'
      ? [`Allow user namespaces: sysctl -w ${appArmor}=0, or load the AppArmor profile of bwrap.`]
      : []),
    ...(control('user/max_user_namespaces') === '0'
      ? ['Allow user namespaces: sysctl -w user.max_user_namespaces=10000.']
      : []),
    ...(!root && control('kernel/unprivileged_userns_clone') === '0'
      ? ['Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1.']
      : []),
    ...(existsSync('/.dockerenv')
      ? ['In a container, allow it namespaces (security options seccomp and apparmor: unconfined).']
      : []),
  ];
}

function control(path: string): string {
  try {
    return readFileSync(`/proc/sys/${path}`, 'utf8').trim();
  } catch {
    return ''; // this kernel has no such control
  }
}
