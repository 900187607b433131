/** The commands of the terminal, in the order of the help. Each but the smallest is loaded when it is used, so that the help on all of them needs none. */
import type { Command } from './command.ts';
import { codesCommand } from './commands/codes.ts';

/** What a command does, in a line, and the command. */
interface CommandEntry {
  readonly about: string;
  readonly load: () => Promise<Command>;
}

const entries: Readonly<Record<string, CommandEntry>> = {
  run: {
    about: 'Carry out a task on a local git repository, starting from its HEAD commit.',
    load: async () => (await import('./commands/run.ts')).run,
  },
  ask: {
    about: 'Answer a question about the code of a local git repository. Nothing is changed.',
    load: async () => (await import('./commands/ask.ts')).ask,
  },
  runs: {
    about: 'List the runs that the repository keeps, newest first: at most 50, and 500 MB.',
    load: async () => (await import('./commands/runs.ts')).runs,
  },
  fleet: {
    about: 'Make one page of all runs of an organisation, or of named repositories.',
    load: async () => (await import('./commands/fleet.ts')).fleet,
  },
  show: {
    about: 'Show how a run ended, its patch and its files, or what it did.',
    load: async () => (await import('./commands/show.ts')).show,
  },
  apply: {
    about: 'Write the patch of a run into the work tree (back: photon undo).',
    load: async () => (await import('./commands/apply.ts')).apply,
  },
  undo: {
    about:
      'Take back what photon apply or run --apply wrote last. Repeat it to take back earlier runs.',
    load: async () => (await import('./commands/undo.ts')).undo,
  },
  init: {
    about: 'Write a workflow, a configuration and a constitution for a repository.',
    load: async () => (await import('./commands/init.ts')).init,
  },
  validate: {
    about: 'Check configuration, constitution, profile and skills of a work tree.',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  skills: {
    about: 'List and check skills, or start a new one.',
    load: async () => (await import('./commands/skills.ts')).skills,
  },
  doctor: {
    about: 'Check whether Photon can run here, and show the test command that it found.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  audit: {
    about: 'Judge a finished run again from its ledger.',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  verify: {
    about: 'Check that commit, tree, patch, ledger and statement of a run belong together.',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  memory: {
    about: 'Read and manage the long-term records of a repository.',
    load: async () => (await import('./commands/memory.ts')).memory,
  },
  workflow: {
    about: 'Run tasks in dependency order on a branch, one run per task.',
    load: async () => (await import('./commands/workflow.ts')).workflow,
  },
  mcp: {
    about: 'Serve the constitution and the outcomes of runs to agents over MCP, read-only.',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  replay: {
    about: 'Repeat a recorded run with its recorded replies, in the sandbox.',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  demo: {
    about: 'Show a complete run on a sample repository, without key or account.',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  codes: {
    about: 'Explain the stable codes: what each means and what to do.',
    load: async () => codesCommand,
  },
};

export const commands: ReadonlyMap<string, CommandEntry> = new Map(Object.entries(entries));
