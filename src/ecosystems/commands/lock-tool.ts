/** Finds the tool that writes a lock file. */
import { basename } from 'node:path/posix';
import type { LockTool } from '../ecosystem.ts';
import { ecosystems } from '../index.ts';

const tools = ecosystems.flatMap(({ locks }) => locks ?? []);

/** The tool that writes this lock file, by its name and its text; undefined for any other file. */
export function findLockTool(path: string, text: string): LockTool | undefined {
  const name = basename(path);
  return tools.find(({ file, holds }) => file === name && (holds?.test(text) ?? true));
}
