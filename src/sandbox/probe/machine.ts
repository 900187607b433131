/** Describes this machine for a sandbox: its programs, its tool folders, and the user it runs as. */
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { succeeds } from '../../base/system-errors.ts';
import { childEnvironment } from '../../process/environment.ts';
import { type Programs, programFiles } from '../../process/programs.ts';
import { isBelow, isWithin, realPath } from '../../workspace/files/locate.ts';
import { heldFolders, type Machine } from '../launchers/launcher.ts';
import { emptyFolders, findReadable, type ReadableOptions } from '../readable.ts';

export interface MachineOptions
  extends Pick<ReadableOptions, 'workspacePath' | 'hidePaths' | 'readPaths' | 'env'> {
  /** Photon's folder; commands never see it. */
  readonly scratch: string;
  readonly programs: Programs;
  /** Names of further variables that commands may see. */
  readonly extraEnv: readonly string[];
}

/** The path of a program of the machine, such as a language server; never one inside the checkout. */
export function findProgram(
  name: string,
  options: Pick<MachineOptions, 'env' | 'workspacePath'>,
): string | undefined {
  const checkout = realPath(options.workspacePath) ?? options.workspacePath;
  for (const path of programFiles(options.env.PATH ?? '', name)) {
    if (isWithin(dirname(path), options.workspacePath)) continue;
    if (isWithin(realPath(path) ?? path, checkout)) continue;
    if (succeeds(() => accessSync(path, constants.X_OK))) return path;
  }
  return undefined;
}

/**
 * The path of a program of the project (`node_modules/.bin`), or else of the machine.
 * @param wanted.unless undefined, or a file of the project. The program of the project is used only when this
 * file is missing, and the program of the machine never.
 */
export function findProjectProgram(
  { program, unless }: { readonly program: string; readonly unless: string | undefined },
  options: Pick<MachineOptions, 'env' | 'workspacePath'>,
): string | undefined {
  const { workspacePath } = options;
  const own = join(workspacePath, 'node_modules', '.bin', program);
  if (existsSync(own)) return unless && existsSync(join(workspacePath, unless)) ? undefined : own;
  return unless === undefined ? findProgram(program, options) : undefined;
}

/**
 * Examines this machine and resolves links.
 * @throws PhotonError `SETTING_INVALID` for a path in `readPaths` that must stay hidden.
 */
export function describeMachine(options: MachineOptions): Machine {
  const { env } = options;
  const workspacePath = realPath(options.workspacePath) ?? options.workspacePath;
  const home = realPath(env.HOME || '/') ?? '/';
  const real = {
    workspacePath,
    // a command can change a home folder inside the checkout, and the folders above it
    home: home === '/' || isWithin(home, workspacePath) ? '/tmp' : home,
    hidePaths: [options.scratch, ...options.hidePaths].flatMap(p => realPath(p) ?? []),
    node: realPath(process.execPath) ?? process.execPath,
  };
  const { parts, links, hidden, caches } = findReadable({ ...options, ...real });
  const covered = hidden.filter(h => parts.some(p => isBelow(h, p.at)) && existsSync(h));
  const machine = {
    workspacePath: real.workspacePath,
    home: real.home,
    parts,
    links,
    caches,
    emptyFolders: emptyFolders.map(p => realPath(p) ?? p),
    hidden: covered.map(at => ({ at, isFolder: statSync(at).isDirectory() })),
    nothing: makeNothing(options.scratch),
    env: childEnvironment(env, options.extraEnv),
    user: user(),
  };
  return { ...machine, heldFolders: heldFolders(machine) };
}

/** An empty file, shown in place of a hidden file. */
function makeNothing(scratch: string): string {
  const path = join(scratch, 'nothing');
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o444 });
  return path;
}

function user(): Machine['user'] {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return uid === 0 ? undefined : { uid: String(uid), gid: String(gid) };
}
