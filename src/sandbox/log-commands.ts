/** Keeps a record of every command that a sandbox runs. */
import type { CommandRecord } from '../workspace/session/command-record.ts';
import { type FileEffects, type PathList, watchFolders } from '../workspace/views/file-effects.ts';
import type { CommandEnd, CommandSpec, Sandbox } from './sandbox.ts';

export interface CommandLog {
  record(command: CommandRecord): void;
  readonly now: () => number;
  /** Removes secrets. */
  readonly scrub: (text: string) => string;
}

const tailChars = 4_000;

/** The same sandbox; each command is recorded when it has ended, and a server when it starts. */
export function logCommands(sandbox: Sandbox, log: CommandLog): Sandbox {
  return {
    ...sandbox,
    run: async command => {
      const startedAt = log.now();
      const { watched } = command.view;
      const effects = watched === undefined ? null : watchFolders(watched);
      const end = await sandbox.run(command);
      const { exitCode, signal, limit, durationMs, outputBytes } = end;
      const tail = exitCode === 0 ? '' : log.scrub(end.output).slice(-tailChars);
      const known = effects?.() ?? null;
      log.record({
        ...startOf(command, startedAt, log),
        durationMs,
        end: wayOfEnding(end),
        exitCode,
        signal,
        limit,
        outputBytes,
        outputTail: tail,
        files: known === null ? 'unknown' : scrubbed(known, log),
      });
      return end;
    },
    start: command => {
      const running = sandbox.start(command);
      log.record({
        ...startOf(command, log.now(), log),
        durationMs: 0,
        end: 'started',
        exitCode: null,
        signal: null,
        limit: null,
        outputBytes: 0,
        outputTail: '',
        files: 'unknown',
      });
      return running;
    },
  };
}

function startOf(
  { caller, argv, cwd, network }: Pick<CommandSpec, 'caller' | 'argv' | 'cwd' | 'network'>,
  startedAt: number,
  { scrub }: CommandLog,
) {
  return { caller, argv: argv.map(scrub), cwd: scrub(cwd), network, startedAt };
}

/** In which way a command ended. */
export function wayOfEnding({
  limit,
  cancelled,
  began,
}: Pick<CommandEnd, 'limit' | 'cancelled' | 'began'>): CommandRecord['end'] {
  if (limit !== null) return 'limit';
  if (cancelled) return 'cancelled';
  return began ? 'ended' : 'not_started';
}

function scrubbed(
  { written, changed, deleted }: FileEffects,
  { scrub }: CommandLog,
): CommandRecord['files'] {
  const clean = ({ count, paths }: PathList) => ({
    count,
    paths: paths.map(p => scrub(p).slice(0, 300)),
  });
  return { written: clean(written), changed: clean(changed), deleted: clean(deleted) };
}
