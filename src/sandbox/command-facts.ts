/** How a command ended and what the sandbox kept from the world, as facts for the ledger. */
import type { CommandEnd } from './sandbox.ts';

type Fact = string | number | boolean;

/** A command's end, with what was found in its view after it. */
export interface Contained extends CommandEnd {
  /** Tracked files that it changed and that were restored. */
  readonly putBack: readonly string[];
  /** What it wrote to its own home folder, or in place of git's folder; at most 20 paths. */
  readonly unexpectedWrites: readonly string[];
}

const commandLine = /^\s*::[a-zA-Z-]+[^\n]*::|##\[[a-zA-Z-]+/m;

/**
 * Names each thing that was contained; what did not happen is left out.
 * @param scrubbed the output after secrets were taken out of it.
 */
export function commandFacts(end: Contained, scrubbed: string): Readonly<Record<string, Fact>> {
  const facts: Record<string, Fact | null> = {
    exit: end.limit === null ? (end.exitCode ?? end.signal) : null,
    outputBytes: end.outputBytes,
    limit: end.limit,
    refusedConnections: end.refusedConnections || null,
    putBack: end.putBack.length || null,
    unexpectedWrites: end.unexpectedWrites.join(', ').slice(0, 500) || null,
    secretsRemoved: scrubbed === end.output ? null : true,
    workflowCommands: commandLine.test(end.output) || null,
  };
  const kept = Object.entries(facts).filter((entry): entry is [string, Fact] => entry[1] !== null);
  return Object.fromEntries(kept);
}
