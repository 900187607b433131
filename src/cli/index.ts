/** The commands of the terminal. Each one is loaded when it is used. */
import type { CommandHandler } from './terminal.ts';

export const commands: Readonly<Record<string, () => Promise<CommandHandler>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  ask: async () => (await import('./commands/ask.ts')).ask,
  runs: async () => (await import('./commands/runs.ts')).runs,
  stats: async () => (await import('./commands/stats.ts')).stats,
  show: async () => (await import('./commands/show.ts')).showRun,
  apply: async () => (await import('./commands/apply.ts')).apply,
  undo: async () => (await import('./commands/undo.ts')).undoApply,
  init: async () => (await import('./commands/init.ts')).init,
  validate: async () => (await import('./commands/validate.ts')).validate,
  accept: async () => (await import('./commands/accept.ts')).accept,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  replay: async () => (await import('./commands/replay.ts')).replay,
  audit: async () => (await import('./commands/audit.ts')).audit,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  skills: async () => (await import('./commands/skills.ts')).skills,
  session: async () => (await import('./commands/session.ts')).session,
  memory: async () => (await import('./commands/memory.ts')).memory,
  workflow: async () => (await import('./commands/workflow.ts')).workflow,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  eval: async () => (await import('./commands/eval.ts')).evalCommand,
  demo: async () => (await import('./commands/demo.ts')).demo,
  codes: async () => (await import('./commands/codes.ts')).codesCommand,
};
