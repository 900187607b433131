import { expect, it } from 'vitest';
import { countRefused } from '../../../src/sandbox/egress/network-account.ts';

const four = 'Ip: Forwarding OutNoRoutes InReceives\nIp: 1 3 9\nTcp: a\nTcp: 1\n';
const six = 'Ip6InReceives  \t5\nIp6OutNoRoutes  \t4\n';

it.each([
  [four + six, 7],
  [four, 3],
  [six, 4],
  ['Ip: Forwarding\nIp: 1\n', undefined],
  ['', undefined],
])('of %j, %s connections were refused', (account, count) => {
  expect(countRefused(account)).toBe(count);
});
