import { describe, expect, it } from 'vitest';
import { networkValue, plainHost, toNetworkAccess } from '../../src/settings/network.ts';

describe('the setting network', () => {
  it.each([
    'none',
    'setup',
    'allow',
    ['registry.example.org'],
    ['allow', '*.example.org', 'example.org:8443'],
    ['xn--bcher-kva.example'],
  ])('takes %j', value => {
    expect(networkValue().safeParse(value).success).toBe(true);
  });

  it.each([
    'all',
    [[]],
    [['setup']],
    [['localhost']],
    [['127.0.0.1']],
    [['Example.org']],
    [['example.org:0']],
    [['*.*.example.org']],
    [['https://example.org']],
    [['example.org/path']],
    [['a.*.org']],
  ])('refuses %j, and says what to write', value => {
    const { error } = networkValue().safeParse(value);
    expect(error?.issues[0]?.message).toContain('Write none, setup, allow, or hosts');
  });

  it('lets the set-up alone reach hosts, unless it allows more', () => {
    expect(toNetworkAccess('allow')).toMatchObject({ commands: 'allow' });
    expect(toNetworkAccess(['a.example'])).toEqual({ commands: 'setup', hosts: ['a.example'] });
    expect(toNetworkAccess(['allow', 'a.example', '*.b.example'])).toEqual({
      commands: 'allow',
      hosts: ['a.example', '*.b.example'],
    });
  });
});

it.each([
  ['registry.example.org', true],
  ['a-b.example', true],
  ['example', false],
  ['1.2.3.4', false],
  ['example.org.', false],
  ['-a.example', false],
  [`${'a.'.repeat(130)}example`, false],
])('%s is a plain host: %s', (host, isPlain) => {
  expect(plainHost.test(host)).toBe(isPlain);
});
