/** Finds the tool that writes a lock file. */
import { basename } from 'node:path/posix';
import type { InstalledSoftware } from '../../process/programs.ts';
import type { LockTool } from '../ecosystem.ts';
import { ecosystems } from '../index.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import { throughCorepack } from './runnable.ts';

const tools = ecosystems.flatMap(({ locks }) => locks ?? []);

/** The tool that writes this lock file, by its name and its text; undefined for any other file. */
export function findLockTool(path: string, text: string): LockTool | undefined {
  const name = basename(path);
  return tools.find(({ file, holds }) => file === name && (holds?.test(text) ?? true));
}

/** The command of a tool with `pnpm` and `yarn` through corepack, where commands of tests start them so. */
export async function withCorepack(
  command: string,
  ...environment: [Pick<ProjectFiles, 'read'>, InstalledSoftware]
): Promise<string> {
  const program = /\b(?:pnpm|yarn)\b/.exec(command)?.[0] ?? '';
  const line = await throughCorepack(program, ...environment);
  return line === program ? command : `${program}() { ${line} "$@"; }; ${command}`;
}
