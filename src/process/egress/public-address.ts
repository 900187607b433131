/** Tells addresses of the internet from those of this machine, its network and its cloud. */
import { BlockList, isIP } from 'node:net';

/** Special-purpose ranges of IPv4 (RFC 6890). They hold most hosts of a cloud, such as 169.254.169.254 and 100.100.100.200. */
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The host of Azure, which gives keys to every virtual machine, has an address of the internet. */
const hosts = ['168.63.129.16/32'];

/** Ranges inside 2000::/3 that are not ordinary hosts, or that hold an IPv4 address: Teredo, documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blocked = blockList([...special, ...hosts], 'ipv4');
const global6 = blockList(['2000::/3'], 'ipv6');
const blocked6 = blockList(special6, 'ipv6');

/** True for an address that the whole internet can reach. Of IPv6, only 2000::/3 has such addresses. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !blocked.check(address);
  return family === 6 && global6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
}

function blockList(ranges: readonly string[], type: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), type);
  }
  return list;
}
