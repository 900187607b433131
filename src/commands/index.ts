/** The commands of the terminal; each is loaded when it is asked for. */
import type { Command } from './terminal.ts';

export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).run,
  init: async () => (await import('./init.ts')).init,
  validate: async () => (await import('./validate.ts')).validate,
  doctor: async () => (await import('./doctor.ts')).doctor,
  replay: async () => (await import('./replay.ts')).replay,
  audit: async () => (await import('./audit.ts')).audit,
  session: async () => (await import('./session.ts')).session,
  demo: async () => (await import('./demo.ts')).demo,
  codes: async () => (await import('./codes.ts')).codes,
};
