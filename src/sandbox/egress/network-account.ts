/** Counts the connections of a command that its sandbox refused. */

/**
 * The sum of the kernel counters `OutNoRoutes` for IPv4 and IPv6.
 * @param account text of `/proc/net/snmp` and `/proc/net/snmp6`.
 * @returns undefined when the text has no such counter.
 */
export function countRefused(account: string): number | undefined {
  const rows = account.split('\n').filter(line => line.startsWith('Ip: '));
  const [names = [], values = []] = rows.map(line => line.split(' '));
  const four = values[names.indexOf('OutNoRoutes')];
  const six = /^Ip6OutNoRoutes\s+(\d+)/m.exec(account)?.[1];
  if (four === undefined && six === undefined) return undefined;
  return Number(four ?? 0) + Number(six ?? 0);
}
