/** Reads the base for verification: its files, and those that the test and set-up commands use. */
import { once } from '../base/once.ts';
import { asObject } from '../base/schema-issue.ts';
import { type CommandFiles, commandFiles } from '../ecosystems/commands/command-files.ts';
import type { ProofCommands } from '../ecosystems/commands/runnable.ts';
import type { SetUpFiles } from '../ecosystems/commands/set-up.ts';
import { type ProjectFiles, parseJsonObject } from '../ecosystems/shared/project-files.ts';
import type { Git } from '../workspace/git/git.ts';

export interface BaseFiles {
  /** The paths of all files of the base. */
  readonly paths: () => Promise<readonly string[]>;
  readonly commandFiles: () => Promise<CommandFiles>;
  readonly setUpFiles: () => Promise<SetUpFiles>;
  /** Text of a file of the base; undefined if it does not exist. */
  readonly readBase: (path: string) => Promise<string | undefined>;
}

/** Opens the base. Each command is followed at its first use, and once. */
export function openBaseFiles(git: Git, { command, setupCommand }: ProofCommands): BaseFiles {
  const readBase = async (path: string) => {
    const entry = (await git.listTreeEntries(git.tree)).get(path);
    if (entry === undefined || !entry.mode.startsWith('100')) return undefined;
    return (await git.read(entry.oid))?.toString('utf8');
  };
  const project = async (): Promise<ProjectFiles> => {
    const entries = await git.listTreeEntries(git.tree);
    return { paths: [...entries.keys()], has: path => entries.has(path), read: readBase };
  };
  return {
    readBase,
    paths: async () => [...(await git.listTreeEntries(git.tree)).keys()],
    commandFiles: once(async () => commandFiles(command, await project())),
    setUpFiles: once(async () => ({
      files: await commandFiles(setupCommand, await project()),
      installsRunScripts: await runsScripts(setupCommand, await project()),
    })),
  };
}

const packageManager = /\b(npm|pnpm|yarn|bun)\b/;
/** Scripts that an installation runs, by the documentation of npm, pnpm and Composer. */
const installScript = /^((pre|post)?(install|prepare)|prepublish|pnpm:devPreinstall)$/;
const composerScript = /^(pre|post)-(install|update|autoload-dump)(-cmd)?$/;
const workspaceFiles = ['pnpm-workspace.yaml', 'lerna.json', 'rush.json'];
const maxManifests = 300;

/** True if the command installs with a manifest that makes it run scripts, or copy folders of the project. */
async function runsScripts(command: string, project: ProjectFiles): Promise<boolean> {
  if (
    /\bcomposer\b/.test(command) &&
    hasScript(await project.read('composer.json'), composerScript)
  )
    return true;
  if (!packageManager.test(command)) return false;
  // with workspaces, the scripts of each package run, too
  const root = (await project.read('package.json')) ?? '';
  const hasPackages =
    /"workspaces"\s*:/.test(root) ||
    workspaceFiles.some(project.has) ||
    /\bcd |--prefix|--cwd|--dir|-C\b/.test(command);
  const manifests = hasPackages
    ? project.paths.filter(path => /(^|\/)package\.json$/.test(path))
    : ['package.json'];
  if (manifests.length > maxManifests) return true;
  const texts = await Promise.all(manifests.map(project.read));
  return texts.some(text => hasScript(text, installScript) || /:\s*"file:/.test(text ?? ''));
}

function hasScript(manifest: string | undefined, pattern: RegExp): boolean {
  const { scripts } = parseJsonObject(manifest ?? '');
  return Object.keys(asObject(scripts)).some(name => pattern.test(name));
}
