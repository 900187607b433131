/** What a set-up command reads and does: which changes concern it, and what has to be done again for a patch. Pure. */
import { pathClasses } from '../guard/path-classes.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { CommandFiles } from './command-files.ts';

export interface SetUpFiles {
  /** Files that the command, and the scripts which an installation runs, start and name. */
  readonly files: CommandFiles;
  /** True when an installation runs scripts of the project itself, such as `prepare`. */
  readonly installsRunScripts: boolean;
}

/** Configuration of package managers and builds that an installation reads. */
const read: readonly RegExp[] = [
  ...pathClasses['@manifests'],
  /(^|\/)(\.yarnrc(\.yml)?|\.pnpmfile\.cjs|bunfig\.toml|binding\.gyp|pip\.conf|MANIFEST\.in|build\.rs|\.python-version|\.tool-versions)$/,
  /(^|\/)(Makefile|GNUmakefile|makefile|CMakeLists\.txt|[Jj]ustfile)$/,
];

/** True for a change of what the set-up command reads or runs. */
export function changesSetUp({ path }: FileChange, { files }: SetUpFiles): boolean {
  return read.some(r => r.test(path)) || files.started.has(path) || files.isNamed(path);
}

/** Commands that bring packages by a lock file or list, and build nothing of the project. */
const installer =
  /^(?:sudo )?(?:corepack )?(?:npm (?:ci|i|install)|pnpm (?:i|install)|yarn(?: install)?|bun (?:i|install)|(?:python3? -m )?pip3? install (?:-r|-e) \S+|uv (?:sync|pip install (?:-r|-e) \S+)|poetry install|pipenv (?:install|sync)|bundle(?: install)?|go mod download|cargo fetch|apt(?:-get)? (?:update|install)(?: [\w.+-]+)*|composer install|mix deps\.get|dotnet restore|gem install(?: [\w-]+)*|corepack enable)(?: -\S+)*$/;

/** The part of a set-up command that has to be run again once the patch is there; empty when there is none. */
export function repeatedSetUp(command: string, { installsRunScripts }: SetUpFiles): string {
  if (installsRunScripts) return command;
  // what a shell decides is left to it
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
