/** The commands of the terminal. Each one is loaded when it is used. */
import type { CommandHandler } from './terminal.ts';

export const commands: Readonly<Record<string, () => Promise<CommandHandler>>> = {
  run: async () => (await import('./run.ts')).run,
  ask: async () => (await import('./ask.ts')).ask,
  runs: async () => (await import('./runs.ts')).runs,
  stats: async () => (await import('./stats.ts')).stats,
  show: async () => (await import('./show.ts')).showRun,
  apply: async () => (await import('./apply.ts')).apply,
  undo: async () => (await import('./undo.ts')).undoApply,
  init: async () => (await import('./init.ts')).init,
  validate: async () => (await import('./validate.ts')).validate,
  accept: async () => (await import('./accept.ts')).accept,
  doctor: async () => (await import('./doctor.ts')).doctor,
  replay: async () => (await import('./replay.ts')).replay,
  audit: async () => (await import('./audit.ts')).audit,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  skills: async () => (await import('./skills.ts')).skills,
  session: async () => (await import('./session.ts')).session,
  memory: async () => (await import('./memory.ts')).memory,
  workflow: async () => (await import('./workflow.ts')).workflow,
  mcp: async () => (await import('./mcp.ts')).mcp,
  eval: async () => (await import('./eval.ts')).evalCommand,
  demo: async () => (await import('./demo.ts')).demo,
  codes: async () => (await import('./codes.ts')).codesCommand,
};
