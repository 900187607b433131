/** Keeps a record of every command that a sandbox runs. */
import type { Connections, EgressUse } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { addConnections } from '../../process/egress/rules.ts';
import type { CommandCaller, CommandRecord } from '../../workspace/session/command-record.ts';
import {
  type FileEffects,
  type PathList,
  watchFolders,
} from '../../workspace/views/file-effects.ts';
import type { CommandEnd, CommandSpec, Sandbox } from '../sandbox.ts';

interface CommandLog {
  record(command: CommandRecord): void;
  readonly now: () => number;
  /** Removes secrets. */
  readonly scrub: (text: string) => string;
  /** Shows a command while it runs. */
  readonly begin?: ((what: string) => Activity) | undefined;
}

/** Something that takes time, as a person sees it while it lasts. */
export interface Activity {
  /** Takes the end of its output so far. */
  output(tail: string): void;
  end(): void;
}

const tailChars = 4_000;

/** The same sandbox; each command is recorded when it has ended, and a server when it starts. */
export function logCommands(sandbox: Sandbox, log: CommandLog): Sandbox {
  return {
    ...sandbox,
    run: async command => {
      const startedAt = log.now();
      const { watched } = command.view;
      const effects = watched === undefined ? undefined : watchFolders(watched);
      const shown = log.begin?.(log.scrub(formatCommand(command.argv)));
      const end = await sandbox
        .run(
          shown === undefined
            ? command
            : { ...command, onOutput: makeTailWriter(shown, log.scrub) },
        )
        .finally(() => shown?.end());
      const { exitCode, signal, limit, durationMs, outputBytes } = end;
      const tail = exitCode === 0 ? '' : log.scrub(end.output).slice(-tailChars);
      const known = effects?.();
      log.record({
        ...describeStart(command, startedAt, log),
        durationMs,
        end: wayOfEnding(end),
        exitCode: exitCode ?? null,
        signal: signal ?? null,
        limit: limit ?? null,
        outputBytes,
        outputTail: tail,
        files: known === undefined ? 'unknown' : scrubEffects(known, log),
      });
      return { ...end, effects: known ?? undefined };
    },
    start: command => {
      const running = sandbox.start(command);
      log.record({
        ...describeStart(command, log.now(), log),
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

/** A command as one line; the text of a shell line is that line. */
function formatCommand(argv: readonly string[]): string {
  const isLine = argv[0] === 'sh' && argv[1] === '-c';
  return (isLine ? argv.slice(2) : argv).join(' ');
}

const shownBytes = 2_000;

/** Passes the last whole lines of the output on. A secret can be cut only in what is left out at both ends. */
function makeTailWriter(shown: Activity, scrub: (text: string) => string): (chunk: Buffer) => void {
  let tail = Buffer.alloc(0);
  return chunk => {
    tail = Buffer.concat([tail, chunk]).subarray(-shownBytes);
    const whole = tail.subarray(0, tail.lastIndexOf(10) + 1).toString('utf8');
    shown.output(scrub(whole).slice(-shownBytes / 4));
  };
}

function describeStart(
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
  if (limit !== undefined) return 'limit';
  if (cancelled) return 'cancelled';
  return began ? 'ended' : 'not_started';
}

function scrubEffects(
  { written, changed, deleted }: FileEffects,
  { scrub }: CommandLog,
): CommandRecord['files'] {
  const clean = ({ count, paths }: PathList) => ({
    count,
    paths: paths.map(p => scrub(p).slice(0, 300)),
  });
  return { written: clean(written), changed: clean(changed), deleted: clean(deleted) };
}

interface EgressLog {
  connected(caller: CommandCaller, connections: readonly Connections[]): void;
  use(): EgressUse;
}

const maxLines = 20;

/** Logs at most twenty lines for each command, and adds up what the commands of each kind did. */
export function openEgressLog(
  listed: Pick<EgressUse, 'hosts' | 'services'>,
  { log, scrub }: Record<'scrub', (text: string) => string> & Record<'log', (line: string) => void>,
): EgressLog {
  const byCaller = new Map<CommandCaller, readonly Connections[]>();
  return {
    connected: (caller, given) => {
      const connections = given.map(row => ({ ...row, host: scrub(row.host) }));
      byCaller.set(caller, addConnections(byCaller.get(caller) ?? [], connections));
      for (const row of connections.slice(0, maxLines))
        log(`Network: ${caller}: ${describeConnection(row)}.`);
      const more = connections.length - maxLines;
      if (more > 0) log(`Network: ${caller}: ${plural(more, 'more destination')}.`);
    },
    use: () => ({
      ...listed,
      connections: [...byCaller].flatMap(([caller, rows]) => rows.map(row => ({ caller, ...row }))),
    }),
  };
}

function describeConnection(row: Connections): string {
  const { host, port, reason, connections, bytesIn, bytesOut } = row;
  const times = plural(connections, 'connection');
  return reason === ''
    ? `${host}:${port}, ${times}, ${bytesIn} bytes in, ${bytesOut} bytes out`
    : `${host}:${port} refused, ${times}: ${reason}`;
}
