/** The commands of the terminal, in the order of the help. Each but the smallest is loaded when it is used. */
import type { Command } from './command.ts';
import { codesCommand } from './commands/codes.ts';
import type { Commands } from './help.ts';

export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['run', async () => (await import('./commands/run.ts')).run],
  ['ask', async () => (await import('./commands/ask.ts')).ask],
  ['runs', async () => (await import('./commands/runs.ts')).runs],
  ['fleet', async () => (await import('./commands/fleet.ts')).fleet],
  ['show', async () => (await import('./commands/show.ts')).show],
  ['apply', async () => (await import('./commands/apply.ts')).apply],
  ['undo', async () => (await import('./commands/undo.ts')).undo],
  ['init', async () => (await import('./commands/init.ts')).init],
  ['validate', async () => (await import('./commands/validate.ts')).validate],
  ['skills', async () => (await import('./commands/skills.ts')).skills],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctor],
  ['audit', async () => (await import('./commands/audit.ts')).audit],
  ['verify', async () => (await import('./commands/verify.ts')).verify],
  ['memory', async () => (await import('./commands/memory.ts')).memory],
  ['workflow', async () => (await import('./commands/workflow.ts')).workflow],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcp],
  ['replay', async () => (await import('./commands/replay.ts')).replay],
  ['demo', async () => (await import('./commands/demo.ts')).demo],
  ['codes', async () => codesCommand],
]);

/** Every command by its name. */
export async function loadCommands(): Promise<Commands> {
  return new Map(
    await Promise.all([...commands].map(async ([name, load]) => [name, await load()] as const)),
  );
}
