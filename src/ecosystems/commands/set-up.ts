/** Decides which changes affect a set-up command, and which part of it a patch has to repeat. Pure. */
import type { FileChange } from '../../workspace/files/change.ts';
import { ecosystems } from '../index.ts';
import { pathClasses } from '../tests/path-classes.ts';
import type { CommandFiles } from './command-files.ts';

export interface SetUpFiles {
  /** Files that the command starts and names. */
  readonly files: CommandFiles;
  /** True if an installation runs scripts of the project, such as `prepare`, or copies folders of it (`file:`). */
  readonly installsRunScripts: boolean;
}

/** Configuration of package managers and builds that an installation reads. */
const configuration: readonly RegExp[] = [
  ...pathClasses['@manifests'],
  /(^|\/)(\.yarnrc(\.yml)?|\.pnpmfile\.cjs|bunfig\.toml|pip\.conf|\.(python-version|tool-versions))$/,
  /(^|\/)([Mm]akefile|GNUmakefile|CMakeLists\.txt|[Jj]ustfile|binding\.gyp|MANIFEST\.in|build\.rs)$/,
];

/** True for a change of a file that the set-up command reads or runs. */
export function changesSetUp({ path }: FileChange, { files }: SetUpFiles): boolean {
  return configuration.some(r => r.test(path)) || files.started.has(path) || files.isNamed(path);
}

/** Commands that install packages by a lock file or a list, and build nothing of the project. */
const installers = ecosystems.flatMap(({ commands }) => commands?.installers ?? []);

/** One of the installers, with `sudo` or `corepack` before it and options after it. */
export const installer = new RegExp(
  `^(?:sudo )?(?:corepack )?(?:${installers.map(i => i.source).join('|')})(?: -\\S+)*$`,
);

/** Installations that compile the project, or parts of it, into what they install. */
const compiling = /\b(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|pipenv|bundle|mix)\b/;
const compiled =
  /\.(?:[chmsS]|cc|cpp|cxx|hh|hpp|hxx|mm|asm|cu|rs|go|zig|swift|pyx|pxd|pxi|f|f90|gyp|gypi)$/;

/** The part of a set-up command to repeat after these changes; may be empty. */
export function repeatedSetUp(
  command: string,
  setUp: SetUpFiles,
  changes: readonly FileChange[],
): string {
  if (changes.some(change => changesSetUp(change, setUp))) return command;
  if (compiling.test(command) && changes.some(({ path }) => compiled.test(path))) return command;
  if (setUp.installsRunScripts) return command;
  const parts = splitCommand(command);
  if (parts === undefined) return command;
  const first = parts.findIndex(part => !installer.test(part));
  const again = first < 0 ? [] : parts.slice(first).filter(part => !installer.test(part));
  return again.every(part => /^cd \S+$/.test(part)) ? '' : again.join(' && ');
}

/** The parts of a command, one after the other; undefined if a shell decides which of them run. */
function splitCommand(command: string): readonly string[] | undefined {
  if (/\|\||;|\||\bif\b|\bfor\b|\$\(|`/.test(command)) return undefined;
  return command
    .split(/&&|\n/)
    .map(part => part.trim())
    .filter(part => part !== '');
}
