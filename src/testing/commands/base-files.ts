/** Reads the base for verification: its files, and those that the test and set-up commands use. */
import type { Git } from '../../workspace/git/git.ts';
import { type CommandFiles, commandFiles } from './command-files.ts';
import type { ProjectFiles } from './detect.ts';
import type { SetUpFiles } from './set-up.ts';

export interface BaseFiles {
  readonly commandFiles: () => Promise<CommandFiles>;
  readonly setUpFiles: () => Promise<SetUpFiles>;
  /** Text of a file of the base; null if it does not exist. */
  readonly readBase: (path: string) => Promise<string | null>;
}

interface Commands {
  readonly command: string;
  readonly setupCommand: string;
}

/** Opens the base. Each command is followed at its first use, and once. */
export function openBaseFiles(git: Git, { command, setupCommand }: Commands): BaseFiles {
  const readBase = async (path: string) => {
    const entry = (await git.entriesOf(git.tree)).get(path);
    if (entry === undefined || !entry.mode.startsWith('100')) return null;
    return (await git.read(entry.oid))?.toString('utf8') ?? null;
  };
  const project = async (): Promise<ProjectFiles> => {
    const entries = await git.entriesOf(git.tree);
    return { paths: [...entries.keys()], has: path => entries.has(path), read: readBase };
  };
  return {
    readBase,
    commandFiles: once(async () => commandFiles(command, await project())),
    setUpFiles: once(async () => ({
      files: await commandFiles(setupCommand, await project()),
      installsRunScripts: runsScripts(setupCommand, await readBase('package.json')),
    })),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

function runsScripts(command: string, manifest: string | null): boolean {
  if (!/\b(npm|pnpm|yarn|bun)\b/.test(command)) return false;
  try {
    const { scripts } = JSON.parse(manifest ?? '') as { scripts?: Record<string, unknown> };
    return Object.keys(scripts ?? {}).some(name => /^(pre|post)?(install|prepare)$/.test(name));
  } catch {
    return false;
  }
}
