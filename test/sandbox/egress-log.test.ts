import { expect, it } from 'vitest';
import { openEgressLog } from '../../src/sandbox/egress-log.ts';

const row = (host: string, reason = '') => ({
  host,
  port: 443,
  reason,
  allowed: reason === '',
  connections: 1,
  bytesIn: 5,
  bytesOut: 3,
});

function open() {
  const lines: string[] = [];
  const scrub = (text: string) => text.replaceAll('secret', '***');
  return { lines, ...openEgressLog(['a.test'], { log: line => lines.push(line), scrub }) };
}

it('says what each command reached and what it was refused, without secrets', () => {
  const { lines, connected, use } = open();
  connected('verify', [row('a.test'), row('secret.test', 'not allowed')]);
  expect(lines).toEqual([
    'Network: verify: a.test:443, 1 connection, 5 bytes in, 3 bytes out.',
    'Network: verify: ***.test:443 refused, 1 connection: not allowed.',
  ]);
  expect(JSON.stringify(use())).not.toContain('secret');
});

it('adds up what the commands of a kind did', () => {
  const { connected, use } = open();
  connected('verify', [row('a.test')]);
  connected('verify', [row('a.test')]);
  connected('setup', [row('a.test')]);
  expect(use()).toEqual({
    hosts: ['a.test'],
    connections: [
      { caller: 'verify', ...row('a.test'), connections: 2, bytesIn: 10, bytesOut: 6 },
      { caller: 'setup', ...row('a.test') },
    ],
  });
});

it('logs twenty lines of a command, and counts the rest', () => {
  const { lines, connected } = open();
  connected(
    'setup',
    Array.from({ length: 23 }, (_, i) => row(`h${i}.test`)),
  );
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('Network: setup: 3 more destinations.');
});
