/** What the commands of a run reached through the filtering proxy, for the log, the ledger and the outcome. */
import type { Connections, EgressUse } from '../base/outcome.ts';
import { plural } from '../base/plural.ts';
import { addConnections } from '../process/egress/rules.ts';
import type { CommandCaller } from '../workspace/session/command-record.ts';

interface EgressLog {
  connected(caller: CommandCaller, connections: readonly Connections[]): void;
  use(): EgressUse;
}

const maxLines = 20;

/** Logs at most twenty lines for each command, and adds up what the commands of each kind did. */
export function openEgressLog(
  hosts: readonly string[],
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
      hosts,
      connections: [...byCaller].flatMap(([caller, rows]) => rows.map(row => ({ caller, ...row }))),
    }),
  };
}

function describeConnection({
  host,
  port,
  reason,
  connections,
  bytesIn,
  bytesOut,
}: Connections): string {
  const times = plural(connections, 'connection');
  return reason === ''
    ? `${host}:${port}, ${times}, ${bytesIn} bytes in, ${bytesOut} bytes out`
    : `${host}:${port} refused, ${times}: ${reason}`;
}
