/** How a command ended and what the sandbox contained, as facts for the ledger. */
import type { CommandChanges } from '../workspace/session/command-changes.ts';
import type { CommandEnd } from './sandbox.ts';

type Fact = string | number | boolean;

/** The end of a command, with what was found in its view afterwards. */
export interface ContainedCommandEnd extends CommandEnd {
  /** Tracked files that it changed; they were restored. */
  readonly putBack: readonly string[];
  /** What it wrote to project files; undefined when it changed and made none. */
  readonly changes: CommandChanges | undefined;
  /** Files that it wrote to its home folder or to `.git`; at most 20 paths. */
  readonly unexpectedWrites: readonly string[];
}

const commandLine = /^[^\S\r\n\u2028\u2029]*::[a-zA-Z-]+[^\n]*::|##\[[a-zA-Z-]+/m;

/**
 * Lists what was contained; facts that do not apply are left out.
 * @param scrubbed the output after secrets were removed.
 */
export function commandFacts(
  end: ContainedCommandEnd,
  scrubbed: string,
): Readonly<Record<string, Fact>> {
  const facts: Record<string, Fact | undefined> = {
    exit: end.limit === undefined ? (end.exitCode ?? end.signal) : undefined,
    outputBytes: end.outputBytes,
    limit: end.limit,
    refusedConnections: end.refusedConnections || undefined,
    putBack: end.putBack.length || undefined,
    unexpectedWrites: end.unexpectedWrites.join(', ').slice(0, 500) || undefined,
    secretsRemoved: scrubbed === end.output ? undefined : true,
    workflowCommands: commandLine.test(end.output) || undefined,
  };
  const kept = Object.entries(facts).filter(
    (entry): entry is [string, Fact] => entry[1] !== undefined,
  );
  return Object.fromEntries(kept);
}
