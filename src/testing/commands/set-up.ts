/** Decides which changes affect a set-up command, and which part of it a patch has to repeat. Pure. */
import { pathClasses } from '../../guard/path-classes.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { CommandFiles } from './command-files.ts';

export interface SetUpFiles {
  /** Files that the command starts and names. */
  readonly files: CommandFiles;
  /** True if an installation runs scripts of the project, such as `prepare`. */
  readonly installsRunScripts: boolean;
}

/** Configuration of package managers and builds that an installation reads. */
const configuration: readonly RegExp[] = [
  ...pathClasses['@manifests'],
  /(^|\/)(\.yarnrc(\.yml)?|\.pnpmfile\.cjs|bunfig\.toml|binding\.gyp|pip\.conf|MANIFEST\.in|build\.rs|\.python-version|\.tool-versions)$/,
  /(^|\/)(Makefile|GNUmakefile|makefile|CMakeLists\.txt|[Jj]ustfile)$/,
];

/** True for a change of a file that the set-up command reads or runs. */
export function changesSetUp({ path }: FileChange, { files }: SetUpFiles): boolean {
  return configuration.some(r => r.test(path)) || files.started.has(path) || files.isNamed(path);
}

/** Commands that install packages by a lock file or a list, and build nothing of the project. */
const installers: readonly RegExp[] = [
  /npm (?:ci|i|install)/,
  /pnpm (?:i|install)/,
  /yarn(?: install)?/,
  /bun (?:i|install)/,
  /(?:python3? -m )?pip3? install (?:-r|-e) \S+/,
  /uv (?:sync|pip install (?:-r|-e) \S+)/,
  /poetry install/,
  /pipenv (?:install|sync)/,
  /bundle(?: install)?/,
  /go mod download/,
  /cargo fetch/,
  /apt(?:-get)? (?:update|install)(?: [\w.+-]+)*/,
  /composer install/,
  /mix deps\.get/,
  /dotnet restore/,
  /gem install(?: [\w-]+)*/,
  /corepack enable/,
];

/** One of the installers, with `sudo` or `corepack` before it and options after it. */
const installer = new RegExp(
  `^(?:sudo )?(?:corepack )?(?:${installers.map(i => i.source).join('|')})(?: -\\S+)*$`,
);

/** The part of a set-up command to repeat after the patch is applied; empty if there is none. */
export function repeatedSetUp(command: string, { installsRunScripts }: SetUpFiles): string {
  if (installsRunScripts) return command;
  // the whole command is repeated if a shell decides which parts run
  if (/\|\||;|\||\bif\b|\bfor\b|\$\(|`/.test(command)) return command;
  const parts = command
    .split(/&&|\n/)
    .map(part => part.trim())
    .filter(part => part !== '');
  const first = parts.findIndex(part => !installer.test(part));
  return first < 0
    ? ''
    : parts
        .slice(first)
        .filter(part => !installer.test(part))
        .join(' && ');
}
