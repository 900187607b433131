/** A command that ran in the sandbox, as the audit log of a session keeps it. */
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { limits } from '../../base/outcome.ts';
import { parseAs } from '../../base/schema-issue.ts';

/** What starts commands: tools, and steps of the engine. */
const commandCallers = [
  'run_command',
  'setup',
  'baseline',
  'verify',
  'repair',
  'proof',
  'scan',
  'language_server',
  'syntax',
  'mcp_server',
] as const;
export type CommandCaller = (typeof commandCallers)[number];

const count = z.int().min(0);
const text = z.string();
const pathsSchema = once(() => z.strictObject({ count, paths: z.array(text) }));

const commandSchema = once(() =>
  z.strictObject({
    caller: z.enum(commandCallers),
    /** Program and arguments, without secrets. */
    argv: z.array(text),
    /** The working folder, relative to the workspace. */
    cwd: text,
    network: z.boolean(),
    /** Milliseconds since the epoch. */
    startedAt: z.number(),
    durationMs: z.number(),
    /** `ended`: by itself; `limit`: stopped at a limit; `cancelled`; `not_started`; `started`: a server or a parser, whose end is not kept. */
    end: z.enum(['ended', 'limit', 'cancelled', 'not_started', 'started']),
    exitCode: z.int().nullable(),
    signal: text.nullable(),
    limit: z.enum(limits).nullable(),
    outputBytes: count,
    /** The end of the output without secrets; empty after exit status 0. */
    outputTail: text,
    /** The files of its view that it wrote, changed and deleted. */
    files: z.union([
      z.literal('unknown'),
      z.strictObject({ written: pathsSchema(), changed: pathsSchema(), deleted: pathsSchema() }),
    ]),
  }),
);

export type CommandRecord = Readonly<z.infer<ReturnType<typeof commandSchema>>>;

/** Describes how a command ended, such as `exit 1` or `time limit`. */
export function describeEnd(
  command: Pick<CommandRecord, 'end'> &
    Partial<Pick<CommandRecord, 'exitCode' | 'signal' | 'limit'>>,
): string {
  const { end, exitCode, signal, limit } = command;
  if (end === 'limit') return `stopped at its ${limit} limit`;
  if (end !== 'ended') return end === 'not_started' ? 'could not be started' : end;
  return exitCode == null ? `ended by ${signal}` : `exit ${exitCode}`;
}

/** Parses a stored command. Throws PhotonError `SESSION_INVALID`. */
export function parseCommandRecord(stored: string): CommandRecord {
  const name = 'The session cannot be used: a command of its audit log';
  return parseAs(commandSchema(), stored, { code: 'SESSION_INVALID', name });
}
